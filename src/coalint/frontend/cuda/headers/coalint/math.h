// The mathematical functions: C's, their overloads in C++, CUDA's own, and the fast intrinsics. Only min and max have bodies.
#pragma once

COALINT_HOST_DEVICE_BEGIN

namespace coalint_math {
template <class T_> using if_integral = std::enable_if_t<__is_integral(T_), double>;
template <class T_> using if_arithmetic = std::enable_if_t<__is_arithmetic(T_), int>;
template <class T_, class U_, bool = __is_arithmetic(T_) && __is_arithmetic(U_) && !__is_same(T_, U_)> struct wider {};
template <class T_, class U_> struct wider<T_, U_, true> { typedef decltype(T_() * U_() * (__is_integral(T_) || __is_integral(U_) ? 1.0 : 1.0f)) type; };
}  // namespace coalint_math

#define COALINT_MATH1(name)                                         \
    extern "C" double name(double);                                 \
    extern "C" float name##f(float);                                \
    float name(float);                                              \
    template <class T_> coalint_math::if_integral<T_> name(T_);     \
    namespace std { using ::name; using ::name##f; }
COALINT_MATH1(sin) COALINT_MATH1(cos) COALINT_MATH1(tan) COALINT_MATH1(asin) COALINT_MATH1(acos) COALINT_MATH1(atan)
COALINT_MATH1(sinh) COALINT_MATH1(cosh) COALINT_MATH1(tanh) COALINT_MATH1(asinh) COALINT_MATH1(acosh) COALINT_MATH1(atanh)
COALINT_MATH1(exp) COALINT_MATH1(exp2) COALINT_MATH1(expm1) COALINT_MATH1(log) COALINT_MATH1(log2) COALINT_MATH1(log10)
COALINT_MATH1(log1p) COALINT_MATH1(logb) COALINT_MATH1(sqrt) COALINT_MATH1(cbrt) COALINT_MATH1(erf) COALINT_MATH1(erfc)
COALINT_MATH1(tgamma) COALINT_MATH1(lgamma) COALINT_MATH1(ceil) COALINT_MATH1(floor) COALINT_MATH1(trunc) COALINT_MATH1(round)
COALINT_MATH1(rint) COALINT_MATH1(nearbyint) COALINT_MATH1(fabs)
#undef COALINT_MATH1

#define COALINT_MATH2(name)                                                                          \
    extern "C" double name(double, double);                                                          \
    extern "C" float name##f(float, float);                                                          \
    float name(float, float);                                                                        \
    template <class T_> coalint_math::if_integral<T_> name(T_, T_);                                  \
    template <class T_, class U_> typename coalint_math::wider<T_, U_>::type name(T_, U_);           \
    namespace std { using ::name; using ::name##f; }
COALINT_MATH2(pow) COALINT_MATH2(atan2) COALINT_MATH2(fmod) COALINT_MATH2(remainder) COALINT_MATH2(hypot)
COALINT_MATH2(copysign) COALINT_MATH2(nextafter) COALINT_MATH2(fdim)
#undef COALINT_MATH2

#define COALINT_EXTREME(name, op)                                                                               \
    extern "C" double name(double, double);                                                                     \
    extern "C" float name##f(float, float);                                                                     \
    constexpr float name(float a, float b) { return a op b ? a : b; }                                           \
    template <class T_> coalint_math::if_integral<T_> name(T_, T_);                                             \
    template <class T_, class U_> typename coalint_math::wider<T_, U_>::type name(T_, U_);                      \
    namespace std { using ::name; using ::name##f; }
COALINT_EXTREME(fmin, <) COALINT_EXTREME(fmax, >)
#undef COALINT_EXTREME

extern "C" {
int __isnanf(float);
int __isnan(double);
int __isinff(float);
int __isinf(double);
int __finitef(float);
int __finite(double);
int __isnand(double);
int __isinfd(double);
int __isfinited(double);
int __isfinitef(float);
int __isfinite(double);
int __signbit(double);
int __signbitf(float);
int __signbitd(double);
int isnanf(float);
int isinff(float);
int finitef(float);
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexpf(float, int);
double scalbn(double, int);
float scalbnf(float, int);
double scalbln(double, long);
float scalblnf(float, long);
int ilogb(double);
int ilogbf(float);
inline double frexp(double x, int* exponent) { *exponent = ilogb(x) + 1; return ldexp(x, -ilogb(x) - 1); }
inline float frexpf(float x, int* exponent) { *exponent = ilogbf(x) + 1; return ldexpf(x, -ilogbf(x) - 1); }
inline double modf(double x, double* whole) { *whole = trunc(x); return x - trunc(x); }
inline float modff(float x, float* whole) { *whole = truncf(x); return x - truncf(x); }
inline double remquo(double x, double y, int* quotient) { *quotient = (int)rint(x / y); return remainder(x, y); }
inline float remquof(float x, float y, int* quotient) { *quotient = (int)rintf(x / y); return remainderf(x, y); }
long lrint(double);
long lrintf(float);
long lround(double);
long lroundf(float);
long long llrint(double);
long long llrintf(float);
long long llround(double);
long long llroundf(float);
double nan(const char*);
float nanf(const char*);
int abs(int);
long labs(long);
long long llabs(long long);

double rsqrt(double);
float rsqrtf(float);
double rcbrt(double);
float rcbrtf(float);
double exp10(double);
float exp10f(float);
double sinpi(double);
float sinpif(float);
double cospi(double);
float cospif(float);
inline void sincos(double x, double* s, double* c) { *s = sin(x); *c = cos(x); }
inline void sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
inline void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
inline void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
double normcdf(double);
float normcdff(float);
double normcdfinv(double);
float normcdfinvf(float);
double erfinv(double);
float erfinvf(float);
double erfcinv(double);
float erfcinvf(float);
double erfcx(double);
float erfcxf(float);
double j0(double);
float j0f(float);
double jn(int, double);
float jnf(int, float);
double yn(int, double);
float ynf(int, float);
double j1(double);
float j1f(float);
double y0(double);
float y0f(float);
double y1(double);
float y1f(float);
double cyl_bessel_i0(double);
float cyl_bessel_i0f(float);
double cyl_bessel_i1(double);
float cyl_bessel_i1f(float);
double norm3d(double, double, double);
float norm3df(float, float, float);
double rnorm3d(double, double, double);
float rnorm3df(float, float, float);
double norm4d(double, double, double, double);
float norm4df(float, float, float, float);
double rhypot(double, double);
float rhypotf(float, float);
double norm(int, const double*);
float normf(int, const float*);
float fdividef(float, float);
}
float fma(float, float, float);
float ldexp(float, int);
template <class T_> coalint_math::if_integral<T_> ldexp(T_, int);
float scalbn(float, int);
float scalbln(float, long);
float frexp(float, int*);
float modf(float, float*);
int ilogb(float);
long lrint(float);
long lround(float);
long long llrint(float);
long long llround(float);
float rsqrt(float);
float exp10(float);
float sinpi(float);
float cospi(float);
float normcdf(float);
float erfinv(float);
void sincos(float, float*, float*);
constexpr long abs(long v) { return v < 0 ? -v : v; }
constexpr long long abs(long long v) { return v < 0 ? -v : v; }
constexpr float abs(float v) { return v < 0 ? -v : v; }
constexpr double abs(double v) { return v < 0 ? -v : v; }

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define COALINT_CLASSIFY(name)                                                        \
    constexpr bool name(float v) { return __builtin_##name(v); }                      \
    constexpr bool name(double v) { return __builtin_##name(v); }                     \
    template <class T_, coalint_math::if_integral<T_>* = nullptr> constexpr bool name(T_ v) { return __builtin_##name(double(v)); } \
    namespace std { using ::name; }
COALINT_CLASSIFY(isnan) COALINT_CLASSIFY(isinf) COALINT_CLASSIFY(isfinite) COALINT_CLASSIFY(isnormal) COALINT_CLASSIFY(signbit)
#undef COALINT_CLASSIFY

typedef float float_t;
typedef double double_t;
namespace std {
using ::float_t; using ::double_t;
using ::fma; using ::fmaf; using ::ldexp; using ::ldexpf; using ::scalbn; using ::scalbnf; using ::scalbln; using ::scalblnf; using ::frexp; using ::frexpf;
using ::modf; using ::modff; using ::remquo; using ::ilogb; using ::lrint; using ::lround; using ::llrint; using ::llround;
using ::lrintf; using ::lroundf; using ::nan; using ::nanf; using ::abs; using ::labs; using ::llabs;
}

#define COALINT_MIN_MAX(T_, A_, B_)                                                   \
    constexpr T_ min(A_ a, B_ b) { return static_cast<T_>(a) < static_cast<T_>(b) ? static_cast<T_>(a) : static_cast<T_>(b); } \
    constexpr T_ max(A_ a, B_ b) { return static_cast<T_>(a) > static_cast<T_>(b) ? static_cast<T_>(a) : static_cast<T_>(b); }
#define COALINT_MIN_MAX_SAME(T_)                                     \
    constexpr T_ min(T_ a, T_ b) { return a < b ? a : b; }           \
    constexpr T_ max(T_ a, T_ b) { return a > b ? a : b; }
COALINT_MIN_MAX_SAME(int)
COALINT_MIN_MAX_SAME(unsigned int)
COALINT_MIN_MAX_SAME(long)
COALINT_MIN_MAX_SAME(unsigned long)
COALINT_MIN_MAX_SAME(long long)
COALINT_MIN_MAX_SAME(unsigned long long)
COALINT_MIN_MAX_SAME(float)
COALINT_MIN_MAX_SAME(double)
COALINT_MIN_MAX(unsigned int, int, unsigned int)
COALINT_MIN_MAX(unsigned int, unsigned int, int)
COALINT_MIN_MAX(unsigned long, long, unsigned long)
COALINT_MIN_MAX(unsigned long, unsigned long, long)
COALINT_MIN_MAX(unsigned long long, long long, unsigned long long)
COALINT_MIN_MAX(unsigned long long, unsigned long long, long long)
COALINT_MIN_MAX(double, float, double)
COALINT_MIN_MAX(double, double, float)
#undef COALINT_MIN_MAX
#undef COALINT_MIN_MAX_SAME
constexpr unsigned int umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
constexpr unsigned int umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
constexpr long long llmin(long long a, long long b) { return a < b ? a : b; }
constexpr long long llmax(long long a, long long b) { return a > b ? a : b; }
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }

float __sinf(float);
float __cosf(float);
float __tanf(float);
float __expf(float);
float __exp10f(float);
float __logf(float);
float __log2f(float);
float __log10f(float);
float __powf(float, float);
float __tanhf(float);
inline void __sincosf(float x, float* s, float* c) { *s = __sinf(x); *c = __cosf(x); }
float __fdividef(float, float);
float __saturatef(float);
float __frsqrt_rn(float);
#define COALINT_ROUNDED(mode)                                                                                     \
    float __fadd_##mode(float, float); float __fsub_##mode(float, float); float __fmul_##mode(float, float);      \
    float __fdiv_##mode(float, float); float __frcp_##mode(float); float __fsqrt_##mode(float);                   \
    float __fmaf_##mode(float, float, float);                                                                     \
    float2 __fadd2_##mode(float2, float2); float2 __fmul2_##mode(float2, float2); float2 __ffma2_##mode(float2, float2, float2); \
    double __dadd_##mode(double, double); double __dsub_##mode(double, double); double __dmul_##mode(double, double); \
    double __ddiv_##mode(double, double); double __drcp_##mode(double); double __dsqrt_##mode(double);            \
    double __fma_##mode(double, double, double);                                                                  \
    float __double2float_##mode(double); int __double2int_##mode(double); unsigned int __double2uint_##mode(double); \
    long long __double2ll_##mode(double); unsigned long long __double2ull_##mode(double);                         \
    int __float2int_##mode(float); unsigned int __float2uint_##mode(float);                                       \
    long long __float2ll_##mode(float); unsigned long long __float2ull_##mode(float);                             \
    float __int2float_##mode(int); float __uint2float_##mode(unsigned int);                                       \
    float __ll2float_##mode(long long); float __ull2float_##mode(unsigned long long);                             \
    double __ll2double_##mode(long long); double __ull2double_##mode(unsigned long long);
COALINT_ROUNDED(rn) COALINT_ROUNDED(rz) COALINT_ROUNDED(ru) COALINT_ROUNDED(rd)
#undef COALINT_ROUNDED
double __int2double_rn(int);
double __uint2double_rn(unsigned int);
double __hiloint2double(int, int);
int __double2hiint(double);
int __double2loint(double);
int __float_as_int(float);
unsigned int __float_as_uint(float);
float __int_as_float(int);
float __uint_as_float(unsigned int);
long long __double_as_longlong(double);
double __longlong_as_double(long long);

constexpr int mul24(int a, int b) { return a * b; }
constexpr unsigned int umul24(unsigned int a, unsigned int b) { return a * b; }
int __mul24(int, int);
unsigned int __umul24(unsigned int, unsigned int);
constexpr int __imul24(int a, int b) { return a * b; }
int __mulhi(int, int);
unsigned int __umulhi(unsigned int, unsigned int);
long long __mul64hi(long long, long long);
unsigned long long __umul64hi(unsigned long long, unsigned long long);
unsigned int __sad(int, int, unsigned int);
unsigned int __usad(unsigned int, unsigned int, unsigned int);
int __hadd(int, int);
int __rhadd(int, int);
unsigned int __uhadd(unsigned int, unsigned int);
unsigned int __urhadd(unsigned int, unsigned int);
int __popc(unsigned int);
int __popcll(unsigned long long);
int __clz(int);
int __clzll(long long);
int __ffs(int);
int __ffsll(long long);
unsigned int __brev(unsigned int);
unsigned long long __brevll(unsigned long long);
unsigned int __byte_perm(unsigned int, unsigned int, unsigned int);
unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int);
unsigned int __funnelshift_lc(unsigned int, unsigned int, unsigned int);
unsigned int __funnelshift_r(unsigned int, unsigned int, unsigned int);
unsigned int __funnelshift_rc(unsigned int, unsigned int, unsigned int);
int __fns(unsigned int, unsigned int, int);

#define COALINT_SIMD2(name) unsigned int name##2(unsigned int, unsigned int); unsigned int name##4(unsigned int, unsigned int);
COALINT_SIMD2(__vadd) COALINT_SIMD2(__vaddss) COALINT_SIMD2(__vaddus) COALINT_SIMD2(__vsub) COALINT_SIMD2(__vsubss)
COALINT_SIMD2(__vsubus) COALINT_SIMD2(__vabsdiffs) COALINT_SIMD2(__vabsdiffu) COALINT_SIMD2(__vavgs) COALINT_SIMD2(__vavgu)
COALINT_SIMD2(__vhaddu) COALINT_SIMD2(__vmaxs) COALINT_SIMD2(__vmaxu) COALINT_SIMD2(__vmins) COALINT_SIMD2(__vminu)
COALINT_SIMD2(__vsads) COALINT_SIMD2(__vsadu) COALINT_SIMD2(__vcmpeq) COALINT_SIMD2(__vcmpne) COALINT_SIMD2(__vcmpges)
COALINT_SIMD2(__vcmpgeu) COALINT_SIMD2(__vcmpgts) COALINT_SIMD2(__vcmpgtu) COALINT_SIMD2(__vcmples) COALINT_SIMD2(__vcmpleu)
COALINT_SIMD2(__vcmplts) COALINT_SIMD2(__vcmpltu) COALINT_SIMD2(__vseteq) COALINT_SIMD2(__vsetne) COALINT_SIMD2(__vsetges)
COALINT_SIMD2(__vsetgeu) COALINT_SIMD2(__vsetgts) COALINT_SIMD2(__vsetgtu) COALINT_SIMD2(__vsetles) COALINT_SIMD2(__vsetlts)
#undef COALINT_SIMD2
unsigned int __vabs2(unsigned int);
unsigned int __vabs4(unsigned int);
unsigned int __vabsss4(unsigned int);
unsigned int __vneg2(unsigned int);
unsigned int __vneg4(unsigned int);
int __dp4a(int, int, int);
unsigned int __dp4a(unsigned int, unsigned int, unsigned int);
int __dp4a(char4, char4, int);
unsigned int __dp4a(uchar4, uchar4, unsigned int);
int __dp2a_lo(int, int, int);
int __dp2a_hi(int, int, int);
unsigned int __dp2a_lo(unsigned int, unsigned int, unsigned int);
unsigned int __dp2a_hi(unsigned int, unsigned int, unsigned int);

COALINT_HOST_DEVICE_END

#define INFINITY __builtin_huge_valf()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VALL __builtin_huge_vall()
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
