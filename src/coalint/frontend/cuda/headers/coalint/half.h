// cuda_fp16.h: __half and __half2.
#pragma once

#include "coalint/half_family.h"

COALINT_HOST_DEVICE_BEGIN

COALINT_HALF_SCALAR(__half, __half_raw)
COALINT_HALF_OPERATORS(__half)
COALINT_HALF_FUNCTIONS(__half, half)
COALINT_HALF_PAIR(__half, __half2, __half2_raw, half)
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

namespace std {
template <> struct numeric_limits<__half> {
    static constexpr bool is_specialized = true, is_integer = false, is_signed = true, has_infinity = true;
    static __half max(); static __half min(); static __half lowest(); static __half infinity(); static __half epsilon(); static __half quiet_NaN();
};
}  // namespace std

COALINT_HOST_DEVICE_END

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
