#include <cuda_fp8.h>
#include <cuda_fp4.h>
__global__ void k(__nv_fp8_e4m3* a, __nv_fp8x4_e4m3* b, float* f, __nv_fp8_storage_t* s,
    __nv_fp4x2_storage_t* t) {
    a[0] = __nv_fp8_e4m3(f[0]); f[1] = float(a[1]); b[0] = __nv_fp8x4_e4m3(make_float4(1, 2, 3, 4));
    s[0] = __nv_cvt_float_to_fp8(f[0], __NV_SATFINITE, __NV_E4M3);
    t[0] = __nv_cvt_float2_to_fp4x2(make_float2(1, 2), __NV_E2M1, cudaRoundNearest);
}
