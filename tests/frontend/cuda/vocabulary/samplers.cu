#include <ATen/cuda/CUDAContext.h>
#include <cub/cub.cuh>
#include <cuda.h>
#include <memory>
#include <thrust/iterator/counting_iterator.h>
__global__ void k(int* out, const int* sorted, float2 v, int n) {
    thrust::counting_iterator<int64_t> it(0);
    int t = threadIdx.x, last = cub::UpperBound(sorted, n, (int)it[t]);
    out[t] = last + cub::LowerBound(sorted, n, 3) + CUB_VERSION;
    v = __ffma2_rn(v, __fadd2_rn(v, v), __fmul2_rn(v, v));
}
void f(std::shared_ptr<float> p, c10::SymInt s) {
    at::cuda::CUDAEvent e; e.record(); auto q = std::dynamic_pointer_cast<int>(p); int64_t n = s;
    auto made = c10::make_intrusive<int>(3); CUmulticastObjectProp m;
    cudaLaunchAttribute a; a.id = cudaLaunchAttributePreferredClusterDimension; a.val.preferredClusterDim.x = 2;
    m.flags = CU_MULTICAST_GRANULARITY_RECOMMENDED;
}
