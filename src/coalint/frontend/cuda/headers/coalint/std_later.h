// What C++20 added that kernels' projects name: concepts, comparison categories, numbers, filesystem paths, system errors.
#pragma once

COALINT_HOST_DEVICE_BEGIN

namespace std {
#if __cplusplus >= 202002L
template <class T_, class U_> concept same_as = __is_same(T_, U_);
template <class T_, class U_> concept convertible_to = __is_convertible(T_, U_);
template <class T_, class U_> concept derived_from = __is_base_of(U_, T_);
template <class T_> concept integral = __is_integral(T_);
template <class T_> concept signed_integral = __is_integral(T_) && __is_signed(T_);
template <class T_> concept unsigned_integral = __is_integral(T_) && __is_unsigned(T_);
template <class T_> concept floating_point = __is_floating_point(T_);
template <class F_, class... A_> concept invocable = is_invocable_v<F_, A_...>;
template <class F_, class... A_> concept regular_invocable = is_invocable_v<F_, A_...>;
template <class T_, class... A_> concept constructible_from = __is_constructible(T_, A_...);
template <class T_> concept default_initializable = __is_constructible(T_);
template <class T_> concept copy_constructible = __is_constructible(T_, const T_&);
template <class T_> concept move_constructible = __is_constructible(T_, T_&&);
template <class T_> concept destructible = true;
template <class T_> concept copyable = copy_constructible<T_>;
template <class T_> concept semiregular = copyable<T_> && default_initializable<T_>;
template <class T_> concept equality_comparable = requires(const T_& a, const T_& b) { a == b; };
template <class T_> concept totally_ordered = requires(const T_& a, const T_& b) { a < b; };
template <class T_> concept regular = semiregular<T_> && equality_comparable<T_>;
struct partial_ordering { signed char value; static const partial_ordering less, equivalent, greater, unordered; friend constexpr bool operator<(partial_ordering a, int) { return a.value < 0; } friend constexpr bool operator>(partial_ordering a, int) { return a.value > 0; } friend constexpr bool operator==(partial_ordering a, int) { return a.value == 0; } };
struct strong_ordering { signed char value; static const strong_ordering less, equal, equivalent, greater; friend constexpr bool operator<(strong_ordering a, int) { return a.value < 0; } friend constexpr bool operator>(strong_ordering a, int) { return a.value > 0; } friend constexpr bool operator==(strong_ordering a, int) { return a.value == 0; } constexpr operator partial_ordering() const { return {value}; } };
inline constexpr partial_ordering partial_ordering::less{-1}, partial_ordering::equivalent{0}, partial_ordering::greater{1}, partial_ordering::unordered{2};
inline constexpr strong_ordering strong_ordering::less{-1}, strong_ordering::equal{0}, strong_ordering::equivalent{0}, strong_ordering::greater{1};
#endif
namespace numbers {
template <class T_> inline constexpr T_ pi_v = T_(3.14159265358979323846);
template <class T_> inline constexpr T_ e_v = T_(2.7182818284590452354);
template <class T_> inline constexpr T_ sqrt2_v = T_(1.41421356237309504880);
template <class T_> inline constexpr T_ ln2_v = T_(0.69314718055994530942);
inline constexpr double pi = pi_v<double>, e = e_v<double>, sqrt2 = sqrt2_v<double>, ln2 = ln2_v<double>;
}  // namespace numbers
template <class T_, class U_> constexpr enable_if_t<sizeof(T_) == sizeof(U_), T_> bit_cast(const U_& v) { return __builtin_bit_cast(T_, v); }
template <class T_> constexpr int popcount(T_ v) { return __builtin_popcountll(v); }
template <class T_> constexpr int countl_zero(T_ v) { return v == 0 ? int(8 * sizeof(T_)) : __builtin_clzll(v) - int(64 - 8 * sizeof(T_)); }
template <class T_> constexpr int countr_zero(T_ v) { return v == 0 ? int(8 * sizeof(T_)) : __builtin_ctzll(v); }
template <class T_> constexpr int countl_one(T_ v) { return countl_zero(T_(~v)); }
template <class T_> constexpr int countr_one(T_ v) { return countr_zero(T_(~v)); }
template <class T_> constexpr int bit_width(T_ v) { return int(8 * sizeof(T_)) - countl_zero(v); }
template <class T_> constexpr T_ bit_floor(T_ v) { return v == 0 ? 0 : T_(T_(1) << (bit_width(v) - 1)); }
template <class T_> constexpr T_ rotl(T_ v, int n) { return T_(v << n | v >> (8 * sizeof(T_) - n)); }
template <class T_> constexpr T_ rotr(T_ v, int n) { return T_(v >> n | v << (8 * sizeof(T_) - n)); }
template <size_t n_, class T_> constexpr T_* assume_aligned(T_* p) { return p; }
template <class T_> constexpr bool has_single_bit(T_ v) { return v && !(v & (v - 1)); }
template <class T_> constexpr T_ bit_ceil(T_ v) { T_ r = 1; while (r < v) r <<= 1; return r; }
template <class... A_> string format(const char*, A_&&...) COALINT_HOST_ONLY

struct error_code { int value() const; string message() const; explicit operator bool() const; };
struct system_error : runtime_error { system_error(error_code); system_error(int, const string&); error_code code() const; };
struct source_location { static constexpr source_location current() { return {}; } unsigned int line() const; const char* file_name() const; const char* function_name() const; };
namespace filesystem {
struct path {
    path(); path(const char*); path(const std::string&);
    std::string string() const; const char* c_str() const; path filename() const; path stem() const; path extension() const; path parent_path() const;
    path operator/(const path&) const; path& operator/=(const path&); bool empty() const; bool operator==(const path&) const;
};
bool exists(const path&); bool is_directory(const path&); bool is_regular_file(const path&); bool create_directory(const path&); bool create_directories(const path&);
bool remove(const path&); unsigned long file_size(const path&); path current_path(); path absolute(const path&); path temp_directory_path();
}  // namespace filesystem
namespace execution { struct coalint_policy {}; inline constexpr coalint_policy seq{}, par{}, par_unseq{}, unseq{}; }
struct type_index { type_index(const type_info&); bool operator<(const type_index&) const; bool operator==(const type_index&) const; size_t hash_code() const; const char* name() const; };
struct from_chars_result { const char* ptr; int ec; };
template <class T_> from_chars_result from_chars(const char*, const char*, T_&, int = 10) COALINT_HOST_ONLY
}  // namespace std

COALINT_HOST_DEVICE_END
