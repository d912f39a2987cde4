// cuda_bf16.h: __nv_bfloat16 and __nv_bfloat162.
#pragma once

#include "coalint/half_family.h"

COALINT_HOST_DEVICE_BEGIN

COALINT_HALF_SCALAR(__nv_bfloat16, __nv_bfloat16_raw)
COALINT_HALF_OPERATORS(__nv_bfloat16)
COALINT_HALF_FUNCTIONS(__nv_bfloat16, bfloat16)
COALINT_HALF_PAIR(__nv_bfloat16, __nv_bfloat162, __nv_bfloat162_raw, bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

namespace std {
template <> struct numeric_limits<__nv_bfloat16> {
    static constexpr bool is_specialized = true, is_integer = false, is_signed = true, has_infinity = true;
    static __nv_bfloat16 max(); static __nv_bfloat16 min(); static __nv_bfloat16 lowest(); static __nv_bfloat16 infinity(); static __nv_bfloat16 epsilon(); static __nv_bfloat16 quiet_NaN();
};
}  // namespace std

COALINT_HOST_DEVICE_END

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
