// cuda::std is std, seen through a namespace of its own so that programs may add to it; cuda:: holds what libcu++ adds.
#pragma once

#include "coalint/std_values.h"
#include "coalint/std_concurrency.h"

COALINT_HOST_DEVICE_BEGIN

namespace cuda {
namespace std {
using namespace ::std;
namespace chrono { using namespace ::std::chrono; }
template <class T_ = void> struct maximum { template <class U_> constexpr U_ operator()(const U_& a, const U_& b) const { return a < b ? b : a; } };
template <class T_ = void> struct minimum { template <class U_> constexpr U_ operator()(const U_& a, const U_& b) const { return b < a ? b : a; } };
struct identity { template <class T_> constexpr T_&& operator()(T_&& v) const { return static_cast<T_&&>(v); } };
namespace execution { template <class... T_> struct env { env(T_...); }; template <class... T_> env(T_...) -> env<T_...>; }
namespace ranges {}
}  // namespace std

enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <class T_, thread_scope scope_ = thread_scope_system> struct atomic : ::std::atomic<T_> { using ::std::atomic<T_>::atomic; };
template <class T_, thread_scope scope_ = thread_scope_system> struct atomic_ref {
    T_* target;
    explicit atomic_ref(T_& v) : target(&v) {}
    T_ load(::std::memory_order = ::std::memory_order_seq_cst) const; void store(T_, ::std::memory_order = ::std::memory_order_seq_cst) const;
    T_ exchange(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicExch(target, v); }
    T_ fetch_add(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicAdd(target, v); }
    T_ fetch_sub(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicSub(target, v); }
    T_ fetch_min(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicMin(target, v); }
    T_ fetch_max(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicMax(target, v); }
    T_ fetch_or(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicOr(target, v); }
    T_ fetch_and(T_ v, ::std::memory_order = ::std::memory_order_seq_cst) const { return atomicAnd(target, v); }
    bool compare_exchange_strong(T_&, T_, ::std::memory_order = ::std::memory_order_seq_cst, ::std::memory_order = ::std::memory_order_seq_cst) const;
    bool compare_exchange_weak(T_&, T_, ::std::memory_order = ::std::memory_order_seq_cst, ::std::memory_order = ::std::memory_order_seq_cst) const;
};
void atomic_thread_fence(::std::memory_order, thread_scope = thread_scope_system);

template <class T_, class U_> constexpr T_ ceil_div(T_ a, U_ b) { return T_((a + b - 1) / b); }
template <class T_, class U_> constexpr T_ round_up(T_ a, U_ b) { return T_((a + b - 1) / b * b); }
template <class T_, class U_> constexpr T_ round_down(T_ a, U_ b) { return T_(a / b * b); }
template <class T_ = void> struct maximum : std::maximum<T_> {};
template <class T_ = void> struct minimum : std::minimum<T_> {};
struct stream_ref { stream_ref(cudaStream_t); };
template <class T_> struct counting_iterator {
    typedef T_ value_type; typedef ptrdiff_t difference_type; typedef const T_* pointer; typedef T_ reference; typedef ::std::random_access_iterator_tag iterator_category;
    T_ first;
    T_ operator*() const { return first; }
    T_ operator[](ptrdiff_t i) const { return first + i; }
};
template <class T_> counting_iterator<T_> make_counting_iterator(T_ v) { return {v}; }
struct discard_iterator { template <class T_> discard_iterator& operator=(const T_&); discard_iterator& operator*(); discard_iterator& operator[](ptrdiff_t); };
template <class I_, class N_> I_ make_strided_iterator(I_, N_);
template <class F_, class I_> auto make_transform_iterator(I_, F_) -> I_;
namespace execution {
template <class... T_> struct requirements {};
template <class... T_> requirements<T_...> require(T_...);
namespace determinism { struct not_guaranteed_t {}; inline constexpr not_guaranteed_t not_guaranteed{}; struct run_to_run_t {}; inline constexpr run_to_run_t run_to_run{}; }
namespace output_ordering { struct unsorted_t {}; inline constexpr unsorted_t unsorted{}; struct sorted_t {}; inline constexpr sorted_t sorted{}; }
}  // namespace execution
}  // namespace cuda

COALINT_HOST_DEVICE_END
