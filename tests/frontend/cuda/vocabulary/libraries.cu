#include <cublas_v2.h>
#include <cublasLt.h>
#include <cufft.h>
#include <curand.h>
#include <cusparse.h>
#include <cusolverDn.h>
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
void eigenvalues(cusolverDnHandle_t h, float* a, float* w, int* info) {
    cusolverEigMode_t mode = CUSOLVER_EIG_MODE_VECTOR; cusolverEigType_t type = CUSOLVER_EIG_TYPE_1; cusolverEigRange_t range = CUSOLVER_EIG_RANGE_I; int size = 0;
    cusolverStatus_t status = cusolverDnSsyevd_bufferSize(h, mode, CUBLAS_FILL_MODE_LOWER, 3, a, 3, w, &size);
    if (status != CUSOLVER_STATUS_EXECUTION_FAILED) cusolverDnSsyevd(h, mode, CUBLAS_FILL_MODE_LOWER, 3, a, 3, w, a, size, info);
    syevjInfo_t params; cusolverDnCreateSyevjInfo(&params); cusolverDnXsyevjSetTolerance(params, 1e-7);
    cusolverDnZheevjBatched(h, mode, CUBLAS_FILL_MODE_UPPER, 3, a, 3, w, a, size, info, params, 8);
    cusolverDnDsygvdx(h, type, mode, range, 3); cusolverDnCgesvd(h, 'A', 'A', 3); gesvdjInfo_t j; cusolverDnCreateGesvdjInfo(&j);
    cusolverDnParams_t p; cusolverDnCreateParams(&p); cusolverDnXpotrf(h, p, CUBLAS_FILL_MODE_LOWER);
}
unsigned ways_to_wait() { return CU_CTX_SCHED_AUTO | CU_CTX_SCHED_SPIN | CU_CTX_SCHED_YIELD |
    CU_CTX_SCHED_BLOCKING_SYNC | CU_CTX_MAP_HOST | CU_CTX_LMEM_RESIZE_TO_MAX; }
