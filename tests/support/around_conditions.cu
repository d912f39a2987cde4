// What nvcc joins, moves and leaves out around conditions. Read by tests/machine/test_around_conditions.py.
#include <cuda_runtime.h>

struct View {
    const float *p;
    __device__ float at(int i) const { return p[i]; }
};
__device__ void put(float *o, int i, int n, float v) {
    if (i < n)
        o[i] = v;
}

__global__ void ends_alike(float *o, const float *x, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 32 < n)
        o[t] = x[t];
    else
        o[t + 64] = x[2 * t];
}
__global__ void added_alike(float *o, const float *x, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 32 < n)
        o[t] += 1;
    else
        o[2 * t] += 1;
}
__global__ void left_by_return(float *o, const float *x, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 32 < n) {
        o[t] = 1;
        return;
    }
    o[2 * t] = 2;
}
__global__ void switched(float *o, const float *x, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    switch (t & 3) {
    case 0:
        o[t] = 1;
        break;
    case 1:
        o[2 * t] = 2;
        break;
    default:
        o[3 * t] = 3;
    }
}
__global__ void of_other_values(float *o, const float *x, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 32 < n)
        o[t + n] = x[t] + 1;
    else
        o[2 * t] = sqrtf(x[t + 1]);
}
__global__ void a_number_apart(float *o, const float *x, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[t];
    if (t % 32 < n)
        o[t] = v;
    else
        o[t + 1] = -v;
}
__global__ void in_other_arrays(float *o, const float *x, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[t], *p = o + 512;
    if (t % 32 < n)
        o[t] = v;
    else
        p[2 * t] = 3 * v + 1;
}
__global__ void equal_by_launch(float *__restrict__ o, const float *__restrict__ x, int n) {
    int t = threadIdx.x;
    float v = x[t + 10];
    float w = x[t + n];
    o[t] = v + 2 * w;
}
__global__ void stored_twice_by_launch(float *__restrict__ o, const float *__restrict__ x, int n) {
    int t = threadIdx.x;
    o[t * 10] = 1;
    o[t * n] = 2;
}
__global__ void loaded_back_by_launch(float *__restrict__ o, const float *__restrict__ x, int n) {
    int t = threadIdx.x;
    o[t + 10] = x[t];
    o[t + 64] = o[t + n];
}
__global__ void computed_before(float *o, const float *x, int n) {
    int t = threadIdx.x;
    float v = x[2 * t];
    float w = fabsf(v) + x[t + 64];
    if (t < n)
        o[t] = w;
}
__global__ void loaded_by_call(float *o, View x, int n) {
    int t = threadIdx.x;
    float v = x.at(2 * t);
    if (t < n)
        o[t] = v;
}
__global__ void passed_to_call(float *o, const float *x, int n) {
    int t = threadIdx.x;
    put(o, t, n, x[2 * t]);
}
__global__ void constant_past_store(float *o, const float *x, int n) {
    int t = threadIdx.x;
    float v = __ldg(&x[2 * t]);
    o[t + 64] = 1;
    if (t < n)
        o[t] = v;
}
__global__ void replaced_in_branch(float *o, const float *x, int n) {
    int t = threadIdx.x;
    float v = x[2 * t];
    if (t >= n) {
        o[t + 64] = 1;
        v = x[t + 128] * x[t + 300];
    } else {
        o[t + 64] = sqrtf(x[t]);
    }
    o[t] = v;
}
__global__ void before_skipped_loop(float *o, const float *x, int n) {
    int t = threadIdx.x;
    float v = x[2 * t];
    for (int i = t; i < n; i += 32)
        o[i] = v;
}
__global__ void before_loop_of_all(float *o, const float *x, int n) {
    int t = threadIdx.x;
    float v = x[2 * t], s = 0;
    for (int i = 0; i < n; i++)
        s += v * x[i];
    o[t] = s;
}
__global__ void one_place_in_loop(float *o, const float *__restrict__ x, int n) {
    int t = threadIdx.x;
    for (int i = 0; i < 12 * n; i++) {
        o[2 * t + 1] = x[i];
        o[i] = 1;
    }
}
__global__ void atomics_of_some(float *o, const float *x, int n) {
    int t = threadIdx.x;
    for (int i = t; i < n; i += 32)
        atomicAdd(&o[i * 64 + t], 1.0f);
    o[2 * t] = 1;
}
__global__ void atomics_behind_condition(float *o, const float *x, int n) {
    int t = threadIdx.x;
    if (t % 2 == 0)
        for (int i = 0; i < 5 * n; i++)
            atomicAdd(&o[i], 1.0f);
    o[2 * t] = 1;
}
__global__ void atomics_of_all(float *o, const float *x, int n) {
    int t = threadIdx.x;
    for (int i = 0; i < 5 * n; i++)
        atomicAdd(&o[i], 1.0f);
    o[2 * t] = 1;
}
__global__ void atomics_then_barrier(float *o, const float *x, int n) {
    int t = threadIdx.x;
    for (int i = t; i < n; i += 32)
        atomicAdd(&o[i * 64 + t], 1.0f);
    __syncthreads();
    o[2 * t] = 1;
}

int main() {
    float *o, *x;
    cudaMalloc(&o, 1 << 20);
    cudaMalloc(&x, 1 << 20);
    cudaMemset(o, 0, 1 << 20);
    cudaMemset(x, 0, 1 << 20);
    ends_alike<<<2, 64>>>(o, x, 10);
    added_alike<<<2, 64>>>(o, x, 10);
    left_by_return<<<2, 64>>>(o, x, 10);
    switched<<<2, 64>>>(o, x, 10);
    of_other_values<<<2, 64>>>(o, x, 10);
    a_number_apart<<<2, 64>>>(o, x, 10);
    in_other_arrays<<<2, 64>>>(o, x, 10);
    equal_by_launch<<<1, 64>>>(o, x, 10);
    stored_twice_by_launch<<<1, 64>>>(o, x, 10);
    loaded_back_by_launch<<<1, 64>>>(o, x, 10);
    computed_before<<<1, 64>>>(o, x, 10);
    loaded_by_call<<<1, 64>>>(o, View{x}, 10);
    passed_to_call<<<1, 64>>>(o, x, 10);
    constant_past_store<<<1, 64>>>(o, x, 10);
    replaced_in_branch<<<1, 64>>>(o, x, 10);
    before_skipped_loop<<<1, 64>>>(o, x, 10);
    before_loop_of_all<<<1, 64>>>(o, x, 10);
    one_place_in_loop<<<1, 64>>>(o, x, 10);
    atomics_of_some<<<1, 64>>>(o, x, 10);
    atomics_behind_condition<<<1, 64>>>(o, x, 10);
    atomics_of_all<<<1, 64>>>(o, x, 10);
    atomics_then_barrier<<<1, 64>>>(o, x, 10);
    return cudaDeviceSynchronize();
}
