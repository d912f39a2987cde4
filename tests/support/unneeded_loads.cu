// Loads of which nvcc leaves out some, or makes some later: what an H200 counted lies beside it.
#include <cuda_runtime.h>

__global__ void first_held(float *o, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    for (int k = 0; k < 4; k++)
        v = fmaxf(v, x[i + k * 512]);
    o[i] = v;
}

__global__ void first_unknown(float *o, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    for (int k = 0; k < n; k++)
        v = fmaxf(v, x[i + k * 512]);
    o[i] = v;
}

__global__ void last_alone(float *o, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int k = 0; k < n; k++)
        v = x[i + k * 512];
    o[i] = v;
}

__global__ void last_with_sum(float *o, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0, sum = 0;
    for (int k = 0; k < n; k++) {
        sum += x[i + k * 512];
        v = x[i + k * 256 + 100];
    }
    o[i] = v + sum;
}

__global__ void meets_once(float *o, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        float v = o[4 * i + 2] * 2;
        o[4 * i + k] = v;
    }
}

__global__ void set_anew(float *o, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    if (i < n) {
        o[i] = v;
    }
    v = x[i + 4096];
    o[i + 4096] = v;
}

__global__ void on_one_side(float *o, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v;
    if (i < n) {
        v = x[i] * 2;
    } else {
        v = i;
        o[i + 8192] = v;
    }
    o[i] = x[i] + v;
}

int main() {
    float *o, *x;
    cudaMalloc(&o, 1 << 20);
    cudaMalloc(&x, 1 << 20);
    cudaMemset(x, 0, 1 << 20);
    cudaMemset(o, 0, 1 << 20);
    first_held<<<4, 256>>>(o, x, 7);
    first_unknown<<<4, 256>>>(o, x, 7);
    last_alone<<<4, 256>>>(o, x, 7);
    last_with_sum<<<4, 256>>>(o, x, 7);
    meets_once<<<4, 256>>>(o, x, 7);
    set_anew<<<4, 256>>>(o, x, 777);
    on_one_side<<<4, 256>>>(o, x, 777);
    return cudaDeviceSynchronize();
}
