// Launches of so many blocks and iterations that some of them stand for others.
#include <cuda_runtime.h>

__global__ void tail(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[3 * i + 1] = 0;
}

__global__ void border(float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) out[y * width + x] = 0;
}

__global__ void window(float *out, const float *in, int width, int height) {
    __shared__ float tile[8][24];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < 5; ++k)
        if (x + k < width && y < height) sum += in[y * width + x + k];
    if (y < height - 3) tile[threadIdx.y][threadIdx.x * 3 / 2] = sum;
    __syncthreads();
    if (blockIdx.x == 7 || threadIdx.x < 3) out[y * width + x] = tile[threadIdx.y][threadIdx.x];
}

__global__ void rounds(float *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = 0;
}

void run(float *out, const float *in) {
    tail<<<3000, 64>>>(out, 3000 * 64 - 37);
    border<<<dim3(48, 40), dim3(16, 8)>>>(out, 48 * 16 - 5, 40 * 8);
    window<<<dim3(90, 44), dim3(16, 8)>>>(out, in, 90 * 16 - 9, 44 * 8 - 1);
    rounds<<<700, 64>>>(out, 5 * 700 * 64 + 777);
}
