// Barriers and warp primitives, each alone on its line: how often warps execute them.
#include <cuda_runtime.h>

__global__ void tree(const float *in, float *out, int n) {
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

__global__ void tiles(const float *a, const float *b, float *c, int n) {
    __shared__ float s[16][16], t[16][16];
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 16) {
        s[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
        __syncthreads();
        for (int m = 0; m < 16; m++) sum += s[threadIdx.y][m] * t[m][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void rounds(float *x) {
    __shared__ float s[128];
    s[threadIdx.x] = x[threadIdx.x];
    for (int k = 0; k <= blockIdx.x; k++) {
        __syncthreads();
        s[threadIdx.x] += s[127 - threadIdx.x];
        __syncthreads();
    }
    x[blockIdx.x * 128 + threadIdx.x] = s[threadIdx.x];
}

__global__ void warps(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0.0f;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x < 64) {
        v +=
            __shfl_xor_sync(0xffffffffu, v, 3);
    }
    unsigned votes =
        __ballot_sync(0xffffffffu, v > 0.0f);
    if (threadIdx.x % 32 == 0) out[i / 32] = v + votes;
}

__global__ void ended(float *x, int n) {
    __shared__ float s[256];
    if (blockIdx.x * 256 >= n) return;
    s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    x[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}

int main() {
    float *a, *b, *c;
    cudaMalloc(&a, 1 << 20);
    cudaMalloc(&b, 1 << 20);
    cudaMalloc(&c, 1 << 20);
    tree<<<40, 256>>>(a, b, 10000);
    tiles<<<dim3(4, 4), dim3(16, 16)>>>(a, b, c, 64);
    rounds<<<7, 128>>>(a);
    warps<<<5, 192>>>(a, b, 900);
    ended<<<9, 256>>>(a, 1024);
    return cudaDeviceSynchronize() != cudaSuccess;
}
