// Complex numbers of std, cuda::std, thrust and c10: the same text, each with its own alignment. Operands are taken by value,
// so that a number in memory is read as a whole.
#pragma once

#define COALINT_COMPLEX_FUNCTION(name) template <class T_> complex<T_> name(complex<T_> v) { return coalint_function(v.re * v.im); }
#define COALINT_COMPLEX_FAMILY(aligned_)                                                                                                              \
    template <class T_> struct aligned_ complex {                                                                                                     \
        typedef T_ value_type; typedef complex coalint_complex;                                                                                       \
        T_ re, im;                                                                                                                                    \
        constexpr complex(T_ re = T_(), T_ im = T_()) : re(re), im(im) {}                                                                             \
        template <class U_> constexpr complex(const complex<U_>& v) : complex(T_(v.re), T_(v.im)) {}                                                  \
        template <class C_, class = typename C_::coalint_complex, class = ::std::enable_if_t<!::std::is_same_v<C_, complex<typename C_::value_type>>>> constexpr complex(const C_& v) : re(v.re), im(v.im) {} \
        constexpr T_ real() const { return re; }                                                                                                      \
        constexpr T_ imag() const { return im; }                                                                                                      \
        constexpr void real(T_ v) { re = v; }                                                                                                         \
        constexpr void imag(T_ v) { im = v; }                                                                                                         \
        constexpr complex& operator=(const T_& v) { return *this = complex(v); }                                                                      \
        constexpr complex& operator+=(const T_& v) { return *this = *this + v; }                                                                      \
        constexpr complex& operator-=(const T_& v) { return *this = *this - v; }                                                                      \
        constexpr complex& operator*=(const T_& v) { return *this = *this * v; }                                                                      \
        constexpr complex& operator/=(const T_& v) { return *this = *this / v; }                                                                      \
        template <class U_> constexpr complex& operator+=(const complex<U_>& v) { return *this = *this + complex(v); }                                \
        template <class U_> constexpr complex& operator-=(const complex<U_>& v) { return *this = *this - complex(v); }                                \
        template <class U_> constexpr complex& operator*=(const complex<U_>& v) { return *this = *this * complex(v); }                                \
        template <class U_> constexpr complex& operator/=(const complex<U_>& v) { return *this = *this / complex(v); }                                \
        friend constexpr complex operator+(complex a) { return a; }                                                                                   \
        friend constexpr complex operator-(complex a) { return complex(-a.re, -a.im); }                                                               \
        friend constexpr complex operator+(complex a, complex b) { return complex(a.re + b.re, a.im + b.im); }                                        \
        friend constexpr complex operator-(complex a, complex b) { return complex(a.re - b.re, a.im - b.im); }                                        \
        friend constexpr complex operator*(complex a, complex b) { return complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }            \
        friend constexpr complex operator/(complex a, complex b) { T_ n = b.re * b.re + b.im * b.im; return complex((a.re * b.re + a.im * b.im) / n, (a.im * b.re - a.re * b.im) / n); } \
        friend constexpr complex operator+(complex a, T_ b) { return complex(a.re + b, a.im); }                                                       \
        friend constexpr complex operator-(complex a, T_ b) { return complex(a.re - b, a.im); }                                                       \
        friend constexpr complex operator*(complex a, T_ b) { return complex(a.re * b, a.im * b); }                                                   \
        friend constexpr complex operator/(complex a, T_ b) { return complex(a.re / b, a.im / b); }                                                   \
        friend constexpr complex operator+(T_ a, complex b) { return complex(a + b.re, b.im); }                                                       \
        friend constexpr complex operator-(T_ a, complex b) { return complex(a - b.re, -b.im); }                                                      \
        friend constexpr complex operator*(T_ a, complex b) { return complex(a * b.re, a * b.im); }                                                   \
        friend constexpr complex operator/(T_ a, complex b) { return complex(a) / b; }                                                                \
        friend constexpr bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }                                               \
        friend constexpr bool operator==(complex a, T_ b) { return a.re == b && a.im == T_(); }                                                       \
        friend constexpr bool operator==(T_ a, complex b) { return a == b.re && b.im == T_(); }                                                       \
        friend constexpr bool operator!=(complex a, complex b) { return a.re != b.re || a.im != b.im; }                                               \
        friend constexpr bool operator!=(complex a, T_ b) { return a.re != b || a.im != T_(); }                                                       \
        friend constexpr bool operator!=(T_ a, complex b) { return a != b.re || b.im != T_(); }                                                       \
    };                                                                                                                                                \
    template <class T_> constexpr T_ real(const complex<T_>& v) { return v.re; }                                                                      \
    template <class T_> constexpr T_ imag(const complex<T_>& v) { return v.im; }                                                                      \
    template <class T_> T_ abs(complex<T_> v) { return __coalint_computed(v.re * v.im); }                                                             \
    template <class T_> T_ arg(complex<T_> v) { return __coalint_computed(v.re * v.im); }                                                             \
    template <class T_> constexpr T_ norm(complex<T_> v) { return v.re * v.re + v.im * v.im; }                                                        \
    template <class T_> constexpr complex<T_> conj(complex<T_> v) { return complex<T_>(v.re, -v.im); }                                                \
    template <class T_> complex<T_> coalint_function(T_ v) { return complex<T_>(__coalint_computed(v), __coalint_computed(v)); }                      \
    template <class T_> complex<T_> polar(const T_& r, const T_& a = T_()) { return coalint_function(r * a); }                                        \
    template <class T_> complex<T_> pow(complex<T_> a, complex<T_> b) { return coalint_function(a.re * a.im * b.re * b.im); }                         \
    template <class T_> complex<T_> pow(complex<T_> a, ::std::type_identity_t<T_> b) { return coalint_function(a.re * a.im * b); }                    \
    template <class T_> complex<T_> pow(::std::type_identity_t<T_> a, complex<T_> b) { return coalint_function(a * b.re * b.im); }                    \
    COALINT_COMPLEX_FUNCTION(proj) COALINT_COMPLEX_FUNCTION(exp) COALINT_COMPLEX_FUNCTION(log) COALINT_COMPLEX_FUNCTION(log10) COALINT_COMPLEX_FUNCTION(sqrt) \
    COALINT_COMPLEX_FUNCTION(sin) COALINT_COMPLEX_FUNCTION(cos) COALINT_COMPLEX_FUNCTION(tan) COALINT_COMPLEX_FUNCTION(sinh) COALINT_COMPLEX_FUNCTION(cosh) \
    COALINT_COMPLEX_FUNCTION(tanh) COALINT_COMPLEX_FUNCTION(asin) COALINT_COMPLEX_FUNCTION(acos) COALINT_COMPLEX_FUNCTION(atan) COALINT_COMPLEX_FUNCTION(asinh) \
    COALINT_COMPLEX_FUNCTION(acosh) COALINT_COMPLEX_FUNCTION(atanh)
