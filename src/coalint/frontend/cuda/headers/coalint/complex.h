// cuComplex.h: complex numbers as float2 and double2.
#pragma once

COALINT_HOST_DEVICE_BEGIN

typedef float2 cuFloatComplex, cuComplex;
typedef double2 cuDoubleComplex;
#define COALINT_COMPLEX(T_, C_, f)                                                                                          \
    inline T_ cuCreal##f(C_ v) { return v.x; }                                                                              \
    inline T_ cuCimag##f(C_ v) { return v.y; }                                                                              \
    inline C_ cuConj##f(C_ v) { return {v.x, -v.y}; }                                                                       \
    inline C_ cuCadd##f(C_ a, C_ b) { return {a.x + b.x, a.y + b.y}; }                                                      \
    inline C_ cuCsub##f(C_ a, C_ b) { return {a.x - b.x, a.y - b.y}; }                                                      \
    inline C_ cuCmul##f(C_ a, C_ b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }                              \
    inline C_ cuCfma##f(C_ a, C_ b, C_ c) { return {a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y}; }            \
    inline C_ cuCdiv##f(C_ a, C_ b) {                                                                                       \
        T_ scale = 1 / (fabs##f(b.x) + fabs##f(b.y)), p = a.x * scale, q = a.y * scale, r = b.x * scale, s = b.y * scale;   \
        T_ norm = 1 / (r * r + s * s);                                                                                      \
        return {(p * r + q * s) * norm, (q * r - p * s) * norm};                                                            \
    }                                                                                                                       \
    inline T_ cuCabs##f(C_ v) {                                                                                             \
        T_ a = fmax##f(fabs##f(v.x), fabs##f(v.y)), b = fmin##f(fabs##f(v.x), fabs##f(v.y)), t = b / a;                     \
        return a == 0 || isinf(a) ? a + b : a * sqrt##f(1 + t * t);                                                         \
    }
COALINT_COMPLEX(float, cuFloatComplex, f)
COALINT_COMPLEX(double, cuDoubleComplex, )
#undef COALINT_COMPLEX
inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }
inline cuFloatComplex make_cuFloatComplex(float x, float y) { return {x, y}; }
inline cuDoubleComplex make_cuDoubleComplex(double x, double y) { return {x, y}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex v) { return {v.x, v.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex v) { return {(float)v.x, (float)v.y}; }

COALINT_HOST_DEVICE_END
