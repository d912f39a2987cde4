// cuda::std is std, seen through a namespace of its own so that programs may add to it; cuda:: holds what libcu++ adds.
#pragma once

#include "coalint/std_later.h"
#include "coalint/complex_family.h"
#include "coalint/std_values.h"
#include "coalint/std_concurrency.h"

COALINT_HOST_DEVICE_BEGIN

namespace cuda {
namespace std {
using namespace ::std;
namespace chrono { using namespace ::std::chrono; }
COALINT_COMPLEX_FAMILY(alignas(2 * sizeof(T_)))
template <class T_ = void> struct maximum { template <class U_> constexpr U_ operator()(const U_& a, const U_& b) const { return a < b ? b : a; } };
template <class T_ = void> struct minimum { template <class U_> constexpr U_ operator()(const U_& a, const U_& b) const { return b < a ? b : a; } };
struct identity { template <class T_> constexpr T_&& operator()(T_&& v) const { return static_cast<T_&&>(v); } };
namespace execution { template <class... T_> struct prop { prop(T_...); }; template <class... T_> prop(T_...) -> prop<T_...>; template <class... T_> struct env { env(T_...); }; template <class... T_> env(T_...) -> env<T_...>; }
namespace ranges {}
template <class I_> using iter_value_t = typename iterator_traits<I_>::value_type;
template <class I_> using iter_reference_t = decltype(*declval<I_&>());
template <class I_> using iter_difference_t = ptrdiff_t;
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
}  // namespace std

using std::thread_scope; using std::thread_scope_block; using std::thread_scope_device; using std::thread_scope_system; using std::thread_scope_thread;
template <class T_, thread_scope scope_ = thread_scope_system> struct alignas(sizeof(T_) < 4 ? 4 : sizeof(T_)) atomic : ::std::atomic<T_> { using ::std::atomic<T_>::atomic; atomic() = default; };
template <class T_, thread_scope scope_ = thread_scope_system> struct atomic_ref {
    T_* target;
    constexpr explicit atomic_ref(T_& v) : target(&v) {}
    T_ load(::std::memory_order = ::std::memory_order_seq_cst) const { return *target; }
    void store(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { *target = v; }
    T_ exchange(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicExch(target, v); }
    T_ fetch_add(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicAdd(target, v); }
    T_ fetch_sub(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicSub(target, v); }
    T_ fetch_min(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicMin(target, v); }
    T_ fetch_max(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicMax(target, v); }
    T_ fetch_or(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicOr(target, v); }
    T_ fetch_and(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicAnd(target, v); }
    bool compare_exchange_strong(T_& e, T_ v, ::std::memory_order = ::std::memory_order_seq_cst, ::std::memory_order = ::std::memory_order_seq_cst) const { T_ old = atomicCAS(target, e, v); bool same = old == e; e = old; return same; }
    bool compare_exchange_weak(T_& e, T_ v, ::std::memory_order = ::std::memory_order_seq_cst, ::std::memory_order = ::std::memory_order_seq_cst) const { T_ old = atomicCAS(target, e, v); bool same = old == e; e = old; return same; }
};
void atomic_thread_fence(::std::memory_order, thread_scope = thread_scope_system);
inline constexpr ::std::memory_order memory_order_relaxed = ::std::memory_order_relaxed, memory_order_acquire = ::std::memory_order_acquire, memory_order_release = ::std::memory_order_release, memory_order_acq_rel = ::std::memory_order_acq_rel, memory_order_seq_cst = ::std::memory_order_seq_cst;

struct stream_ref { cudaStream_t coalint_stream; stream_ref(cudaStream_t); cudaStream_t get() const; };
template <class T_> struct overflow_result { T_ value; bool overflow; explicit operator bool() const { return overflow; } };
template <class T_ = void, class U_, class V_> auto add_overflow(U_ a, V_ b) -> overflow_result<::std::conditional_t<__is_void(T_), decltype(a + b), T_>>;
template <class T_ = void, class U_, class V_> auto sub_overflow(U_ a, V_ b) -> overflow_result<::std::conditional_t<__is_void(T_), decltype(a - b), T_>>;
template <class T_ = void, class U_, class V_> auto mul_overflow(U_ a, V_ b) -> overflow_result<::std::conditional_t<__is_void(T_), decltype(a * b), T_>>;
template <class T_ = void, class U_, class V_> auto div_overflow(U_ a, V_ b) -> overflow_result<::std::conditional_t<__is_void(T_), decltype(a / b), T_>>;
namespace mr {
struct host_accessible {}; struct device_accessible {};
template <class... T_> struct coalint_resource { template <class U_> coalint_resource(const U_&); void* allocate(stream_ref, size_t, size_t = 256); void deallocate(stream_ref, void*, size_t, size_t = 256); void* allocate_sync(size_t, size_t = 256); void deallocate_sync(void*, size_t, size_t = 256); bool operator==(const coalint_resource&) const; };
template <class... T_> using resource_ref = coalint_resource<T_...>;
template <class... T_> using synchronous_resource_ref = coalint_resource<T_...>;
template <class... T_> using async_resource_ref = coalint_resource<T_...>;
template <class... T_> using any_resource = coalint_resource<T_...>;
struct get_memory_resource_t {}; inline constexpr get_memory_resource_t get_memory_resource{};
#if __cplusplus >= 202002L
template <class T_, class... P_> concept resource = true;
template <class T_, class... P_> concept resource_with = true;
template <class T_, class... P_> concept synchronous_resource = true;
template <class T_, class... P_> concept synchronous_resource_with = true;
#endif
}  // namespace mr

template <class T_, class U_> constexpr T_ ceil_div(T_ a, U_ b) { return T_((a + b - 1) / b); }
template <class T_, class U_> constexpr T_ round_up(T_ a, U_ b) { return T_((a + b - 1) / b * b); }
template <class T_, class U_> constexpr T_ round_down(T_ a, U_ b) { return T_(a / b * b); }
template <class T_ = void> struct maximum : std::maximum<T_> {};
template <class T_ = void> struct minimum : std::minimum<T_> {};
template <class T_> struct counting_iterator {
    typedef T_ value_type; typedef ptrdiff_t difference_type; typedef const T_* pointer; typedef T_ reference; typedef ::std::random_access_iterator_tag iterator_category;
    T_ first;
    counting_iterator() = default;
    counting_iterator(T_ v) : first(v) {}
    T_ operator*() const { return first; }
    T_ operator[](ptrdiff_t i) const { return first + i; }
    counting_iterator operator+(ptrdiff_t i) const { return {T_(first + i)}; }
    counting_iterator operator-(ptrdiff_t i) const { return {T_(first - i)}; }
    ptrdiff_t operator-(const counting_iterator& v) const { return ptrdiff_t(first) - ptrdiff_t(v.first); }
    counting_iterator& operator++() { ++first; return *this; }
    counting_iterator& operator+=(ptrdiff_t i) { first += i; return *this; }
    bool operator==(const counting_iterator& v) const { return first == v.first; }
    bool operator!=(const counting_iterator& v) const { return first != v.first; }
    bool operator<(const counting_iterator& v) const { return first < v.first; }
    bool operator>(const counting_iterator& v) const { return first > v.first; }
    bool operator<=(const counting_iterator& v) const { return first <= v.first; }
    bool operator>=(const counting_iterator& v) const { return first >= v.first; }
    counting_iterator operator++(int) { counting_iterator old = *this; ++first; return old; }
    counting_iterator& operator--() { --first; return *this; }
    counting_iterator& operator-=(ptrdiff_t i) { first -= i; return *this; }
};
template <class T_> struct constant_iterator {
    typedef T_ value_type; typedef ptrdiff_t difference_type; typedef const T_* pointer; typedef T_ reference; typedef ::std::random_access_iterator_tag iterator_category;
    T_ v;
    constant_iterator() = default;
    constant_iterator(const T_& v, ptrdiff_t = 0) : v(v) {}
    T_ operator[](ptrdiff_t) const { return v; }
    T_ operator*() const { return v; }
    constant_iterator operator+(ptrdiff_t) const { return *this; }
    constant_iterator& operator++() { return *this; }
};
template <class T_> constant_iterator<T_> make_constant_iterator(T_ v) { return {v}; }
// An iterator that calls a function with what another one yields.
template <class F_, class I_> struct transform_iterator {
    typedef decltype(::std::declval<F_&>()(*::std::declval<const I_&>())) reference; typedef ::std::decay_t<reference> value_type; typedef ptrdiff_t difference_type; typedef const value_type* pointer; typedef ::std::random_access_iterator_tag iterator_category;
    I_ it; mutable F_ f;
    decltype(auto) operator[](ptrdiff_t i) const { return f(it[i]); }
    decltype(auto) operator*() const { return f(*it); }
    transform_iterator operator+(ptrdiff_t i) const { return {it + i, f}; }
    transform_iterator operator-(ptrdiff_t i) const { return {it - i, f}; }
    ptrdiff_t operator-(const transform_iterator& v) const { return it - v.it; }
    transform_iterator& operator++() { ++it; return *this; }
    transform_iterator& operator+=(ptrdiff_t i) { it += i; return *this; }
    bool operator==(const transform_iterator& v) const { return it == v.it; }
    bool operator!=(const transform_iterator& v) const { return it != v.it; }
    bool operator<(const transform_iterator& v) const { return it - v.it < 0; }
    bool operator<=(const transform_iterator& v) const { return it - v.it <= 0; }
    bool operator>(const transform_iterator& v) const { return it - v.it > 0; }
    bool operator>=(const transform_iterator& v) const { return it - v.it >= 0; }
};
template <class T_> counting_iterator<T_> make_counting_iterator(T_ v) { return {v}; }
struct discard_iterator { ptrdiff_t coalint_index; template <class T_> discard_iterator& operator=(const T_&); discard_iterator& operator*(); discard_iterator& operator[](ptrdiff_t); };
inline discard_iterator make_discard_iterator() { return {}; }
template <class R_, class F_> F_ proclaim_return_type(F_ f) { return f; }
template <class F_> F_ proclaim_copyable_arguments(F_ f) { return f; }
struct get_stream_t {}; inline constexpr get_stream_t get_stream{};
template <class I_, class N_> I_ make_strided_iterator(I_, N_);
template <class F_, class I_> transform_iterator<F_, I_> make_transform_iterator(I_ it, F_ f) { return {it, f}; }
namespace execution {
template <class... T_> struct requirements {};
template <class... T_> requirements<T_...> require(T_...);
namespace determinism { struct not_guaranteed_t {}; inline constexpr not_guaranteed_t not_guaranteed{}; struct run_to_run_t {}; inline constexpr run_to_run_t run_to_run{}; }
namespace output_ordering { struct unsorted_t {}; inline constexpr unsorted_t unsorted{}; struct sorted_t {}; inline constexpr sorted_t sorted{}; }
}  // namespace execution
}  // namespace cuda

COALINT_HOST_DEVICE_END
