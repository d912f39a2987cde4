// GLM: vectors, matrices (columns of vectors) and quaternions, laid out as the library does by default, packed and in order.
#pragma once

#include "coalint/std_core.h"

COALINT_HOST_DEVICE_BEGIN

namespace glm {
typedef int length_t;
enum qualifier { packed_highp, packed_mediump, packed_lowp, highp = packed_highp, mediump = packed_mediump, lowp = packed_lowp, defaultp = packed_highp };
template <length_t n_, class T_, qualifier q_ = defaultp> struct vec;
#define COALINT_MEMBERS(n) \
    typedef T_ value_type; typedef vec type; typedef vec<n, bool, q_> bool_type; \
    static constexpr length_t length() { return n; } \
    constexpr vec() = default; \
    T_& operator[](length_t i) { return (&x)[i]; } \
    const T_& operator[](length_t i) const { return (&x)[i]; } \
    template <class U_> vec& operator+=(const U_& v) { return *this = *this + vec(v); } \
    template <class U_> vec& operator-=(const U_& v) { return *this = *this - vec(v); } \
    template <class U_> vec& operator*=(const U_& v) { return *this = *this * vec(v); } \
    template <class U_> vec& operator/=(const U_& v) { return *this = *this / vec(v); } \
    template <class U_> vec& operator%=(const U_& v) { return *this = *this % vec(v); } \
    template <class U_> vec& operator&=(const U_& v) { return *this = *this & vec(v); } \
    template <class U_> vec& operator|=(const U_& v) { return *this = *this | vec(v); } \
    template <class U_> vec& operator^=(const U_& v) { return *this = *this ^ vec(v); } \
    template <class U_> vec& operator<<=(const U_& v) { return *this = *this << vec(v); } \
    template <class U_> vec& operator>>=(const U_& v) { return *this = *this >> vec(v); } \
    vec& operator++() { return *this += T_(1); } \
    vec& operator--() { return *this -= T_(1); }
template <class T_, qualifier q_> struct vec<1, T_, q_> {
    union { T_ x, r; };
    COALINT_MEMBERS(1)
    template <class U_, qualifier r_> constexpr vec(const vec<1, U_, r_>& v) : x(T_(v.x)) {}
    template <class A_, class = ::std::enable_if_t<__is_arithmetic(A_)>> constexpr explicit vec(A_ v) : x(T_(v)) {}
};
template <class T_, qualifier q_> struct vec<2, T_, q_> {
    union { T_ x, r, s; }; union { T_ y, g, t; };
    COALINT_MEMBERS(2)
    template <class U_, qualifier r_> constexpr vec(const vec<2, U_, r_>& v) : x(T_(v.x)), y(T_(v.y)) {}
    template <class A_, class = ::std::enable_if_t<__is_arithmetic(A_)>> constexpr explicit vec(A_ v) : x(T_(v)), y(T_(v)) {}
    template <class A_, class B_> constexpr vec(A_ a, B_ b) : x(T_(a)), y(T_(b)) {}
    template <class U_, qualifier r_> constexpr explicit vec(const vec<3, U_, r_>& v) : x(T_(v.x)), y(T_(v.y)) {}
    template <class U_, qualifier r_> constexpr explicit vec(const vec<4, U_, r_>& v) : x(T_(v.x)), y(T_(v.y)) {}
};
template <class T_, qualifier q_> struct vec<3, T_, q_> {
    union { T_ x, r, s; }; union { T_ y, g, t; }; union { T_ z, b, p; };
    COALINT_MEMBERS(3)
    template <class U_, qualifier r_> constexpr vec(const vec<3, U_, r_>& v) : x(T_(v.x)), y(T_(v.y)), z(T_(v.z)) {}
    template <class A_, class = ::std::enable_if_t<__is_arithmetic(A_)>> constexpr explicit vec(A_ v) : x(T_(v)), y(T_(v)), z(T_(v)) {}
    template <class A_, class B_, class C_> constexpr vec(A_ a, B_ b, C_ c) : x(T_(a)), y(T_(b)), z(T_(c)) {}
    template <class U_, qualifier r_, class C_> constexpr vec(const vec<2, U_, r_>& v, C_ c) : x(T_(v.x)), y(T_(v.y)), z(T_(c)) {}
    template <class U_, qualifier r_> constexpr explicit vec(const vec<4, U_, r_>& v) : x(T_(v.x)), y(T_(v.y)), z(T_(v.z)) {}
};
template <class T_, qualifier q_> struct vec<4, T_, q_> {
    union { T_ x, r, s; }; union { T_ y, g, t; }; union { T_ z, b, p; }; union { T_ w, a, q; };
    COALINT_MEMBERS(4)
    template <class U_, qualifier r_> constexpr vec(const vec<4, U_, r_>& v) : x(T_(v.x)), y(T_(v.y)), z(T_(v.z)), w(T_(v.w)) {}
    template <class A_, class = ::std::enable_if_t<__is_arithmetic(A_)>> constexpr explicit vec(A_ v) : x(T_(v)), y(T_(v)), z(T_(v)), w(T_(v)) {}
    template <class A_, class B_, class C_, class D_> constexpr vec(A_ a, B_ b, C_ c, D_ d) : x(T_(a)), y(T_(b)), z(T_(c)), w(T_(d)) {}
    template <class U_, qualifier r_, class D_> constexpr vec(const vec<3, U_, r_>& v, D_ d) : x(T_(v.x)), y(T_(v.y)), z(T_(v.z)), w(T_(d)) {}
    template <class U_, class V_, qualifier r_> constexpr vec(const vec<2, U_, r_>& v, const vec<2, V_, r_>& u) : x(T_(v.x)), y(T_(v.y)), z(T_(u.x)), w(T_(u.y)) {}
};
#undef COALINT_MEMBERS
// Component by component without loops, as the library has it: F(x), F(y)... for a vector of any length.
#define COALINT_COMPONENTS(F, ...) \
    typedef vec<n_, T_, q_> V_; \
    if constexpr (n_ == 1) return V_(F(x, __VA_ARGS__)); \
    else if constexpr (n_ == 2) return V_(F(x, __VA_ARGS__), F(y, __VA_ARGS__)); \
    else if constexpr (n_ == 3) return V_(F(x, __VA_ARGS__), F(y, __VA_ARGS__), F(z, __VA_ARGS__)); \
    else return V_(F(x, __VA_ARGS__), F(y, __VA_ARGS__), F(z, __VA_ARGS__), F(w, __VA_ARGS__))
#define COALINT_BOTH(m, sign) a.m sign b.m
#define COALINT_FIRST(m, sign) a.m sign b
#define COALINT_SECOND(m, sign) a sign b.m
#define COALINT_MINUS(m, sign) sign a.m
#define COALINT_CALL(m, name) ::name(a.m)
#define COALINT_CALL_BOTH(m, name) name(a.m, b.m)
#define COALINT_CALL_FIRST(m, name) name(a.m, b)
#define COALINT_OPERATOR(sign) \
    template <length_t n_, class T_, qualifier q_> constexpr vec<n_, T_, q_> operator sign(const vec<n_, T_, q_>& a, const vec<n_, T_, q_>& b) { COALINT_COMPONENTS(COALINT_BOTH, sign); } \
    template <length_t n_, class T_, qualifier q_> constexpr vec<n_, T_, q_> operator sign(const vec<n_, T_, q_>& a, ::std::type_identity_t<T_> b) { COALINT_COMPONENTS(COALINT_FIRST, sign); } \
    template <length_t n_, class T_, qualifier q_> constexpr vec<n_, T_, q_> operator sign(::std::type_identity_t<T_> a, const vec<n_, T_, q_>& b) { COALINT_COMPONENTS(COALINT_SECOND, sign); }
COALINT_OPERATOR(+) COALINT_OPERATOR(-) COALINT_OPERATOR(*) COALINT_OPERATOR(/) COALINT_OPERATOR(%) COALINT_OPERATOR(&) COALINT_OPERATOR(|) COALINT_OPERATOR(^) COALINT_OPERATOR(<<) COALINT_OPERATOR(>>)
#undef COALINT_OPERATOR
template <length_t n_, class T_, qualifier q_> constexpr vec<n_, T_, q_> operator-(const vec<n_, T_, q_>& a) { COALINT_COMPONENTS(COALINT_MINUS, -); }
template <length_t n_, class T_, qualifier q_> constexpr bool operator==(const vec<n_, T_, q_>& a, const vec<n_, T_, q_>& b) {
    if constexpr (n_ == 1) return a.x == b.x;
    else if constexpr (n_ == 2) return a.x == b.x && a.y == b.y;
    else if constexpr (n_ == 3) return a.x == b.x && a.y == b.y && a.z == b.z;
    else return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
template <length_t n_, class T_, qualifier q_> constexpr bool operator!=(const vec<n_, T_, q_>& a, const vec<n_, T_, q_>& b) { return !(a == b); }

template <length_t n_, qualifier q_, class T_> constexpr vec<n_, T_, q_> coalint_column(const T_* v) {
    typedef vec<n_, T_, q_> V_;
    if constexpr (n_ == 2) return V_(v[0], v[1]); else if constexpr (n_ == 3) return V_(v[0], v[1], v[2]); else return V_(v[0], v[1], v[2], v[3]);
}

// c_ columns of r_ rows each.
template <length_t c_, length_t r_, class T_, qualifier q_ = defaultp> struct mat {
    typedef vec<r_, T_, q_> col_type; typedef vec<c_, T_, q_> row_type; typedef T_ value_type; typedef mat type; typedef mat<r_, c_, T_, q_> transpose_type;
    col_type columns[c_];
    static constexpr length_t length() { return c_; }
    mat() = default;
    template <class A_, class = ::std::enable_if_t<__is_arithmetic(A_)>> explicit mat(A_ v) {
        columns[0] = col_type(T_(0)); columns[0].x = T_(v);
        columns[1] = col_type(T_(0)); columns[1].y = T_(v);
        if constexpr (c_ > 2) columns[2] = col_type(T_(0));
        if constexpr (c_ > 2 && r_ > 2) columns[2].z = T_(v);
        if constexpr (c_ > 3) columns[3] = col_type(T_(0));
        if constexpr (c_ > 3 && r_ > 3) columns[3].w = T_(v);
    }
    template <class... U_, class = ::std::enable_if_t<sizeof...(U_) == c_ - 2>> mat(const col_type& a, const col_type& b, const U_&... v) : columns{a, b, v...} {}
    template <class A_, class B_, class... U_, class = ::std::enable_if_t<__is_arithmetic(A_) && sizeof...(U_) == c_ * r_ - 2>> mat(A_ a, B_ b, U_... v) {
        const T_ all[] = {T_(a), T_(b), T_(v)...};
        columns[0] = coalint_column<r_, q_>(all);
        columns[1] = coalint_column<r_, q_>(all + r_);
        if constexpr (c_ > 2) columns[2] = coalint_column<r_, q_>(all + 2 * r_);
        if constexpr (c_ > 3) columns[3] = coalint_column<r_, q_>(all + 3 * r_);
    }
    template <length_t d_, length_t s_, class U_, qualifier p_> explicit mat(const mat<d_, s_, U_, p_>& m) { for (int i = 0; i < c_; ++i) for (int j = 0; j < r_; ++j) columns[i][j] = i < d_ && j < s_ ? T_(m[i][j]) : T_(i == j); }
    col_type& operator[](length_t i) { return columns[i]; }
    const col_type& operator[](length_t i) const { return columns[i]; }
    template <class U_> mat& operator+=(const U_& v) { return *this = *this + v; }
    template <class U_> mat& operator-=(const U_& v) { return *this = *this - v; }
    template <class U_> mat& operator*=(const U_& v) { return *this = *this * v; }
    template <class U_> mat& operator/=(const U_& v) { return *this = *this / v; }
};
// Column by column without loops.
#define COALINT_COLUMNS(F, sign) \
    if constexpr (c_ == 2) return M_(F(0, x, sign), F(1, y, sign)); \
    else if constexpr (c_ == 3) return M_(F(0, x, sign), F(1, y, sign), F(2, z, sign)); \
    else return M_(F(0, x, sign), F(1, y, sign), F(2, z, sign), F(3, w, sign))
#define COALINT_BOTH_COLUMNS(i, m, sign) a.columns[i] sign b.columns[i]
#define COALINT_COLUMN(i, m, sign) a.columns[i] sign b
#define COALINT_MINUS_COLUMN(i, m, sign) sign a.columns[i]
#define COALINT_PRODUCT(i, m, sign) a sign b.columns[i]
#define COALINT_OUTER(i, m, sign) a sign b.m
#define COALINT_DOT(i, m, sign) dot(a, b.columns[i])
template <length_t c_, length_t r_, class T_, qualifier q_> mat<c_, r_, T_, q_> operator+(const mat<c_, r_, T_, q_>& a, const mat<c_, r_, T_, q_>& b) { typedef mat<c_, r_, T_, q_> M_; COALINT_COLUMNS(COALINT_BOTH_COLUMNS, +); }
template <length_t c_, length_t r_, class T_, qualifier q_> mat<c_, r_, T_, q_> operator-(const mat<c_, r_, T_, q_>& a, const mat<c_, r_, T_, q_>& b) { typedef mat<c_, r_, T_, q_> M_; COALINT_COLUMNS(COALINT_BOTH_COLUMNS, -); }
template <length_t c_, length_t r_, class T_, qualifier q_> mat<c_, r_, T_, q_> operator-(const mat<c_, r_, T_, q_>& a) { typedef mat<c_, r_, T_, q_> M_; COALINT_COLUMNS(COALINT_MINUS_COLUMN, -); }
template <length_t c_, length_t r_, class T_, qualifier q_> mat<c_, r_, T_, q_> operator*(const mat<c_, r_, T_, q_>& a, ::std::type_identity_t<T_> b) { typedef mat<c_, r_, T_, q_> M_; COALINT_COLUMNS(COALINT_COLUMN, *); }
template <length_t c_, length_t r_, class T_, qualifier q_> mat<c_, r_, T_, q_> operator*(::std::type_identity_t<T_> b, const mat<c_, r_, T_, q_>& a) { return a * b; }
template <length_t c_, length_t r_, class T_, qualifier q_> mat<c_, r_, T_, q_> operator/(const mat<c_, r_, T_, q_>& a, ::std::type_identity_t<T_> b) { typedef mat<c_, r_, T_, q_> M_; COALINT_COLUMNS(COALINT_COLUMN, /); }
template <length_t c_, length_t r_, class T_, qualifier q_> vec<r_, T_, q_> operator*(const mat<c_, r_, T_, q_>& m, const ::std::type_identity_t<vec<c_, T_, q_>>& v) {
    if constexpr (c_ == 2) return m.columns[0] * v.x + m.columns[1] * v.y;
    else if constexpr (c_ == 3) return m.columns[0] * v.x + m.columns[1] * v.y + m.columns[2] * v.z;
    else return m.columns[0] * v.x + m.columns[1] * v.y + m.columns[2] * v.z + m.columns[3] * v.w;
}
template <length_t c_, length_t r_, class T_, qualifier q_> vec<c_, T_, q_> operator*(const vec<r_, T_, q_>& a, const mat<c_, r_, T_, q_>& b) { typedef vec<c_, T_, q_> M_; COALINT_COLUMNS(COALINT_DOT, *); }
template <length_t k_, length_t r_, length_t c_, class T_, qualifier q_> mat<c_, r_, T_, q_> operator*(const mat<k_, r_, T_, q_>& a, const mat<c_, k_, T_, q_>& b) { typedef mat<c_, r_, T_, q_> M_; COALINT_COLUMNS(COALINT_PRODUCT, *); }
template <length_t c_, length_t r_, class T_, qualifier q_> bool operator==(const mat<c_, r_, T_, q_>& a, const mat<c_, r_, T_, q_>& b) { for (int i = 0; i < c_; ++i) if (a[i] != b[i]) return false; return true; }

template <class T_, qualifier q_ = defaultp> struct qua {
    typedef T_ value_type; typedef qua type;
#ifdef GLM_FORCE_QUAT_DATA_WXYZ
    T_ w, x, y, z;
#else
    T_ x, y, z, w;
#endif
    static constexpr length_t length() { return 4; }
    qua() = default;
#ifdef GLM_FORCE_QUAT_DATA_XYZW
    template <class U_> constexpr qua(T_ a, T_ b, T_ c, U_ d) : x(a), y(b), z(c), w(d) {}
#else
    template <class U_> constexpr qua(T_ d, T_ a, T_ b, U_ c) : x(a), y(b), z(c), w(d) {}
#endif
    constexpr qua(T_ s, const vec<3, T_, q_>& v) : x(v.x), y(v.y), z(v.z), w(s) {}
    template <class U_, qualifier p_> constexpr explicit qua(const qua<U_, p_>& v) : x(T_(v.x)), y(T_(v.y)), z(T_(v.z)), w(T_(v.w)) {}
    T_& operator[](length_t i) { return (&x)[i]; }
    const T_& operator[](length_t i) const { return (&x)[i]; }
};
template <class T_, qualifier q_> qua<T_, q_> operator+(const qua<T_, q_>& a, const qua<T_, q_>& b) { return qua<T_, q_>(a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z); }
template <class T_, qualifier q_> qua<T_, q_> operator*(const qua<T_, q_>& a, ::std::type_identity_t<T_> b) { return qua<T_, q_>(a.w * b, a.x * b, a.y * b, a.z * b); }
template <class T_, qualifier q_> qua<T_, q_> operator/(const qua<T_, q_>& a, ::std::type_identity_t<T_> b) { return qua<T_, q_>(a.w / b, a.x / b, a.y / b, a.z / b); }
template <class T_, qualifier q_> qua<T_, q_> operator-(const qua<T_, q_>& a) { return qua<T_, q_>(-a.w, -a.x, -a.y, -a.z); }
template <class T_, qualifier q_> qua<T_, q_> operator*(const qua<T_, q_>&, const qua<T_, q_>&);
template <class T_, qualifier q_> vec<3, T_, q_> operator*(const qua<T_, q_>&, const vec<3, T_, q_>&);

template <class T_, qualifier q_ = defaultp> using tvec1 = vec<1, T_, q_>;
template <class T_, qualifier q_ = defaultp> using tvec2 = vec<2, T_, q_>;
template <class T_, qualifier q_ = defaultp> using tvec3 = vec<3, T_, q_>;
template <class T_, qualifier q_ = defaultp> using tvec4 = vec<4, T_, q_>;
typedef vec<1, float> vec1; typedef vec<2, float> vec2; typedef vec<3, float> vec3; typedef vec<4, float> vec4;
typedef vec<1, float> fvec1; typedef vec<2, float> fvec2; typedef vec<3, float> fvec3; typedef vec<4, float> fvec4;
typedef vec<1, double> dvec1; typedef vec<2, double> dvec2; typedef vec<3, double> dvec3; typedef vec<4, double> dvec4;
typedef vec<1, int> ivec1; typedef vec<2, int> ivec2; typedef vec<3, int> ivec3; typedef vec<4, int> ivec4;
typedef vec<1, unsigned int> uvec1; typedef vec<2, unsigned int> uvec2; typedef vec<3, unsigned int> uvec3; typedef vec<4, unsigned int> uvec4;
typedef vec<1, bool> bvec1; typedef vec<2, bool> bvec2; typedef vec<3, bool> bvec3; typedef vec<4, bool> bvec4;
typedef mat<2, 2, float> mat2; typedef mat<3, 3, float> mat3; typedef mat<4, 4, float> mat4; typedef mat<2, 2, float> mat2x2; typedef mat<2, 3, float> mat2x3; typedef mat<2, 4, float> mat2x4; typedef mat<3, 2, float> mat3x2; typedef mat<3, 3, float> mat3x3; typedef mat<3, 4, float> mat3x4; typedef mat<4, 2, float> mat4x2; typedef mat<4, 3, float> mat4x3; typedef mat<4, 4, float> mat4x4;
typedef qua<float> quat;
typedef mat<2, 2, float> fmat2; typedef mat<3, 3, float> fmat3; typedef mat<4, 4, float> fmat4; typedef mat<2, 2, float> fmat2x2; typedef mat<2, 3, float> fmat2x3; typedef mat<2, 4, float> fmat2x4; typedef mat<3, 2, float> fmat3x2; typedef mat<3, 3, float> fmat3x3; typedef mat<3, 4, float> fmat3x4; typedef mat<4, 2, float> fmat4x2; typedef mat<4, 3, float> fmat4x3; typedef mat<4, 4, float> fmat4x4;
typedef qua<float> fquat;
typedef mat<2, 2, double> dmat2; typedef mat<3, 3, double> dmat3; typedef mat<4, 4, double> dmat4; typedef mat<2, 2, double> dmat2x2; typedef mat<2, 3, double> dmat2x3; typedef mat<2, 4, double> dmat2x4; typedef mat<3, 2, double> dmat3x2; typedef mat<3, 3, double> dmat3x3; typedef mat<3, 4, double> dmat3x4; typedef mat<4, 2, double> dmat4x2; typedef mat<4, 3, double> dmat4x3; typedef mat<4, 4, double> dmat4x4;
typedef qua<double> dquat;

template <length_t n_, class T_, qualifier q_> T_ dot(const vec<n_, T_, q_>& a, const vec<n_, T_, q_>& b) {
    if constexpr (n_ == 1) return a.x * b.x;
    else if constexpr (n_ == 2) return a.x * b.x + a.y * b.y;
    else if constexpr (n_ == 3) return a.x * b.x + a.y * b.y + a.z * b.z;
    else return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
template <class T_, qualifier q_> T_ dot(const qua<T_, q_>& a, const qua<T_, q_>& b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
template <class T_, qualifier q_> vec<3, T_, q_> cross(const vec<3, T_, q_>& a, const vec<3, T_, q_>& b) { return vec<3, T_, q_>(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y); }
template <length_t n_, class T_, qualifier q_> T_ length(const vec<n_, T_, q_>& v) { return ::sqrt(dot(v, v)); }
template <class T_, qualifier q_> T_ length(const qua<T_, q_>& v) { return ::sqrt(dot(v, v)); }
template <length_t n_, class T_, qualifier q_> T_ length2(const vec<n_, T_, q_>& v) { return dot(v, v); }
template <length_t n_, class T_, qualifier q_> T_ distance(const vec<n_, T_, q_>& a, const vec<n_, T_, q_>& b) { return length(a - b); }
template <length_t n_, class T_, qualifier q_> vec<n_, T_, q_> normalize(const vec<n_, T_, q_>& v) { return v * (T_(1) / length(v)); }
template <class T_, qualifier q_> qua<T_, q_> normalize(const qua<T_, q_>& v) { return v / length(v); }
template <length_t i_, length_t c_, length_t r_, class T_, qualifier q_> vec<c_, T_, q_> coalint_row(const mat<c_, r_, T_, q_>& m) {
    typedef vec<c_, T_, q_> V_;
    if constexpr (c_ == 2) return V_(m.columns[0][i_], m.columns[1][i_]);
    else if constexpr (c_ == 3) return V_(m.columns[0][i_], m.columns[1][i_], m.columns[2][i_]);
    else return V_(m.columns[0][i_], m.columns[1][i_], m.columns[2][i_], m.columns[3][i_]);
}
template <length_t c_, length_t r_, class T_, qualifier q_> mat<r_, c_, T_, q_> transpose(const mat<c_, r_, T_, q_>& m) {
    typedef mat<r_, c_, T_, q_> M_;
    if constexpr (r_ == 2) return M_(coalint_row<0>(m), coalint_row<1>(m));
    else if constexpr (r_ == 3) return M_(coalint_row<0>(m), coalint_row<1>(m), coalint_row<2>(m));
    else return M_(coalint_row<0>(m), coalint_row<1>(m), coalint_row<2>(m), coalint_row<3>(m));
}
template <length_t c_, length_t r_, class T_, qualifier q_> mat<c_, r_, T_, q_> outerProduct(const vec<r_, T_, q_>& a, const vec<c_, T_, q_>& b) { typedef mat<c_, r_, T_, q_> M_; COALINT_COLUMNS(COALINT_OUTER, *); }
template <length_t c_, length_t r_, class T_, qualifier q_> mat<c_, r_, T_, q_> matrixCompMult(const mat<c_, r_, T_, q_>& a, const mat<c_, r_, T_, q_>& b) { typedef mat<c_, r_, T_, q_> M_; COALINT_COLUMNS(COALINT_BOTH_COLUMNS, *); }
template <length_t n_, class T_, qualifier q_> mat<n_, n_, T_, q_> inverse(const mat<n_, n_, T_, q_>&);
template <class T_, qualifier q_> qua<T_, q_> inverse(const qua<T_, q_>&);
template <class T_, qualifier q_> qua<T_, q_> conjugate(const qua<T_, q_>& v) { return qua<T_, q_>(v.w, -v.x, -v.y, -v.z); }
template <length_t n_, class T_, qualifier q_> T_ determinant(const mat<n_, n_, T_, q_>&);
template <class T_, qualifier q_> mat<3, 3, T_, q_> mat3_cast(const qua<T_, q_>&);
template <class T_, qualifier q_> mat<4, 4, T_, q_> mat4_cast(const qua<T_, q_>&);
template <length_t n_, class T_, qualifier q_> qua<T_, q_> quat_cast(const mat<n_, n_, T_, q_>&);
template <class T_, qualifier q_> vec<3, T_, q_> rotate(const qua<T_, q_>&, const vec<3, T_, q_>&);
template <class T_, qualifier q_> qua<T_, q_> slerp(const qua<T_, q_>&, const qua<T_, q_>&, T_);
template <class T_, qualifier q_> qua<T_, q_> lerp(const qua<T_, q_>&, const qua<T_, q_>&, T_);
template <class V_, class T_> V_ mix(const V_& a, const V_& b, T_ t) { return a * (T_(1) - t) + b * t; }
template <class T_> T_ radians(T_ v) { return v * T_(0.01745329251994329576923690768489); }
template <class T_> T_ degrees(T_ v) { return v * T_(57.295779513082320876798154814105); }
template <class T_> constexpr T_ epsilon();
template <class T_> constexpr T_ pi() { return T_(3.14159265358979323846264338327950288); }
using ::acos; using ::asin; using ::atan; using ::cos; using ::exp; using ::log; using ::pow; using ::sin; using ::sqrt; using ::tan;
template <class T_, class U_> T_ atan(T_ y, U_ x) { return ::atan2(y, T_(x)); }
template <class T_> T_ mod(T_ a, T_ b);
template <class T_> T_ fract(T_ v);
template <class T_> T_ sign(T_ v);
template <class T_> ::std::enable_if_t<__is_arithmetic(T_), T_> min(T_ a, T_ b) { return b < a ? b : a; }
template <class T_> ::std::enable_if_t<__is_arithmetic(T_), T_> max(T_ a, T_ b) { return a < b ? b : a; }
template <class T_> ::std::enable_if_t<__is_arithmetic(T_), T_> clamp(T_ v, T_ low, T_ high) { return min(max(v, low), high); }
#define COALINT_EACH(name) template <length_t n_, class T_, qualifier q_> vec<n_, T_, q_> name(const vec<n_, T_, q_>& a) { COALINT_COMPONENTS(COALINT_CALL, name); }
COALINT_EACH(abs) COALINT_EACH(floor) COALINT_EACH(ceil) COALINT_EACH(round) COALINT_EACH(sqrt) COALINT_EACH(exp) COALINT_EACH(log) COALINT_EACH(sin) COALINT_EACH(cos)
#undef COALINT_EACH
#define COALINT_PAIR(name) \
    template <length_t n_, class T_, qualifier q_> vec<n_, T_, q_> name(const vec<n_, T_, q_>& a, const vec<n_, T_, q_>& b) { COALINT_COMPONENTS(COALINT_CALL_BOTH, name); } \
    template <length_t n_, class T_, qualifier q_> vec<n_, T_, q_> name(const vec<n_, T_, q_>& a, ::std::type_identity_t<T_> b) { COALINT_COMPONENTS(COALINT_CALL_FIRST, name); }
COALINT_PAIR(min) COALINT_PAIR(max)
#undef COALINT_PAIR
template <length_t n_, class T_, qualifier q_> vec<n_, T_, q_> clamp(const vec<n_, T_, q_>& v, ::std::type_identity_t<T_> low, ::std::type_identity_t<T_> high) { return min(max(v, low), high); }
#undef COALINT_COMPONENTS
#undef COALINT_BOTH
#undef COALINT_FIRST
#undef COALINT_SECOND
#undef COALINT_MINUS
#undef COALINT_CALL
#undef COALINT_CALL_BOTH
#undef COALINT_CALL_FIRST
#undef COALINT_COLUMNS
#undef COALINT_BOTH_COLUMNS
#undef COALINT_COLUMN
#undef COALINT_MINUS_COLUMN
#undef COALINT_PRODUCT
#undef COALINT_OUTER
#undef COALINT_DOT

template <class T_> vec<2, T_> make_vec2(const T_* p) { return vec<2, T_>(p[0], p[1]); }
template <class T_> vec<3, T_> make_vec3(const T_* p) { return vec<3, T_>(p[0], p[1], p[2]); }
template <class T_> vec<4, T_> make_vec4(const T_* p) { return vec<4, T_>(p[0], p[1], p[2], p[3]); }
template <class T_> qua<T_> make_quat(const T_* p) { return qua<T_>(p[3], p[0], p[1], p[2]); }
template <class T_> mat<2, 2, T_> make_mat2(const T_* p) { return mat<2, 2, T_>(p[0], p[1], p[2], p[3]); }
template <class T_> mat<3, 3, T_> make_mat3(const T_* p) { return mat<3, 3, T_>(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]); }
template <class T_> mat<4, 4, T_> make_mat4(const T_* p) { return mat<4, 4, T_>(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13], p[14], p[15]); }
template <length_t n_, class T_, qualifier q_> T_* value_ptr(vec<n_, T_, q_>& v) { return &v.x; }
template <length_t n_, class T_, qualifier q_> const T_* value_ptr(const vec<n_, T_, q_>& v) { return &v.x; }
template <length_t c_, length_t r_, class T_, qualifier q_> T_* value_ptr(mat<c_, r_, T_, q_>& m) { return &m[0].x; }
template <length_t c_, length_t r_, class T_, qualifier q_> const T_* value_ptr(const mat<c_, r_, T_, q_>& m) { return &m[0].x; }
template <length_t n_, class T_, qualifier q_> mat<n_, n_, T_, q_> coalint_diagonal(const vec<n_, T_, q_>& v) {
    mat<n_, n_, T_, q_> m(T_(0));
    m.columns[0].x = v.x;
    m.columns[1].y = v.y;
    if constexpr (n_ > 2) m.columns[2].z = v.z;
    if constexpr (n_ > 3) m.columns[3].w = v.w;
    return m;
}
template <class T_, qualifier q_> mat<2, 2, T_, q_> diagonal2x2(const vec<2, T_, q_>& v) { return coalint_diagonal(v); }
template <class T_, qualifier q_> mat<3, 3, T_, q_> diagonal3x3(const vec<3, T_, q_>& v) { return coalint_diagonal(v); }
template <class T_, qualifier q_> mat<4, 4, T_, q_> diagonal4x4(const vec<4, T_, q_>& v) { return coalint_diagonal(v); }
}  // namespace glm

COALINT_HOST_DEVICE_END
