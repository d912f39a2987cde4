// Time of storing and loading a matrix as fragments of `mma.sync` lie over a warp: four lanes have 16 bytes of a row.
//
//     nvcc -O3 -arch=native -o fragments benchmarks/fragments.cu && ./fragments
//
// Each warp moves a tile of 16 rows and 8 * TILES halves. "next" moves the fragment beside next, as kernels do; "wide" moves
// 32 bytes of a row by four lanes; "apart" leaves the other half of each sector out. Times are for the same bytes.
// rules/support/fragments.py quotes the ratios; of 2, 4, 8 and 16 fragments on an H200 "next" took 1.59, 2.4, 2.7 and 3.1
// times as long as "wide" for stores, and 1.00, 1.02, 1.01 and 0.96 for loads; "apart" 3.9 to 8.9, and 1.0 to 2.0.
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "milliseconds.cuh"

enum Way { NEXT, WIDE, APART };

template <int TILES, Way WAY> __global__ void store(half *out, size_t pitch, half value) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    half *tile = out + size_t(warp) * 16 * pitch;
    size_t row = lane / 4, column = lane % 4;
#pragma unroll
    for (int n = 0; n < TILES; ++n)
        for (int half_of = 0; half_of < 2; ++half_of) {
            half *at = tile + (row + 8 * half_of) * pitch;
            if (WAY == NEXT) reinterpret_cast<half2 *>(at)[4 * n + column] = half2(value, __int2half_rn(n));
            if (WAY == APART) reinterpret_cast<half2 *>(at)[8 * n + column] = half2(value, __int2half_rn(n));
            if (WAY == WIDE && n % 2 == 0)
                reinterpret_cast<float2 *>(at)[2 * n + column] = make_float2(n, __half2float(value));
        }
}

template <int TILES, Way WAY> __global__ void load(const half *in, float *out, size_t pitch) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const half *tile = in + size_t(warp) * 16 * pitch;
    size_t row = lane / 4, column = lane % 4;
    float sum = 0;
#pragma unroll
    for (int n = 0; n < TILES; ++n)
        for (int half_of = 0; half_of < 2; ++half_of) {
            const half *at = tile + (row + 8 * half_of) * pitch;
            if (WAY == NEXT) sum += __low2float(reinterpret_cast<const half2 *>(at)[4 * n + column]);
            if (WAY == APART) sum += __low2float(reinterpret_cast<const half2 *>(at)[8 * n + column]);
            if (WAY == WIDE && n % 2 == 0) sum += reinterpret_cast<const float2 *>(at)[2 * n + column].x;
        }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int TILES> void compare(half *matrix, float *sums, size_t bytes) {
    size_t pitch = 16 * TILES, rows = bytes / sizeof(half) / pitch;
    int blocks = rows / 16 * 32 / 128;
    float stored[] = {milliseconds([&] { store<TILES, NEXT><<<blocks, 128>>>(matrix, pitch, 1); }),
                      milliseconds([&] { store<TILES, WIDE><<<blocks, 128>>>(matrix, pitch, 1); }),
                      milliseconds([&] { store<TILES, APART><<<blocks, 128>>>(matrix, pitch, 1); })};
    float loaded[] = {milliseconds([&] { load<TILES, NEXT><<<blocks, 128>>>(matrix, sums, pitch); }),
                      milliseconds([&] { load<TILES, WIDE><<<blocks, 128>>>(matrix, sums, pitch); }),
                      milliseconds([&] { load<TILES, APART><<<blocks, 128>>>(matrix, sums, pitch); })};
    printf("%d fragments: stores %.3f ms, wide %.3f (ratio %.2f), apart %.3f (%.2f); ", TILES, stored[NEXT],
           stored[WIDE], stored[NEXT] / stored[WIDE], stored[APART], stored[APART] / stored[WIDE]);
    printf("loads %.3f ms, wide %.3f (ratio %.2f), apart %.3f (%.2f)\n", loaded[NEXT], loaded[WIDE],
           loaded[NEXT] / loaded[WIDE], loaded[APART], loaded[APART] / loaded[WIDE]);
}

int main() {
    size_t bytes = size_t(2) << 30;
    half *matrix;
    float *sums;
    cudaMalloc(&matrix, bytes);
    cudaMalloc(&sums, bytes / 16);
    cudaMemset(matrix, 0, bytes);
    compare<2>(matrix, sums, bytes);
    compare<4>(matrix, sums, bytes);
    compare<8>(matrix, sums, bytes);
    compare<16>(matrix, sums, bytes);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
