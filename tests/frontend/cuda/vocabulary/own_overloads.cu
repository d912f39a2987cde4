#if __CUDA_ARCH__ < 600
__device__ double atomicAdd(double* p, double v) { return v; }
#endif
__device__ float atomicMax(float* p, float v) { return v; }
template <typename T> __device__ T min(T a, T b, T c) { return min(a, min(b, c)); }
using std::max;
using namespace std;
__global__ void k(double* d, float* f, size_t n) { atomicAdd(d, 1.0); atomicMax(f, 2.0f);
f[min(1, 2, 3)] = max(1.0f, 2.0f) + max(n, size_t(3)); }
