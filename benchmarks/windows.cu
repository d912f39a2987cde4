// Time of filters whose threads load the windows around their pixels, by blocks of several widths.
//
//     nvcc -O3 -arch=native -o windows benchmarks/windows.cu && ./windows
//
// A radius of 0 copies the image. rules/global_memory/narrow_block_rows.py quotes the ratios.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

template <typename T> __global__ void window(T *out, const T *in, int width, int height, int pitch, int radius) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int j = -radius; j <= radius; ++j)
        for (int i = -radius; i <= radius; ++i) {
            int u = min(max(x + i, 0), width - 1), v = min(max(y + j, 0), height - 1);
            sum += in[v * pitch + u];
        }
    out[y * pitch + x] = T(sum);
}

template <typename T> float fastest(dim3 block, int width, int height, int pitch, int radius, T *out, T *in) {
    dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    float least = 1e9f;
    for (int round = 0; round < 8; ++round) {
        cudaEventRecord(begin);
        window<<<grid, block>>>(out, in, width, height, pitch, radius);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, begin, end);
        if (round > 1 && milliseconds < least) least = milliseconds;
    }
    return least;
}

template <typename T> void row(const char *name, int size, int pitch) {
    T *out, *in;
    cudaMalloc(&out, sizeof(T) * size * pitch);
    cudaMalloc(&in, sizeof(T) * size * pitch);
    cudaMemset(in, 0, sizeof(T) * size * pitch);
    for (int radius : {0, 1, 2, 4}) {
        float wide = fastest(dim3(32, 8), size, size, pitch, radius, out, in);
        printf("%-8s size %5d pitch %5d radius %d: 32x8 %.4f ms", name, size, pitch, radius, wide);
        for (dim3 block : {dim3(64, 4), dim3(32, 32), dim3(16, 16), dim3(8, 32), dim3(4, 64), dim3(2, 128)})
            printf("  %dx%d %.2f", block.x, block.y, fastest(block, size, size, pitch, radius, out, in) / wide);
        printf("\n");
    }
    cudaFree(out);
    cudaFree(in);
}

int main() {
    for (int size : {1024, 8192})
        for (int pitch : {size, size + 3}) {
            row<unsigned char>("char", size, pitch);
            row<unsigned short>("short", size, pitch);
            row<float>("float", size, pitch);
            row<double>("double", size, pitch);
        }
}
