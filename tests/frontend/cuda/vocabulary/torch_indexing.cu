#include <cub/cub.cuh>
#include <math_constants.h>
#include <thrust/version.h>
#include <torch/extension.h>
#if THRUST_VERSION < 100000
#error old
#endif
using namespace at::indexing;
using namespace torch::indexing;
__global__ void k(float* a) { a[threadIdx.x] = CUDART_NORM_HUGE_F + CUDART_PI_LO + CUDART_TWO_TO_M126_F; }
int main() {
    torch::Tensor t; t.index({Slice(None, 3), Ellipsis}); t.index({0}); t.index({t, 1}).sum(); t.index(t);
    t.index_put_({t}, t, true); t.index_put_({0, at::indexing::Slice()}, 1.0);
    CubDebugExit(cudaMalloc((void**)nullptr, 4)); return CubDebug(cudaDeviceSynchronize());
}
