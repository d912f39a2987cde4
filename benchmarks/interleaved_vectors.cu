// Time of lanes that load all of some 16-byte vectors that lie side by side, beside an array for each vector.
//
//     nvcc -O3 -arch=native -o interleaved_vectors benchmarks/interleaved_vectors.cu && ./interleaved_vectors
//
// "halves" loads the four neighbours of every second pixel, as what halves an image does. rules/support/caching.py quotes
// the ratios; on an H200 they were 1.00, 1.00, 1.00, 1.09 and 1.27, and 1.00 for "halves".
#include <cstdio>
#include <cuda_runtime.h>

#include "milliseconds.cuh"

__device__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }

template <int VECTORS, bool INTERLEAVED> __global__ void load(const float4 *in, float *out, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float total = 0;
#pragma unroll
    for (int k = 0; k < VECTORS; ++k)
        total += sum(in[INTERLEAVED ? size_t(i) * VECTORS + k : size_t(k) * count + i]);
    out[i] = total;
}

__global__ void halves(const float4 *in, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width / 2 || y >= height / 2) return;
    float total = 0;
    for (int dy = 0; dy < 2; ++dy)
        for (int dx = 0; dx < 2; ++dx)
            total += sum(in[size_t(2 * y + dy) * width + 2 * x + dx]);
    out[size_t(y) * (width / 2) + x] = total;
}

template <int VECTORS> void compare(const float4 *in, float *out, size_t bytes) {
    int count = bytes / sizeof(float4) / VECTORS, blocks = (count + 255) / 256;
    float beside = milliseconds([&] { load<VECTORS, true><<<blocks, 256>>>(in, out, count); });
    float apart = milliseconds([&] { load<VECTORS, false><<<blocks, 256>>>(in, out, count); });
    printf("%d vectors: %.3f ms, an array for each %.3f ms, ratio %.2f\n", VECTORS, beside, apart, beside / apart);
}

int main() {
    size_t bytes = size_t(1) << 30;
    float4 *in;
    float *out;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemset(in, 0, bytes);
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    puts(device.name);
    compare<2>(in, out, bytes);
    compare<3>(in, out, bytes);
    compare<4>(in, out, bytes);
    compare<5>(in, out, bytes);
    compare<8>(in, out, bytes);
    int side = 8192, quarter = side * side / 4;
    float image = milliseconds([&] { halves<<<dim3(side / 64, side / 16), dim3(32, 8)>>>(in, out, side, side); });
    float arrays = milliseconds([&] { load<4, false><<<quarter / 256, 256>>>(in, out, quarter); });
    printf("halves: %.3f ms, ratio %.2f; %s\n", image, image / arrays, cudaGetErrorString(cudaGetLastError()));
}
