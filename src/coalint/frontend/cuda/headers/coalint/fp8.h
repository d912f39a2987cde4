// cuda_fp8.h, cuda_fp6.h and cuda_fp4.h: storage types, the classes around them, conversions.
#pragma once

COALINT_HOST_DEVICE_BEGIN

enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 };
enum __nv_fp4_interpretation_t { __NV_E2M1 };
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
typedef unsigned char __nv_fp8_storage_t, __nv_fp6_storage_t, __nv_fp4_storage_t, __nv_fp4x2_storage_t;
typedef unsigned short __nv_fp8x2_storage_t, __nv_fp6x2_storage_t, __nv_fp4x4_storage_t;
typedef unsigned int __nv_fp8x4_storage_t, __nv_fp6x4_storage_t;

#define COALINT_SMALL_FLOAT(name, storage)                                                                    \
    struct name {                                                                                             \
        storage __x;                                                                                          \
        name() = default;                                                                                     \
        explicit name(float); explicit name(double); explicit name(__half); explicit name(__nv_bfloat16);     \
        explicit name(int); explicit name(unsigned int); explicit name(long long); explicit name(unsigned long long); \
        operator float() const; explicit operator double() const; explicit operator __half() const;           \
        explicit operator __nv_bfloat16() const; explicit operator int() const; explicit operator bool() const; \
    };
#define COALINT_SMALL_PACK(name, storage, Float_)                                                             \
    struct name {                                                                                             \
        storage __x;                                                                                          \
        name() = default;                                                                                     \
        explicit name(Float_); explicit name(__half2); explicit name(__nv_bfloat162);                         \
        explicit name(__half2, __half2); explicit name(__nv_bfloat162, __nv_bfloat162);                       \
        explicit operator Float_() const; explicit operator __half2() const; explicit operator __nv_bfloat162() const; \
    };
#define COALINT_SMALL_FAMILY(bits, format)                                                                    \
    COALINT_SMALL_FLOAT(__nv_fp##bits##_##format, __nv_fp##bits##_storage_t)                                  \
    COALINT_SMALL_PACK(__nv_fp##bits##x2_##format, __nv_fp##bits##x2_storage_t, float2)                       \
    COALINT_SMALL_PACK(__nv_fp##bits##x4_##format, __nv_fp##bits##x4_storage_t, float4)
COALINT_SMALL_FAMILY(8, e4m3) COALINT_SMALL_FAMILY(8, e5m2) COALINT_SMALL_FAMILY(6, e2m3) COALINT_SMALL_FAMILY(6, e3m2) COALINT_SMALL_FAMILY(4, e2m1)
COALINT_SMALL_FLOAT(__nv_fp8_e8m0, __nv_fp8_storage_t)
COALINT_SMALL_PACK(__nv_fp8x2_e8m0, __nv_fp8x2_storage_t, float2)
COALINT_SMALL_PACK(__nv_fp8x4_e8m0, __nv_fp8x4_storage_t, float4)
#undef COALINT_SMALL_FAMILY
#undef COALINT_SMALL_PACK
#undef COALINT_SMALL_FLOAT

__nv_fp8_storage_t __nv_cvt_float_to_fp8(float, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8_storage_t __nv_cvt_double_to_fp8(double, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw, __nv_saturation_t, __nv_fp8_interpretation_t);
__half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t, __nv_fp8_interpretation_t);
__half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t, __nv_fp8_interpretation_t);
__nv_fp8_storage_t __nv_cvt_float_to_e8m0(float, __nv_saturation_t, cudaRoundMode);
__nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t);
__nv_fp4_storage_t __nv_cvt_float_to_fp4(float, __nv_fp4_interpretation_t, cudaRoundMode);
__nv_fp4x2_storage_t __nv_cvt_float2_to_fp4x2(float2, __nv_fp4_interpretation_t, cudaRoundMode);
__half_raw __nv_cvt_fp4_to_halfraw(__nv_fp4_storage_t, __nv_fp4_interpretation_t);
__half2_raw __nv_cvt_fp4x2_to_halfraw2(__nv_fp4x2_storage_t, __nv_fp4_interpretation_t);
__nv_fp8x2_storage_t __nv_cvt_bfloat162raw_to_e8m0x2(__nv_bfloat162_raw, __nv_saturation_t, cudaRoundMode);
__nv_fp4x2_storage_t __nv_cvt_bfloat16raw2_to_fp4x2(__nv_bfloat162_raw, __nv_fp4_interpretation_t, cudaRoundMode);
__nv_fp6x2_storage_t __nv_cvt_bfloat16raw2_to_fp6x2(__nv_bfloat162_raw, __nv_fp6_interpretation_t, cudaRoundMode);
__nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16_raw, __nv_saturation_t, cudaRoundMode);
__nv_fp4_storage_t __nv_cvt_bfloat16raw_to_fp4(__nv_bfloat16_raw, __nv_fp4_interpretation_t, cudaRoundMode);
__nv_fp6_storage_t __nv_cvt_bfloat16raw_to_fp6(__nv_bfloat16_raw, __nv_fp6_interpretation_t, cudaRoundMode);
__nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(double2, __nv_saturation_t, cudaRoundMode);
__nv_fp4x2_storage_t __nv_cvt_double2_to_fp4x2(double2, __nv_fp4_interpretation_t, cudaRoundMode);
__nv_fp6x2_storage_t __nv_cvt_double2_to_fp6x2(double2, __nv_fp6_interpretation_t, cudaRoundMode);
__nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2, __nv_saturation_t, __nv_fp8_interpretation_t);
__nv_fp8_storage_t __nv_cvt_double_to_e8m0(double, __nv_saturation_t, cudaRoundMode);
__nv_fp4_storage_t __nv_cvt_double_to_fp4(double, __nv_fp4_interpretation_t, cudaRoundMode);
__nv_fp6_storage_t __nv_cvt_double_to_fp6(double, __nv_fp6_interpretation_t, cudaRoundMode);
__nv_bfloat162_raw __nv_cvt_e8m0x2_to_bf162raw(__nv_fp8x2_storage_t);
__nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(float2, __nv_saturation_t, cudaRoundMode);
__nv_fp6x2_storage_t __nv_cvt_float2_to_fp6x2(float2, __nv_fp6_interpretation_t, cudaRoundMode);
__nv_fp6_storage_t __nv_cvt_float_to_fp6(float, __nv_fp6_interpretation_t, cudaRoundMode);
__half_raw __nv_cvt_fp6_to_halfraw(__nv_fp6_storage_t, __nv_fp6_interpretation_t);
__half2_raw __nv_cvt_fp6x2_to_halfraw2(__nv_fp6x2_storage_t, __nv_fp6_interpretation_t);
__nv_fp4x2_storage_t __nv_cvt_halfraw2_to_fp4x2(__half2_raw, __nv_fp4_interpretation_t, cudaRoundMode);
__nv_fp6x2_storage_t __nv_cvt_halfraw2_to_fp6x2(__half2_raw, __nv_fp6_interpretation_t, cudaRoundMode);
__nv_fp4_storage_t __nv_cvt_halfraw_to_fp4(__half_raw, __nv_fp4_interpretation_t, cudaRoundMode);
__nv_fp6_storage_t __nv_cvt_halfraw_to_fp6(__half_raw, __nv_fp6_interpretation_t, cudaRoundMode);

COALINT_HOST_DEVICE_END
