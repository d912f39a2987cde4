// Launches of so many blocks and iterations that some of them stand for others. What an H200 counted lies beside it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int TILE = 16;

__global__ void tail(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[3 * i + 1] = 1;
}

__global__ void ends(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!(i >= 5 && i < n - 5)) out[i + 3] = 1;
}

__global__ void border(float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) out[y * width + x] = 1;
}

__global__ void window(float *out, const float *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < 5; ++k)
        if (x + k < width && y < height) sum += in[y * width + x + k];
    if (x < width && y < height) out[y * width + x] = sum;
}

__global__ void product(float *c, const float *a, const float *b, int n) {
    __shared__ float left[TILE][TILE], right[TILE][TILE + 1];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += TILE) {
        left[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? a[row * n + k + threadIdx.x] : 0.0f;
        right[threadIdx.x][threadIdx.y] = k + threadIdx.y < n && col < n ? b[(k + threadIdx.y) * n + col] : 0.0f;
        __syncthreads();
#pragma unroll 1
        for (int j = 0; j < TILE; ++j) sum += left[threadIdx.y][j] * right[threadIdx.x][j];
        __syncthreads();
    }
    if (row < n && col < n) c[row * n + col] = sum;
}

__global__ void volume(float *out, const float *in, int width, int height, int depth) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= width || y >= height || z >= depth) return;
    out[(z * height + y) * width + x] = in[(x * height + y) * depth + z];
}

__global__ void chosen_blocks(float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x % 7 == 3 || threadIdx.x < 5) out[2 * i] = 1;
}

__global__ void clamped(float *out, const float *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
#pragma unroll 1
    for (int i = -2; i <= 2; ++i)
#pragma unroll 1
        for (int j = -2; j <= 2; ++j)
            sum += in[max(0, min(height - 1, y + i)) * width + max(0, min(width - 1, x + j))];
    out[y * width + x] = sum;
}

__global__ void mirrored(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int j = -3; j <= 3; ++j) {
        int at = i + j;
        sum += in[at < 0 ? -at : at >= n ? 2 * n - 2 - at : at];
    }
    out[i] = sum;
}

static float *zeros(size_t count) {
    float *pointer = nullptr;
    if (cudaMalloc(&pointer, count * sizeof(float)) != cudaSuccess) exit(1);
    cudaMemset(pointer, 0, count * sizeof(float));
    return pointer;
}

int main() {
    float *in = zeros(1 << 21), *out = zeros(1 << 21), *more = zeros(1 << 21);
    tail<<<3000, 64>>>(out, 3000 * 64 - 37);
    ends<<<3000, 64>>>(out, 3000 * 64);
    border<<<dim3(48, 40), dim3(16, 8)>>>(out, 48 * 16 - 5, 40 * 8);
    window<<<dim3(90, 44), dim3(16, 8)>>>(out, in, 90 * 16 - 9, 44 * 8 - 1);
    product<<<dim3(38, 38), dim3(TILE, TILE)>>>(out, in, more, 600);
    volume<<<dim3(14, 14, 14), dim3(8, 8, 8)>>>(out, in, 109, 107, 110);
    chosen_blocks<<<2000, 96>>>(out);
    clamped<<<dim3(60, 40), dim3(16, 8)>>>(out, in, 60 * 16 - 7, 40 * 8 - 3);
    mirrored<<<2000, 96>>>(out, in, 2000 * 96);
    cudaError_t status = cudaDeviceSynchronize();
    cudaFree(in), cudaFree(out), cudaFree(more);
    if (status != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return status != cudaSuccess;
}
