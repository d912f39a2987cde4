// Traits without a type where there is none, so that programs may ask: an error there would end what asks.
#include <type_traits>
struct A {};
struct B : A {};
struct F { double operator()(int); };
template <class X, class Y, class = void> struct has_common : std::false_type {};
template <class X, class Y> struct has_common<X, Y, std::void_t<std::common_type_t<X, Y>>> : std::true_type {};
template <class X, class = void> struct has_common_of_three : std::false_type {};
template <class X> struct has_common_of_three<X, std::void_t<std::common_type_t<int, X, double>>> : std::true_type {};
template <class X, class Y, class = void> struct can_call : std::false_type {};
template <class X, class Y> struct can_call<X, Y, std::void_t<std::invoke_result_t<X, Y>>> : std::true_type {};
static_assert(!has_common<int, A>::value && has_common<int, float>::value && has_common<A, B>::value, "");
static_assert(!has_common_of_three<A>::value && has_common_of_three<long>::value, "");
static_assert(can_call<F, int>::value && !can_call<F, A>::value && !can_call<int, int>::value, "");
static_assert(std::is_same<std::common_type_t<int, char, double>, double>::value, "");
static_assert(std::is_same<std::common_type_t<const int &>, int>::value, "");
static_assert(std::is_same<std::common_type_t<A, const B &>, A>::value, "");
static_assert(std::is_same<std::invoke_result_t<F, char>, double>::value, "");
// Operators whose results ask, for operands of which one has no common type with the elements.
template <class T> struct vec {
    T a[3];
    template <class U, class R = std::common_type_t<T, U>> __device__ friend vec<R> operator/(const vec &v, U u) {
        return {{v.a[0] / u, v.a[1] / u, v.a[2] / u}};
    }
    template <class U, class R = std::common_type_t<T, U>> __device__ friend vec<R> operator/(U u, const vec &v) {
        return {{u / v.a[0], u / v.a[1], u / v.a[2]}};
    }
};
__device__ vec<int> halved(vec<int> v) { return v / 2; }
