#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(half* h, half2* p, __nv_bfloat16* b, __nv_bfloat162* c, float2* f, int i) {
    __shared__ half tile[32][33]; __shared__ __nv_bfloat162 pairs[8];
    h[i] = __float2half(1.0f) + h[i] * __hmul(h[0], h[1]); h[i] = 2.0f; h[i] += h[0]; float x = h[i];
    x = __half2float(h[i]) * 0.5f;
    p[i] = __hfma2(p[i], __float2half2_rn(2.f), __halves2half2(h[0], h[1])); p[i] = p[0] + p[1];
    f[i] = __half22float2(p[i]); h[0] = __low2half(p[i]); h[1] = p[i].y;
    b[i] = __float2bfloat16(x); c[i] = __floats2bfloat162_rn(x, x);
    c[i] = __hmul2(c[i], __bfloat162bfloat162(b[i])); x = __bfloat162float(b[i]);
    f[0] = __bfloat1622float2(c[0]);
    if (h[i] > h[0] || __hgt(h[1], h[2]) || b[i] < b[0]) h[i] = hexp(h[i]);
    tile[0][i] = __hmax(h[i], h[0]); pairs[i] = make_bfloat162(b[0], b[1]);
    atomicAdd(p, p[i]); atomicAdd(b, b[i]); h[0] = (half)i; int n = (int)h[i];
    h[n] = __int2half_rn(n) - half(1); h[2] = -h[1]; h[3] = __shfl_xor_sync(~0u, h[1], 1);
}
__global__ void shared_by_all(half* out, __nv_bfloat16* other) { __shared__ half s[32]; half value = out[threadIdx.x];
    ((volatile half*)s)[threadIdx.x] = value; __syncthreads(); out[0] = (half)((volatile half*)s)[1];
    ((volatile __nv_bfloat16*)other)[1] = other[0]; }
