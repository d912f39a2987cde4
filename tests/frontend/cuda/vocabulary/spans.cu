#include <cuda/std/span>
template <class T, size_t n = cuda::std::dynamic_extent> using view = cuda::std::span<T, n>;
__global__ void k(view<const float> in, view<float, 8> out) { out[threadIdx.x] = in[threadIdx.x]; }
