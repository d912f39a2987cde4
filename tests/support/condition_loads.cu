// Loops that lanes leave by what their own condition loads. What an H200 counted lies beside it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int N = 4096;

__global__ void row(const int *first, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int e = first[i]; e < first[i + 1]; e++)
        sum += in[e];
    out[i] = sum;
}

__global__ void row_stored(const int *first, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = first[i]; e < first[i + 1]; e++)
        out[e] = in[e];
}

__global__ void row_restricted(const int *__restrict__ first, const float *__restrict__ in, float *__restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = first[i]; e < first[i + 1]; e++)
        out[e] = in[e];
}

__global__ void row_added(const int *first, const float *in, float *sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = first[i]; e < first[i + 1]; e++)
        atomicAdd(&sums[e % 32], in[e]);
}

__global__ void counted(const int *count, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < count[i]; k++)
        sum += sqrtf(in[k * N + i]);
    out[i] = sum;
}

__global__ void counted_stored(const int *count, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < count[i]; k++)
        out[k * N + i] = in[k * N + i];
}

__global__ void counted_synced(const int *count, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < count[i / 256 * 256]; k++) {
        sum += in[k * N + i];
        __syncthreads();
    }
    for (int k = 0; k < count[i]; k++) {
        sum += in[k * N + i];
        __threadfence_block();
    }
    out[i] = sum;
}

__global__ void counted_shared(const int *count, const float *in, float *out) {
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < count[i]; k++)
        tile[threadIdx.x] = in[k * N + i];
    __syncthreads();
    out[i] = tile[255 - threadIdx.x];
}

__global__ void shared_count(const int *count, const float *in, float *out) {
    __shared__ int counts[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    counts[threadIdx.x] = count[i];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < counts[threadIdx.x * 2 % 256]; k++)
        sum += in[k * N + i];
    out[i] = sum;
}

__global__ void shared_count_stored(const int *count, const float *in, float *out) {
    __shared__ int counts[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    counts[threadIdx.x] = count[i];
    __syncthreads();
    for (int k = 0; k < counts[threadIdx.x * 2 % 256]; k++)
        out[k * N + i] = in[k * N + i];
}

__global__ void flags(const int *flag, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    for (int k = 0; flag[k * N + i]; k++)
        count += k;
    out[i] = count;
}

__global__ void flags_and_limit(const int *flag, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    for (int k = 0; k < 32 && flag[k * N + i]; k++)
        count += k;
    out[i] = count;
}

__global__ void few_flags(const int *flag, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    for (int k = 0; k < 4 && flag[k * N + i]; k++)
        count += k;
    out[i] = count;
}

__global__ void limit_and_count(const int *count, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 32 && k < count[i]; k++)
        sum += in[k * N + i];
    out[i] = sum;
}

__global__ void few_or_count(const int *count, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 9 || k < count[i]; k++)
        sum += in[k * N + i];
    out[i] = sum;
}

__global__ void warp_count(const int *count, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < count[i / 32]; k++)
        out[k * N + i] = in[k * N + i];
}

__global__ void flags_at_end(const int *flag, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, count = 0, k = 0;
    do
        count += k;
    while (flag[k++ * N + i]);
    out[i] = count;
}

__device__ bool goes_on(const int *count, int k, int i) { return k < count[i]; }

__global__ void asked(const int *count, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; goes_on(count, k, i); k++)
        sum += in[k * N + i];
    out[i] = sum;
}

__global__ void two_nested(const int *count, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < count[j * N + i]; k++)
            sum += in[k * N + i];
    out[i] = sum;
}

int main() {
    int *count, *flag, *first;
    float *in, *out;
    cudaMallocManaged(&count, 4 * N * sizeof(int));
    cudaMallocManaged(&flag, 64 * N * sizeof(int));
    cudaMallocManaged(&first, (N + 1) * sizeof(int));
    cudaMallocManaged(&in, 64 * N * sizeof(float));
    cudaMallocManaged(&out, 64 * N * sizeof(float));
    srand(1);
    first[0] = 0;
    for (int i = 0; i < 4 * N; i++) count[i] = rand() % 40;
    for (int i = 0; i < N; i++) {
        first[i + 1] = first[i] + count[i];
        for (int k = 0; k < 64; k++) flag[k * N + i] = k < count[i];
    }
    for (int i = 0; i < 64 * N; i++) in[i] = 1.0f, out[i] = 0.0f;
    row<<<N / 256, 256>>>(first, in, out);
    row_stored<<<N / 256, 256>>>(first, in, out);
    row_restricted<<<N / 256, 256>>>(first, in, out);
    row_added<<<N / 256, 256>>>(first, in, out);
    counted<<<N / 256, 256>>>(count, in, out);
    counted_stored<<<N / 256, 256>>>(count, in, out);
    counted_synced<<<N / 256, 256>>>(count, in, out);
    counted_shared<<<N / 256, 256>>>(count, in, out);
    shared_count<<<N / 256, 256>>>(count, in, out);
    shared_count_stored<<<N / 256, 256>>>(count, in, out);
    flags<<<N / 256, 256>>>(flag, (int *)out);
    flags_and_limit<<<N / 256, 256>>>(flag, (int *)out);
    few_flags<<<N / 256, 256>>>(flag, (int *)out);
    limit_and_count<<<N / 256, 256>>>(count, in, out);
    few_or_count<<<N / 256, 256>>>(count, in, out);
    warp_count<<<N / 256, 256>>>(count, in, out);
    flags_at_end<<<N / 256, 256>>>(flag, (int *)out);
    asked<<<N / 256, 256>>>(count, in, out);
    two_nested<<<N / 256, 256>>>(count, in, out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return cudaGetLastError() != cudaSuccess;
}
