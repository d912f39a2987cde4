__device__ __managed__ int counter; __constant__ float weights[64]; __device__ float scratch[16];
__device__ __forceinline__ float4 operator+(float4 a, float4 b) {
return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define WARP_SIZE 32
template <typename T> __host__ __device__ T cdiv(T a, T b) { return (a + b - 1) / b; }
template <typename T, int N = 32>
__global__ void __launch_bounds__(256, 2) k(const T* __restrict__ in, T* out, const __grid_constant__
    int n) {
    __shared__ T tile[N][N + 1]; extern __shared__ __align__(16) unsigned char dynamic[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    #pragma unroll
    for (int j = 0; j < N; j += WARP_SIZE) tile[threadIdx.y][j] = in[min(i, n - 1)];
    __syncthreads();
    if (i < n) out[i] = max(tile[0][threadIdx.x % N], T(weights[i & 63])) +
        reinterpret_cast<T*>(dynamic)[i];
    assert(i >= 0 && "index");
}
void go(float* p, cudaStream_t s) { dim3 block(32, 8), grid{4};
k<float><<<grid, block, 0, s>>>(p, p, 5); k<float, 64><<<CEIL_DIV(7, 2), 128>>>(p, p, 3); }
