#include <cublas_v2.h>
#include <cublasLt.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>
#include <nvtx3/nvToolsExt.h>
#include <cuda.h>
__global__ void k(cufftComplex* a, cuDoubleComplex* z, const CUtensorMap* map) { a[threadIdx.x].x = 1;
z[0] = cuCmul(z[1], make_cuDoubleComplex(1, 2)); }
void go(float* p, cufftComplex* c) {
    cublasHandle_t h; cublasCreate(&h); float one = 1;
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, &one, p, 1, p, 1, &one, p, 1);
    cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, p, CUDA_R_16F, 1, p, CUDA_R_16F, 1, &one,
        p, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    cufftHandle plan; cufftPlan1d(&plan, 8, CUFFT_C2C, 1); cufftExecC2C(plan, c, c, CUFFT_FORWARD);
    curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(g, p, 8); nvtxRangePush("x"); nvtxRangePop(); CUdevice d; cuDeviceGet(&d, 0);
}
