// Thrust: vectors, pointers, tuples, iterators and function objects; algorithms are host calls that take and yield anything.
#pragma once

#ifndef THRUST_VERSION
#define THRUST_VERSION 200800
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 8
#define THRUST_SUBMINOR_VERSION 0
#endif

#include "coalint/cuda_std.h"
#include "coalint/std_random.h"

COALINT_HOST_DEVICE_BEGIN

namespace thrust {
using ::std::get; using ::std::make_pair; using ::std::make_tuple; using ::std::pair; using ::std::swap; using ::std::tie; using ::std::tuple;
using ::std::tuple_element; using ::std::tuple_size;
using ::std::bit_and; using ::std::bit_or; using ::std::bit_xor; using ::std::divides; using ::std::equal_to; using ::std::greater; using ::std::greater_equal;
using ::std::less; using ::std::less_equal; using ::std::logical_and; using ::std::logical_not; using ::std::logical_or; using ::std::minus; using ::std::modulus;
using ::std::multiplies; using ::std::negate; using ::std::not_equal_to; using ::std::plus; using ::std::iterator_traits;
template <class T_ = void> struct maximum { template <class U_> constexpr U_ operator()(const U_& a, const U_& b) const { return a < b ? b : a; } };
template <class T_ = void> struct minimum { template <class U_> constexpr U_ operator()(const U_& a, const U_& b) const { return b < a ? b : a; } };
template <class T_ = void> struct identity { template <class U_> constexpr U_ operator()(const U_& v) const { return v; } };
template <class T_ = void> struct square { template <class U_> constexpr U_ operator()(const U_& v) const { return v * v; } };
template <class T_, class U_> struct unary_function { typedef T_ argument_type; typedef U_ result_type; };
template <class T_, class U_, class V_> struct binary_function { typedef T_ first_argument_type; typedef U_ second_argument_type; typedef V_ result_type; };
template <class T_> T_ min(const T_& a, const T_& b) { return b < a ? b : a; }
template <class T_> T_ max(const T_& a, const T_& b) { return a < b ? b : a; }
template <class I_> struct iterator_value { typedef typename ::std::iterator_traits<I_>::value_type type; };
template <class I_> struct iterator_difference { typedef typename ::std::iterator_traits<I_>::difference_type type; };
template <class I_> struct iterator_pointer { typedef typename ::std::iterator_traits<I_>::pointer type; };
template <class I_> struct iterator_reference { typedef typename ::std::iterator_traits<I_>::reference type; };
template <class I_> struct iterator_traversal { typedef typename ::std::iterator_traits<I_>::iterator_category type; };
struct device_system_tag; struct host_system_tag;
template <class I_> struct iterator_system { typedef device_system_tag type; };
template <class I_> using iterator_value_t = typename iterator_value<I_>::type;
template <class I_> using iterator_difference_t = typename iterator_difference<I_>::type;
template <class I_> using iterator_reference_t = typename iterator_reference<I_>::type;

// Expressions of placeholders are functions that the library calls: only their operands are read here.
namespace placeholders {
struct coalint_placeholder { template <class... A_> auto operator()(A_&&... a) const { return (__coalint_used(a), ..., 0); } template <class T_> coalint_placeholder operator=(const T_& v) const { __coalint_used(v); return {}; } template <class T_> coalint_placeholder operator[](const T_& v) const { __coalint_used(v); return {}; } };
inline constexpr coalint_placeholder _1{}, _2{}, _3{}, _4{}, _5{}, _6{}, _7{}, _8{}, _9{}, _10{};
#define COALINT_PLACED(op)                                                                                                     \
    inline coalint_placeholder operator op(coalint_placeholder, coalint_placeholder) { return {}; }                            \
    template <class T_> coalint_placeholder operator op(coalint_placeholder, const T_& v) { __coalint_used(v); return {}; }    \
    template <class T_> coalint_placeholder operator op(const T_& v, coalint_placeholder) { __coalint_used(v); return {}; }
COALINT_PLACED(+) COALINT_PLACED(-) COALINT_PLACED(*) COALINT_PLACED(/) COALINT_PLACED(%) COALINT_PLACED(&) COALINT_PLACED(|) COALINT_PLACED(^) COALINT_PLACED(<<)
COALINT_PLACED(>>) COALINT_PLACED(<) COALINT_PLACED(>) COALINT_PLACED(<=) COALINT_PLACED(>=) COALINT_PLACED(==) COALINT_PLACED(!=) COALINT_PLACED(&&) COALINT_PLACED(||)
#undef COALINT_PLACED
#define COALINT_PLACED(op) template <class T_> coalint_placeholder operator op(coalint_placeholder, const T_& v) { __coalint_used(v); return {}; }
COALINT_PLACED(+=) COALINT_PLACED(-=) COALINT_PLACED(*=) COALINT_PLACED(/=) COALINT_PLACED(%=) COALINT_PLACED(&=) COALINT_PLACED(|=) COALINT_PLACED(^=) COALINT_PLACED(<<=) COALINT_PLACED(>>=)
#undef COALINT_PLACED
inline coalint_placeholder operator-(coalint_placeholder) { return {}; }
inline coalint_placeholder operator+(coalint_placeholder) { return {}; }
inline coalint_placeholder operator!(coalint_placeholder) { return {}; }
inline coalint_placeholder operator~(coalint_placeholder) { return {}; }
inline coalint_placeholder operator*(coalint_placeholder) { return {}; }
inline coalint_placeholder operator++(coalint_placeholder) { return {}; }
inline coalint_placeholder operator--(coalint_placeholder) { return {}; }
}

COALINT_COMPLEX_FAMILY(alignas(2 * sizeof(T_)))

template <class T_> struct device_ptr {
    typedef T_ value_type; typedef ptrdiff_t difference_type; typedef device_ptr pointer; typedef T_& reference; typedef ::std::random_access_iterator_tag iterator_category;
    T_* target;
    device_ptr() = default;
    explicit device_ptr(T_* p) : target(p) {}
    template <class U_> device_ptr(const device_ptr<U_>& p) : target(p.target) {}
    T_* get() const { return target; }
    T_& operator*() const { return *target; }
    T_& operator[](ptrdiff_t i) const { return target[i]; }
    device_ptr operator+(ptrdiff_t i) const { return device_ptr(target + i); }
    device_ptr operator-(ptrdiff_t i) const { return device_ptr(target - i); }
    ptrdiff_t operator-(const device_ptr& p) const { return target - p.target; }
    device_ptr& operator++() { ++target; return *this; }
    bool operator!=(const device_ptr& p) const { return target != p.target; }
    bool operator==(const device_ptr& p) const { return target == p.target; }
};
#define COALINT_ALLOCATOR(name)                                                                                                 \
    template <class T_> struct name {                                                                                          \
        typedef T_ value_type; typedef size_t size_type; typedef ptrdiff_t difference_type; typedef device_ptr<T_> pointer;    \
        typedef device_ptr<const T_> const_pointer; typedef T_& reference; typedef const T_& const_reference;                  \
        template <class U_> struct rebind { typedef name<U_> other; };                                                         \
        name() {}                                                                                                              \
        name(const name&) {}                                                                                                   \
        template <class U_> name(const name<U_>&) {}                                                                           \
        name& operator=(const name&) = default;                                                                                \
        ~name() {}                                                                                                             \
        pointer allocate(size_t) COALINT_HOST_ONLY                                                                             \
        void deallocate(pointer, size_t) COALINT_HOST_ONLY                                                                     \
    };
COALINT_ALLOCATOR(device_allocator) COALINT_ALLOCATOR(device_malloc_allocator) COALINT_ALLOCATOR(device_new_allocator) COALINT_ALLOCATOR(universal_allocator)
#undef COALINT_ALLOCATOR
template <class T_> device_ptr<T_> device_pointer_cast(T_* p) { return device_ptr<T_>(p); }
template <class T_> T_* raw_pointer_cast(T_* p) { return p; }
template <class T_> T_* raw_pointer_cast(const device_ptr<T_>& p) { return p.target; }
template <class T_> T_& raw_reference_cast(T_& v) { return v; }
template <class T_> device_ptr<T_> device_malloc(size_t) COALINT_HOST_ONLY
template <class T_> void device_free(device_ptr<T_>) COALINT_HOST_ONLY

template <class T_, class A_ = ::std::allocator<T_>> struct host_vector : ::std::vector<T_> {
    using ::std::vector<T_>::vector;
    host_vector() = default;
    template <class V_> host_vector(const V_&) COALINT_HOST_ONLY
    template <class N_, class V_> host_vector(N_ n, const V_&) COALINT_HOST_ONLY
    A_ get_allocator() const;
    template <class V_> host_vector& operator=(const V_&) COALINT_HOST_ONLY
};
template <class T_, class A_ = ::std::allocator<T_>> class device_vector {
    T_* first_;
    size_t size_;

  public:
    typedef T_ value_type; typedef device_ptr<T_> iterator; typedef device_ptr<const T_> const_iterator; typedef device_ptr<T_> pointer; typedef T_& reference; typedef size_t size_type;
    device_vector() {}
    explicit device_vector(size_t n) : size_(n) {}
    device_vector(size_t n, const T_& v) : size_(n) { __coalint_used(v); }
    template <class I_> device_vector(I_, I_) COALINT_HOST_ONLY
    template <class V_, class = typename V_::value_type> device_vector(const V_& v) : size_(v.size()) {}
    device_vector(::std::initializer_list<T_> v) : size_(v.size()) {}
    template <class V_> device_vector& operator=(const V_&) COALINT_HOST_ONLY
    device_ptr<T_> data() const { return device_ptr<T_>(first_); }
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T_& operator[](size_t i) const { return first_[i]; }
    T_& front() const { return first_[0]; }
    T_& back() const { return first_[size_ - 1]; }
    device_ptr<T_> begin() const { return device_ptr<T_>(first_); }
    device_ptr<T_> end() const { return device_ptr<T_>(first_ + size_); }
    void resize(size_t) COALINT_HOST_ONLY
    void resize(size_t, const T_&) COALINT_HOST_ONLY
    void reserve(size_t) COALINT_HOST_ONLY
    void clear() COALINT_HOST_ONLY
    void shrink_to_fit() COALINT_HOST_ONLY
    void push_back(const T_&) COALINT_HOST_ONLY
    void swap(device_vector&) COALINT_HOST_ONLY
    template <class... U_> void assign(U_&&...) COALINT_HOST_ONLY
    template <class... U_> iterator insert(U_&&...) COALINT_HOST_ONLY
    template <class... U_> iterator erase(U_&&...) COALINT_HOST_ONLY
};
template <class T_> using universal_vector = device_vector<T_>;

using ::cuda::counting_iterator;
template <class T_> counting_iterator<T_> make_counting_iterator(T_ v) { return {v}; }
template <class T_> using constant_iterator = ::cuda::constant_iterator<T_>;
template <class T_> constant_iterator<T_> make_constant_iterator(T_ v) { return {v}; }
template <class F_, class I_, class... T_> using transform_iterator = ::cuda::transform_iterator<F_, I_>;
template <class F_, class I_> transform_iterator<F_, I_> make_transform_iterator(I_ it, F_ f) { return {it, f}; }
template <class I_, class F_> struct transform_output_iterator { I_ it; F_ f; };
template <class F_, class I_> transform_output_iterator<I_, F_> make_transform_output_iterator(I_ it, F_ f) { return {it, f}; }
template <class I_, class J_> struct permutation_iterator { I_ first; J_ map; decltype(auto) operator[](ptrdiff_t i) const { return first[map[i]]; } decltype(auto) operator*() const { return first[*map]; } permutation_iterator operator+(ptrdiff_t i) const { return {first, map + i}; } };
template <class I_, class J_> permutation_iterator<I_, J_> make_permutation_iterator(I_ first, J_ map) { return {first, map}; }
template <class T_> struct zip_iterator { T_ parts; };
template <class... T_> zip_iterator<tuple<T_...>> make_zip_iterator(const tuple<T_...>& parts) { return {parts}; }
template <class... T_> zip_iterator<tuple<T_...>> make_zip_iterator(const T_&... parts) { return {tuple<T_...>(parts...)}; }
using cuda::discard_iterator;
template <class I_ = int> discard_iterator make_discard_iterator(I_ = 0) { return {}; }
using ::std::reverse_iterator;
using ::std::make_reverse_iterator;

struct coalint_policy { template <class... A_> coalint_policy on(A_&&... a) const { __coalint_used(a...); return {}; } template <class... A_> coalint_policy operator()(A_&&... a) const { __coalint_used(a...); return {}; } };
inline constexpr coalint_policy device{}, host{}, seq{};
namespace cuda { inline constexpr coalint_policy par{}, par_nosync{}; }
namespace system { using namespace thrust::cuda; }

// What an algorithm yields: an iterator, a pair of them or a value; it becomes what it is used as.
struct coalint_half {
    template <class T_> operator T_() const;
    template <class T_> friend coalint_half operator-(const coalint_half&, const T_&);
    template <class T_> friend ::std::enable_if_t<!__is_base_of(coalint_half, T_), coalint_half> operator-(const T_&, const coalint_half&);
    template <class T_> friend bool operator==(const coalint_half&, const T_&);
    template <class T_> friend bool operator!=(const coalint_half&, const T_&);
#define COALINT_NUMBERS(result, ...) template <class T_> friend ::std::enable_if_t<__is_arithmetic(T_), result> operator __VA_ARGS__;
#define COALINT_BOTH(sign, result) COALINT_NUMBERS(result, sign(const T_&, const coalint_half&)) COALINT_NUMBERS(result, sign(const coalint_half&, const T_&))
    COALINT_BOTH(*, T_) COALINT_BOTH(/, T_) COALINT_BOTH(<, bool) COALINT_BOTH(>, bool) COALINT_BOTH(<=, bool) COALINT_BOTH(>=, bool)
    COALINT_NUMBERS(T_, +(const T_&, const coalint_half&))
    COALINT_NUMBERS(T_&, +=(T_&, const coalint_half&)) COALINT_NUMBERS(T_&, -=(T_&, const coalint_half&)) COALINT_NUMBERS(T_&, *=(T_&, const coalint_half&))
#undef COALINT_BOTH
#undef COALINT_NUMBERS
    coalint_half& operator*() const;
    template <class I_> coalint_half operator+(const I_&) const;
};
struct coalint_result : coalint_half { coalint_half first, second, x, y, z, w; };
#define COALINT_ALGORITHM(name) template <class... A_> coalint_result name(A_&&...);
COALINT_ALGORITHM(for_each) COALINT_ALGORITHM(for_each_n) COALINT_ALGORITHM(transform) COALINT_ALGORITHM(transform_if) COALINT_ALGORITHM(reduce) COALINT_ALGORITHM(transform_reduce)
COALINT_ALGORITHM(inner_product) COALINT_ALGORITHM(inclusive_scan) COALINT_ALGORITHM(exclusive_scan) COALINT_ALGORITHM(inclusive_scan_by_key) COALINT_ALGORITHM(exclusive_scan_by_key)
COALINT_ALGORITHM(transform_inclusive_scan) COALINT_ALGORITHM(transform_exclusive_scan) COALINT_ALGORITHM(reduce_by_key) COALINT_ALGORITHM(sort) COALINT_ALGORITHM(sort_by_key)
COALINT_ALGORITHM(stable_sort) COALINT_ALGORITHM(stable_sort_by_key) COALINT_ALGORITHM(is_sorted) COALINT_ALGORITHM(copy) COALINT_ALGORITHM(copy_n) COALINT_ALGORITHM(copy_if)
COALINT_ALGORITHM(fill) COALINT_ALGORITHM(fill_n) COALINT_ALGORITHM(sequence) COALINT_ALGORITHM(tabulate) COALINT_ALGORITHM(generate) COALINT_ALGORITHM(gather) COALINT_ALGORITHM(gather_if)
COALINT_ALGORITHM(scatter) COALINT_ALGORITHM(scatter_if) COALINT_ALGORITHM(unique) COALINT_ALGORITHM(unique_copy) COALINT_ALGORITHM(unique_by_key) COALINT_ALGORITHM(unique_by_key_copy)
COALINT_ALGORITHM(remove) COALINT_ALGORITHM(remove_if) COALINT_ALGORITHM(remove_copy_if) COALINT_ALGORITHM(replace) COALINT_ALGORITHM(replace_if) COALINT_ALGORITHM(partition)
COALINT_ALGORITHM(stable_partition) COALINT_ALGORITHM(find) COALINT_ALGORITHM(find_if) COALINT_ALGORITHM(find_if_not) COALINT_ALGORITHM(mismatch) COALINT_ALGORITHM(shuffle) COALINT_ALGORITHM(merge_by_key) COALINT_ALGORITHM(partition_copy) COALINT_ALGORITHM(partition_point) COALINT_ALGORITHM(set_symmetric_difference) COALINT_ALGORITHM(uninitialized_copy_n) COALINT_ALGORITHM(uninitialized_fill_n) COALINT_ALGORITHM(generate_n) COALINT_ALGORITHM(reverse_copy) COALINT_ALGORITHM(replace_copy_if) COALINT_ALGORITHM(count) COALINT_ALGORITHM(count_if) COALINT_ALGORITHM(equal)
COALINT_ALGORITHM(max_element) COALINT_ALGORITHM(min_element) COALINT_ALGORITHM(minmax_element) COALINT_ALGORITHM(lower_bound) COALINT_ALGORITHM(upper_bound) COALINT_ALGORITHM(binary_search)
COALINT_ALGORITHM(merge) COALINT_ALGORITHM(set_intersection) COALINT_ALGORITHM(set_union) COALINT_ALGORITHM(set_difference) COALINT_ALGORITHM(adjacent_difference) COALINT_ALGORITHM(reverse)
COALINT_ALGORITHM(all_of) COALINT_ALGORITHM(any_of) COALINT_ALGORITHM(none_of) COALINT_ALGORITHM(swap_ranges) COALINT_ALGORITHM(uninitialized_fill) COALINT_ALGORITHM(uninitialized_copy)
#undef COALINT_ALGORITHM
template <class I_, class J_> ptrdiff_t distance(I_ first, J_ last) { return last - first; }
template <class I_> I_ next(I_ it, ptrdiff_t n = 1) { return it + n; }
template <class I_> I_ prev(I_ it, ptrdiff_t n = 1) { return it - n; }
template <class I_> void advance(I_& it, ptrdiff_t n) { it = it + n; }

struct system_error : ::std::runtime_error { using ::std::runtime_error::runtime_error; };
struct error_code {};
namespace random {
// Engines are one number that each call reads and writes; how it is made of the one before is not followed.
template <class T_, T_ a_, T_ c_, T_ m_> struct linear_congruential_engine {
    typedef T_ result_type; T_ m_x;
    static const T_ min = c_ == 0 ? 1 : 0; static const T_ max = m_ - 1; static const T_ multiplier = a_; static const T_ increment = c_; static const T_ modulus = m_; static const T_ default_seed = 1;
    explicit linear_congruential_engine(T_ s = 1) : m_x(s) {}
    void seed(T_ s = 1) { m_x = s; }
    T_ operator()() { m_x = __coalint_computed(m_x); return m_x; }
    void discard(unsigned long long z) { m_x = __coalint_computed(m_x + (T_)z); }
    bool operator==(const linear_congruential_engine& v) const { return m_x == v.m_x; }
};
typedef linear_congruential_engine<unsigned int, 48271, 0, 2147483647> minstd_rand; typedef linear_congruential_engine<unsigned int, 16807, 0, 2147483647> minstd_rand0;
typedef minstd_rand default_random_engine;
#define COALINT_ENGINE(name, T_, words_) struct name { typedef T_ result_type; T_ coalint_state[words_]; explicit name(T_ s = 1); void seed(T_ s = 1); T_ operator()(); void discard(unsigned long long); };
COALINT_ENGINE(taus88, unsigned int, 3) COALINT_ENGINE(ranlux24, unsigned int, 27) COALINT_ENGINE(ranlux48, unsigned long, 14)
#undef COALINT_ENGINE
template <class T_> struct coalint_distribution {
    typedef T_ result_type; T_ m_first; T_ m_second;
    coalint_distribution(T_ a, T_ b) : m_first(a), m_second(b) {}
    template <class G_> T_ operator()(G_& g) { return __coalint_computed((T_)g() + m_first + m_second); }
    void reset() {}
};
template <class T_ = double> struct uniform_real_distribution : coalint_distribution<T_> { explicit uniform_real_distribution(T_ a = 0, T_ b = 1) : coalint_distribution<T_>(a, b) {} T_ a() const { return this->m_first; } T_ b() const { return this->m_second; } };
template <class T_ = int> struct uniform_int_distribution : coalint_distribution<T_> { explicit uniform_int_distribution(T_ a = 0, T_ b = 2147483647) : coalint_distribution<T_>(a, b) {} T_ a() const { return this->m_first; } T_ b() const { return this->m_second; } };
template <class T_ = double> struct normal_distribution : coalint_distribution<T_> { explicit normal_distribution(T_ a = 0, T_ b = 1) : coalint_distribution<T_>(a, b) {} T_ mean() const { return this->m_first; } T_ stddev() const { return this->m_second; } };
}
using namespace random;
namespace detail { template <class T_> using remove_reference = ::std::remove_reference<T_>; }
struct use_default {};
using ::std::random_access_iterator_tag; using ::std::forward_iterator_tag; using ::std::input_iterator_tag; using ::std::output_iterator_tag;
typedef ::std::random_access_iterator_tag random_access_device_iterator_tag; typedef ::std::input_iterator_tag input_device_iterator_tag;
struct any_system_tag {}; struct device_system_tag {}; struct host_system_tag {}; typedef ::std::random_access_iterator_tag random_access_traversal_tag;
namespace detail { template <class, class, class, class> struct iterator_facade_category { typedef ::std::random_access_iterator_tag type; }; }
class iterator_core_access {};
// What an iterator class derives from: it moves and reads through the functions that the class itself defines.
template <class D_, class V_, class S_ = use_default, class C_ = use_default, class R_ = V_&, class N_ = ptrdiff_t> struct iterator_facade {
    typedef V_ value_type; typedef R_ reference; typedef N_ difference_type; typedef V_* pointer; typedef ::std::random_access_iterator_tag iterator_category;
    D_& derived() { return *static_cast<D_*>(this); }
    const D_& derived() const { return *static_cast<const D_*>(this); }
    R_ operator*() const { return derived().dereference(); }
    R_ operator[](N_ n) const { return *(derived() + n); }
    D_& operator++() { derived().increment(); return derived(); }
    D_& operator--() { derived().decrement(); return derived(); }
    D_& operator+=(N_ n) { derived().advance(n); return derived(); }
    D_& operator-=(N_ n) { derived().advance(-n); return derived(); }
    D_ operator+(N_ n) const { D_ it = derived(); it.advance(n); return it; }
    D_ operator-(N_ n) const { D_ it = derived(); it.advance(-n); return it; }
    bool operator==(const D_& v) const { return derived().equal(v); }
    bool operator!=(const D_& v) const { return !derived().equal(v); }
};
template <class D_, class B_, class V_ = use_default, class S_ = use_default, class C_ = use_default, class R_ = use_default, class N_ = use_default> struct iterator_adaptor {
    typedef iterator_adaptor super_t; typedef V_ value_type; typedef R_ reference; typedef ptrdiff_t difference_type; typedef V_* pointer; typedef ::std::random_access_iterator_tag iterator_category; typedef B_ base_type;
    B_ base_;
    iterator_adaptor() = default;
    explicit iterator_adaptor(const B_& v) : base_(v) {}
    const B_& base() const { return base_; }
    const B_& base_reference() const { return base_; }
    B_& base_reference() { return base_; }
    void advance(ptrdiff_t n) { base_ += n; }
    D_& derived() { return *static_cast<D_*>(this); }
    const D_& derived() const { return *static_cast<const D_*>(this); }
    decltype(auto) operator*() const { return derived().dereference(); }
    decltype(auto) operator[](ptrdiff_t n) const { return *(derived() + n); }
    D_& operator++() { ++base_; return derived(); }
    D_& operator--() { --base_; return derived(); }
    D_& operator+=(ptrdiff_t n) { derived().advance(n); return derived(); }
    D_& operator-=(ptrdiff_t n) { derived().advance(-n); return derived(); }
    D_ operator+(ptrdiff_t n) const { D_ it = derived(); it.advance(n); return it; }
    D_ operator-(ptrdiff_t n) const { D_ it = derived(); it.advance(-n); return it; }
    ptrdiff_t operator-(const D_& v) const { return base_ - v.base(); }
    bool operator==(const D_& v) const { return base_ == v.base(); }
    bool operator!=(const D_& v) const { return !(base_ == v.base()); }
};
}  // namespace thrust

COALINT_HOST_DEVICE_END
