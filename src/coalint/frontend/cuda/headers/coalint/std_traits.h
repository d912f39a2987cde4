// std's compile-time half: type traits, sequences, numeric_limits, move and forward.
#pragma once

// What libstdc++ of GCC 11.4 calls itself: programs ask which standard library they have, and refuse one without a name.
#define __GLIBCXX__ 20230528
#define _GLIBCXX_RELEASE 11

COALINT_HOST_DEVICE_BEGIN

namespace std {
using ::size_t;
using ::ptrdiff_t;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::int_least8_t; using ::int_least16_t; using ::int_least32_t; using ::int_least64_t;
using ::uint_least8_t; using ::uint_least16_t; using ::uint_least32_t; using ::uint_least64_t;
using ::int_fast8_t; using ::int_fast16_t; using ::int_fast32_t; using ::int_fast64_t;
using ::uint_fast8_t; using ::uint_fast16_t; using ::uint_fast32_t; using ::uint_fast64_t;
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;
typedef decltype(nullptr) nullptr_t;
enum class byte : unsigned char {};
struct alignas(16) max_align_t { long long integer; char real[16]; };

template <class T_, T_ value_> struct integral_constant {
    static constexpr T_ value = value_;
    typedef T_ value_type;
    typedef integral_constant type;
    constexpr operator T_() const noexcept { return value_; }
    constexpr T_ operator()() const noexcept { return value_; }
};
template <bool value_> using bool_constant = integral_constant<bool, value_>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;

template <class T_> struct type_identity { typedef T_ type; };
template <class T_> using type_identity_t = typename type_identity<T_>::type;
template <bool, class T_ = void> struct enable_if {};
template <class T_> struct enable_if<true, T_> { typedef T_ type; };
template <bool condition_, class T_ = void> using enable_if_t = typename enable_if<condition_, T_>::type;
template <bool, class T_, class U_> struct conditional { typedef T_ type; };
template <class T_, class U_> struct conditional<false, T_, U_> { typedef U_ type; };
template <bool condition_, class T_, class U_> using conditional_t = typename conditional<condition_, T_, U_>::type;
template <class...> using void_t = void;

template <class T_, class U_> inline constexpr bool is_same_v = __is_same(T_, U_);
template <class T_, class U_> struct is_same : bool_constant<__is_same(T_, U_)> {};

#define COALINT_TRAIT(name, ...)                                           \
    template <class T_> inline constexpr bool name##_v = __VA_ARGS__;      \
    template <class T_> struct name : bool_constant<name##_v<T_>> {};
COALINT_TRAIT(is_integral, __is_integral(T_))
COALINT_TRAIT(is_floating_point, __is_floating_point(T_))
COALINT_TRAIT(is_arithmetic, __is_arithmetic(T_))
COALINT_TRAIT(is_fundamental, __is_fundamental(T_))
COALINT_TRAIT(is_scalar, __is_scalar(T_))
COALINT_TRAIT(is_signed, __is_signed(T_))
COALINT_TRAIT(is_unsigned, __is_unsigned(T_))
COALINT_TRAIT(is_const, __is_const(T_))
COALINT_TRAIT(is_volatile, __is_volatile(T_))
COALINT_TRAIT(is_pointer, __is_pointer(T_))
COALINT_TRAIT(is_reference, __is_reference(T_))
COALINT_TRAIT(is_lvalue_reference, __is_lvalue_reference(T_))
COALINT_TRAIT(is_rvalue_reference, __is_rvalue_reference(T_))
COALINT_TRAIT(is_void, __is_void(T_))
COALINT_TRAIT(is_null_pointer, __is_same(__remove_cv(T_), decltype(nullptr)))
COALINT_TRAIT(is_array, __is_array(T_))
COALINT_TRAIT(is_function, __is_function(T_))
COALINT_TRAIT(is_enum, __is_enum(T_))
COALINT_TRAIT(is_union, __is_union(T_))
COALINT_TRAIT(is_class, __is_class(T_))
COALINT_TRAIT(is_object, __is_object(T_))
COALINT_TRAIT(is_compound, __is_compound(T_))
COALINT_TRAIT(is_member_pointer, __is_member_pointer(T_))
COALINT_TRAIT(is_empty, __is_empty(T_))
COALINT_TRAIT(is_final, __is_final(T_))
COALINT_TRAIT(is_abstract, __is_abstract(T_))
COALINT_TRAIT(is_polymorphic, __is_polymorphic(T_))
COALINT_TRAIT(is_aggregate, __is_aggregate(T_))
COALINT_TRAIT(is_pod, __is_pod(T_))
COALINT_TRAIT(is_trivial, __is_trivial(T_))
COALINT_TRAIT(is_trivially_copyable, __is_trivially_copyable(T_))
COALINT_TRAIT(is_trivially_destructible, __is_trivially_destructible(T_))
COALINT_TRAIT(is_trivially_default_constructible, __is_trivially_constructible(T_))
COALINT_TRAIT(is_trivially_copy_constructible, __is_trivially_constructible(T_, const T_&))
COALINT_TRAIT(is_standard_layout, __is_standard_layout(T_))
COALINT_TRAIT(is_default_constructible, __is_constructible(T_))
COALINT_TRAIT(is_copy_constructible, __is_constructible(T_, const T_&))
COALINT_TRAIT(is_move_constructible, __is_constructible(T_, T_&&))
COALINT_TRAIT(is_nothrow_default_constructible, __is_nothrow_constructible(T_))
COALINT_TRAIT(is_nothrow_copy_constructible, __is_nothrow_constructible(T_, const T_&))
COALINT_TRAIT(is_nothrow_move_constructible, __is_nothrow_constructible(T_, T_&&))
COALINT_TRAIT(is_nothrow_copy_assignable, __is_nothrow_assignable(T_&, const T_&))
COALINT_TRAIT(is_nothrow_move_assignable, __is_nothrow_assignable(T_&, T_&&))
COALINT_TRAIT(is_nothrow_destructible, __is_nothrow_destructible(T_))
COALINT_TRAIT(is_copy_assignable, __is_assignable(T_&, const T_&))
COALINT_TRAIT(is_move_assignable, __is_assignable(T_&, T_&&))
COALINT_TRAIT(is_destructible, __is_destructible(T_))
#undef COALINT_TRAIT

template <class T_, class U_> inline constexpr bool is_convertible_v = __is_convertible(T_, U_);
template <class T_, class U_> struct is_convertible : bool_constant<__is_convertible(T_, U_)> {};
template <class T_, class U_> inline constexpr bool is_base_of_v = __is_base_of(T_, U_);
template <class T_, class U_> struct is_base_of : bool_constant<__is_base_of(T_, U_)> {};
template <class T_, class U_> inline constexpr bool is_assignable_v = __is_assignable(T_, U_);
template <class T_, class U_> struct is_assignable : bool_constant<__is_assignable(T_, U_)> {};
template <class T_, class... A_> inline constexpr bool is_constructible_v = __is_constructible(T_, A_...);
template <class T_, class... A_> inline constexpr bool is_nothrow_constructible_v = __is_nothrow_constructible(T_, A_...);
template <class T_, class... A_> struct is_nothrow_constructible : bool_constant<__is_nothrow_constructible(T_, A_...)> {};
template <class T_, class... A_> struct is_constructible : bool_constant<__is_constructible(T_, A_...)> {};

#define COALINT_TRANSFORM(name, ...)                              \
    template <class T_> using name##_t = __VA_ARGS__;             \
    template <class T_> struct name { typedef __VA_ARGS__ type; };
COALINT_TRANSFORM(remove_const, __remove_const(T_))
COALINT_TRANSFORM(remove_volatile, __remove_volatile(T_))
COALINT_TRANSFORM(remove_cv, __remove_cv(T_))
COALINT_TRANSFORM(remove_reference, __remove_reference_t(T_))
COALINT_TRANSFORM(remove_cvref, __remove_cvref(T_))
COALINT_TRANSFORM(remove_pointer, __remove_pointer(T_))
COALINT_TRANSFORM(remove_extent, __remove_extent(T_))
COALINT_TRANSFORM(remove_all_extents, __remove_all_extents(T_))
COALINT_TRANSFORM(decay, __decay(T_))
COALINT_TRANSFORM(make_signed, __make_signed(T_))
COALINT_TRANSFORM(make_unsigned, __make_unsigned(T_))
COALINT_TRANSFORM(add_pointer, __add_pointer(T_))
COALINT_TRANSFORM(add_lvalue_reference, __add_lvalue_reference(T_))
COALINT_TRANSFORM(add_rvalue_reference, __add_rvalue_reference(T_))
COALINT_TRANSFORM(add_const, const T_)
COALINT_TRANSFORM(add_volatile, volatile T_)
COALINT_TRANSFORM(add_cv, const volatile T_)
COALINT_TRANSFORM(underlying_type, __underlying_type(T_))
#undef COALINT_TRANSFORM

template <class T_> inline constexpr size_t alignment_of_v = alignof(T_);
template <class T_> struct alignment_of : integral_constant<size_t, alignof(T_)> {};
template <class T_> struct rank : integral_constant<size_t, __array_rank(T_)> {};
template <class T_, unsigned n_ = 0> struct extent : integral_constant<size_t, __array_extent(T_, n_)> {};
template <class T_, unsigned n_ = 0> inline constexpr size_t extent_v = __array_extent(T_, n_);
template <size_t bytes_, size_t align_ = 16> struct aligned_storage {
    struct type { alignas(align_) unsigned char bytes[bytes_]; };
};
template <size_t bytes_, size_t align_ = 16> using aligned_storage_t = typename aligned_storage<bytes_, align_>::type;

template <class T_> __add_rvalue_reference(T_) declval() noexcept;

template <class... T_> struct common_type;
template <class T_> struct common_type<T_> { typedef __decay(T_) type; };
// None where there is no such type: programs ask whether there is one.
template <class, class T_, class... U_> struct coalint_common {};
template <class T_, class U_>
struct coalint_common<decltype((void)(false ? declval<__decay(T_)>() : declval<__decay(U_)>())), T_, U_>
    { typedef __decay(decltype(false ? declval<__decay(T_)>() : declval<__decay(U_)>())) type; };
template <class T_, class U_, class V_, class... W_>
struct coalint_common<decltype((void)declval<typename common_type<T_, U_>::type>()), T_, U_, V_, W_...>
    : common_type<typename common_type<T_, U_>::type, V_, W_...> {};
template <class T_, class U_> struct common_type<T_, U_> : coalint_common<void, T_, U_> {};
template <class T_, class U_, class V_, class... W_> struct common_type<T_, U_, V_, W_...>
    : coalint_common<void, T_, U_, V_, W_...> {};
template <class... T_> using common_type_t = typename common_type<T_...>::type;

template <class, class F_, class... A_> struct coalint_invoked {};
template <class F_, class... A_> struct coalint_invoked<decltype((void)declval<F_>()(declval<A_>()...)), F_, A_...>
    { typedef decltype(declval<F_>()(declval<A_>()...)) type; };
template <class F_, class... A_> struct invoke_result : coalint_invoked<void, F_, A_...> {};
template <class F_, class... A_> using invoke_result_t = typename invoke_result<F_, A_...>::type;
template <class> struct result_of;
template <class F_, class... A_> struct result_of<F_(A_...)> : invoke_result<F_, A_...> {};
template <class F_> using result_of_t = typename result_of<F_>::type;
template <class Void_, class F_, class... A_> struct coalint_invocable : false_type {};
template <class F_, class... A_> struct coalint_invocable<void_t<decltype(declval<F_>()(declval<A_>()...))>, F_, A_...> : true_type {};
template <class F_, class... A_> struct is_invocable : coalint_invocable<void, F_, A_...> {};
template <class F_, class... A_> inline constexpr bool is_invocable_v = is_invocable<F_, A_...>::value;

template <class... T_> struct conjunction : bool_constant<(bool(T_::value) && ...)> {};
template <class... T_> struct disjunction : bool_constant<(bool(T_::value) || ...)> {};
template <class T_> struct negation : bool_constant<!bool(T_::value)> {};
template <class... T_> inline constexpr bool conjunction_v = conjunction<T_...>::value;
template <class... T_> inline constexpr bool disjunction_v = disjunction<T_...>::value;
template <class T_> inline constexpr bool negation_v = negation<T_>::value;

template <class T_, T_... values_> struct integer_sequence {
    typedef T_ value_type;
    static constexpr size_t size() noexcept { return sizeof...(values_); }
};
template <class T_, T_ n_> using make_integer_sequence = __make_integer_seq<integer_sequence, T_, n_>;
template <size_t... values_> using index_sequence = integer_sequence<size_t, values_...>;
template <size_t n_> using make_index_sequence = make_integer_sequence<size_t, n_>;
template <class... T_> using index_sequence_for = make_index_sequence<sizeof...(T_)>;

template <class T_> constexpr __remove_reference_t(T_)&& move(T_&& v) noexcept { return static_cast<__remove_reference_t(T_)&&>(v); }
template <class T_> constexpr T_&& forward(__remove_reference_t(T_)& v) noexcept { return static_cast<T_&&>(v); }
template <class T_> constexpr T_&& move_if_noexcept(T_& v) noexcept { return static_cast<T_&&>(v); }
template <class T_> constexpr T_&& forward(__remove_reference_t(T_)&& v) noexcept { return static_cast<T_&&>(v); }
template <class T_> constexpr const T_& as_const(T_& v) noexcept { return v; }
template <class T_> constexpr T_* addressof(T_& v) noexcept { return __builtin_addressof(v); }
template <class T_> constexpr T_* launder(T_* p) noexcept { return p; }
constexpr bool is_constant_evaluated() noexcept { return __builtin_is_constant_evaluated(); }

template <class T_> class initializer_list {
    const T_* first_;
    size_t size_;

  public:
    typedef T_ value_type;
    typedef const T_* iterator;
    typedef const T_* const_iterator;
    typedef size_t size_type;
    constexpr initializer_list() noexcept : first_(nullptr), size_(0) {}
    constexpr size_t size() const noexcept { return size_; }
    constexpr const T_* begin() const noexcept { return first_; }
    constexpr const T_* end() const noexcept { return first_ + size_; }
};

enum float_round_style { round_indeterminate = -1, round_toward_zero = 0, round_to_nearest = 1, round_toward_infinity = 2, round_toward_neg_infinity = 3 };
enum float_denorm_style { denorm_indeterminate = -1, denorm_absent = 0, denorm_present = 1 };
struct coalint_no_limits {
    static constexpr bool is_specialized = false, is_integer = false, is_exact = false, is_signed = false, is_bounded = false, is_modulo = false;
    static constexpr bool has_infinity = false, has_quiet_NaN = false, has_signaling_NaN = false, is_iec559 = false, has_denorm_loss = false;
    static constexpr bool traps = false, tinyness_before = false;
    static constexpr float_denorm_style has_denorm = denorm_absent;
    static constexpr float_round_style round_style = round_toward_zero;
    static constexpr int digits = 0, digits10 = 0, max_digits10 = 0, radix = 0, min_exponent = 0, min_exponent10 = 0, max_exponent = 0, max_exponent10 = 0;
};
template <class T_> struct coalint_integer_limits : coalint_no_limits {
    static constexpr bool is_specialized = true, is_integer = true, is_exact = true, is_signed = __is_signed(T_);
    static constexpr bool is_bounded = true, is_modulo = !is_signed, traps = true;
    static constexpr int digits = int(sizeof(T_) * 8) - int(is_signed), digits10 = digits * 3 / 10, radix = 2;
    static constexpr T_ max() noexcept { return T_(is_signed ? T_((1ULL << (sizeof(T_) * 8 - 1)) - 1) : T_(~0ULL)); }
    static constexpr T_ min() noexcept { return T_(is_signed ? T_(-max() - 1) : T_(0)); }
    static constexpr T_ lowest() noexcept { return min(); }
    static constexpr T_ infinity() noexcept { return T_(0); }
    static constexpr T_ quiet_NaN() noexcept { return T_(0); }
    static constexpr T_ signaling_NaN() noexcept { return T_(0); }
    static constexpr T_ denorm_min() noexcept { return T_(0); }
    static constexpr T_ epsilon() noexcept { return T_(0); }
    static constexpr T_ round_error() noexcept { return T_(0); }
};
template <class T_> struct coalint_default_limits : coalint_no_limits {
    static constexpr T_ max() noexcept { return T_(); }
    static constexpr T_ min() noexcept { return T_(); }
    static constexpr T_ lowest() noexcept { return T_(); }
    static constexpr T_ infinity() noexcept { return T_(); }
    static constexpr T_ quiet_NaN() noexcept { return T_(); }
    static constexpr T_ signaling_NaN() noexcept { return T_(); }
    static constexpr T_ denorm_min() noexcept { return T_(); }
    static constexpr T_ epsilon() noexcept { return T_(); }
    static constexpr T_ round_error() noexcept { return T_(); }
};
template <class T_> struct numeric_limits : conditional_t<__is_integral(T_), coalint_integer_limits<conditional_t<__is_integral(T_), T_, int>>, coalint_default_limits<T_>> {};
template <class T_> struct numeric_limits<const T_> : numeric_limits<T_> {};
template <> struct numeric_limits<bool> : coalint_integer_limits<unsigned char> {
    static constexpr bool max() noexcept { return true; }
    static constexpr bool min() noexcept { return false; }
    static constexpr bool lowest() noexcept { return false; }
};
#define COALINT_FLOAT_LIMITS(T_, prefix, infinity_, nan_)                                                    \
    template <> struct numeric_limits<T_> : coalint_no_limits {                                              \
        static constexpr bool is_specialized = true, is_signed = true, is_bounded = true;                    \
        static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true, is_iec559 = true; \
        static constexpr float_denorm_style has_denorm = denorm_present;                                     \
        static constexpr float_round_style round_style = round_to_nearest;                                   \
        static constexpr int min_exponent = __##prefix##_MIN_EXP__, max_exponent = __##prefix##_MAX_EXP__;   \
        static constexpr int min_exponent10 = __##prefix##_MIN_10_EXP__, max_exponent10 = __##prefix##_MAX_10_EXP__; \
        static constexpr T_ round_error() noexcept { return static_cast<T_>(0.5); }                          \
        static constexpr int digits = __##prefix##_MANT_DIG__, digits10 = __##prefix##_DIG__, radix = 2;     \
        static constexpr int max_digits10 = __##prefix##_DECIMAL_DIG__;                                      \
        static constexpr T_ max() noexcept { return __##prefix##_MAX__; }                                    \
        static constexpr T_ min() noexcept { return __##prefix##_MIN__; }                                    \
        static constexpr T_ lowest() noexcept { return -__##prefix##_MAX__; }                                \
        static constexpr T_ epsilon() noexcept { return __##prefix##_EPSILON__; }                            \
        static constexpr T_ infinity() noexcept { return infinity_; }                                        \
        static constexpr T_ quiet_NaN() noexcept { return nan_; }                                            \
        static constexpr T_ signaling_NaN() noexcept { return nan_; }                                        \
        static constexpr T_ denorm_min() noexcept { return __##prefix##_DENORM_MIN__; }                      \
    };
COALINT_FLOAT_LIMITS(float, FLT, __builtin_huge_valf(), __builtin_nanf(""))
COALINT_FLOAT_LIMITS(double, DBL, __builtin_huge_val(), __builtin_nan(""))
COALINT_FLOAT_LIMITS(long double, LDBL, __builtin_huge_vall(), __builtin_nanl(""))
#undef COALINT_FLOAT_LIMITS
}  // namespace std

COALINT_HOST_DEVICE_END
