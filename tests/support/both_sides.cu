// What conditions part, and nvcc may join: both sides of an `if`, and what one of them leaves in a register. What an H200
// counted lies beside it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void two_places(float *out, const float *in) {
    int t = threadIdx.x;
    if (t % 3)
        out[2 * t] = in[t];
    else
        out[3 * t + 1] = in[2 * t];
}

__global__ void one_place(float *out) {
    int t = threadIdx.x;
    if (t % 32 < 16)
        out[t] = 1;
    else
        out[t] = 2;
}

__global__ void loads_of_one_place(float *out, const float *in) {
    int t = threadIdx.x;
    float v;
    if (t % 32 < 8)
        v = in[t];
    else
        v = in[t] * 2 + 1;
    out[t] = v;
}

__global__ void warps_apart(float *out, const float *in) {
    int t = threadIdx.x;
    if (t < 128)
        out[t] = in[t];
    else
        out[t] = in[t] * 2;
}

__global__ void warps_of_other_cost(float *out, const float *in) {
    int t = threadIdx.x;
    if (t < 128)
        out[t] = in[t];
    else
        out[4 * t] = in[8 * t];
}

__global__ void nobody_on_one(float *out, const float *in) {
    int t = threadIdx.x;
    if (t < 256)
        out[t] = in[t];
    else
        out[4 * t] = in[8 * t];
}

__global__ void by_return(float *out, const float *in) {
    int t = threadIdx.x;
    if (t % 5 == 0) {
        out[2 * t] = in[3 * t];
        return;
    }
    out[t + 1000] = in[t];
}

__global__ void by_switch(float *out) {
    int t = threadIdx.x;
    switch (t & 3) {
        case 0: out[t] = 1; break;
        case 1: out[2 * t] = 2; break;
        default: out[3 * t] = 3;
    }
}

__global__ void a_choice(float *out, const float *in) {
    int t = threadIdx.x;
    out[t] = t % 2 ? in[t] : in[4 * t + 2000];
}

__global__ void adds(float *out) {
    int t = threadIdx.x;
    if (t % 7 < 3)
        out[t] += 1;
    else
        out[2 * t] += 1;
}

__global__ void in_shared_memory(float *out, const float *in) {
    __shared__ float s[1024];
    int t = threadIdx.x;
    if (t % 32 < 20)
        s[t] = in[t];
    else
        s[t] = 0;
    if (t % 2)
        s[256 + t] = 1;
    else
        s[512 + 2 * t % 256] = 2;
    __syncthreads();
    out[t] = s[255 - t] + s[256 + t] + s[512 + t];
}

__global__ void overwritten(float *out) {
    int t = threadIdx.x;
    out[t] = 0;
    if (t % 32 < 9) out[t] = 1;
}

__global__ void stored_before(float *out, float *more) {
    int t = threadIdx.x;
    if (t % 32 < 12) out[3 * t] = 7;
    more[t] = out[3 * t];
}

__global__ void loaded_before(float *out, const float *in) {
    int t = threadIdx.x;
    float v = 1;
    if (t % 4 == 1) v = sqrtf(in[5 * t]) * 3;
    out[t] = v * in[5 * t];
}

__global__ void alone(float *out) {
    int t = threadIdx.x;
    float v = out[t];
    if (t % 2)
        out[t] = v + 3;
    else
        out[t + 1] = -v;
}

__global__ void passed_by(float *out) {
    int t = threadIdx.x;
    if (t % 32 < 8)
        out[t] = 1;
    else if (t % 32 < 20)
        out[t] = 2;
}

static float *filled(size_t count) {
    static float values[1 << 16];
    for (size_t k = 0; k < count; ++k) values[k] = 1 + k % 37;
    float *pointer = nullptr;
    if (cudaMalloc(&pointer, sizeof values) != cudaSuccess) exit(1);
    cudaMemcpy(pointer, values, sizeof values, cudaMemcpyHostToDevice);
    return pointer;
}

int main() {
    float *in = filled(1 << 16), *out = filled(1 << 16), *more = filled(1 << 16);
    two_places<<<4, 256>>>(out, in);
    one_place<<<4, 256>>>(out);
    loads_of_one_place<<<4, 256>>>(out, in);
    warps_apart<<<4, 256>>>(out, in);
    warps_of_other_cost<<<4, 256>>>(out, in);
    nobody_on_one<<<4, 256>>>(out, in);
    by_return<<<4, 256>>>(out, in);
    by_switch<<<4, 256>>>(out);
    a_choice<<<4, 256>>>(out, in);
    adds<<<4, 256>>>(out);
    in_shared_memory<<<4, 256>>>(out, in);
    overwritten<<<4, 256>>>(out);
    stored_before<<<4, 256>>>(out, more);
    loaded_before<<<4, 256>>>(out, in);
    alone<<<4, 256>>>(out);
    passed_by<<<4, 256>>>(out);
    cudaError_t status = cudaDeviceSynchronize();
    cudaFree(in), cudaFree(out), cudaFree(more);
    if (status != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return status != cudaSuccess;
}
