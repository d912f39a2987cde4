// The source that the exports beside it were profiled from: its kernels stand at the lines that they name.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int N = 1 << 14;

__global__ void copy_stride_1(float *out, const float *in, int stride) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    out[i] = in[i];

}

__global__ void copy_stride_2(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[2 * i];

    out[i] = value;

}

__global__ void copy_every_nth(float *out, const float *in, int nth) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i * nth < 4 * N)
        out[i] = -in[i * nth];


}

template <int STRIDE>
__global__ void scatter_every(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = in[i];

    out[i * STRIDE] = value;

}

#define DEFINE_STRIDED_SCALE(name, S)                            \
    __global__ void name(float *data, float factor) {            \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;      \
        data[(S) * i] *= factor;                                 \
    }


DEFINE_STRIDED_SCALE(scale_stride_16, 16)




__global__ void zero_stride_32(float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i << 5] = 0.0f;

}

__global__ void copy_stride_3(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *mine = in + 3 * i;
    out[i] = *mine;


}


__global__ void count_every_eighth(int *counters) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&counters[8 * i], 1);

}

__global__ void count_each(int *counters) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(counters + i, 1);

}


__global__ void copy_by_every_eighth_thread(float *out, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 8 == 0)
        out[i] = in[i];

}

template <typename T>
static T *zeros(size_t count) {
    T *pointer = nullptr;
    if (cudaMalloc(&pointer, count * sizeof(T)) != cudaSuccess)
        exit(1);
    cudaMemset(pointer, 0, count * sizeof(T));
    return pointer;
}

int main() {
    float *a = zeros<float>(32 * N), *b = zeros<float>(32 * N);
    int *counters = zeros<int>(8 * N);
    dim3 grid(N / 256), block(256);

    copy_stride_1<<<grid, block>>>(b, a, 1);
    copy_stride_2<<<grid, block>>>(b, a);
    copy_every_nth<<<grid, block>>>(b, a, 4);
    scatter_every<8><<<grid, block>>>(b, a);
    scale_stride_16<<<grid, block>>>(a, 2.0f);
    zero_stride_32<<<grid, block>>>(b);
    copy_stride_3<<<grid, block>>>(b, a);
    count_every_eighth<<<grid, block>>>(counters);
    count_each<<<grid, block>>>(counters);
    copy_by_every_eighth_thread<<<grid, block>>>(b, a);

    cudaError_t status = cudaDeviceSynchronize();
    cudaFree(a), cudaFree(b), cudaFree(counters);
    if (status != cudaSuccess)
        fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return status != cudaSuccess;
}
