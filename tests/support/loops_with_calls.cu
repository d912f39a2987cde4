// What leaves loops that call functions: what is put in place keeps nothing, what lanes exchange and barriers do.
__device__ float squared(float x) { return x * x; }

__device__ float element(const float *p, int i) {
    return p[i];
}

__device__ float positive(const float *p, int i, float x) {
    if (x > 0)
        return p[i];
    return x;
}

__global__ void library(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = t; i < n; i += 256)
        s[t] += expf(in[i]) * powf(in[i], 1.5f);
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void largest(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = t; i < n; i += 256)
        s[t] = fmaxf(s[t], in[i]);
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void own(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = t; i < n; i += 256)
        s[t] += squared(in[i]);
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void loads_inside(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float a = 0;
    s[t] = in[t];
    __syncthreads();
    for (int i = t; i < n; i += 256)
        a += squared(in[i]) * element(s, 255 - t);
    out[t] = a;
}

__global__ void branch_inside(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float a = 0;
    s[t] = in[t];
    __syncthreads();
    for (int i = t; i < n; i += 256)
        a += positive(s, 255 - t, in[i]);
    out[t] = a;
}

__global__ void atomics(const float *in, float *out, int *counts, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = t; i < n; i += 256) {
        s[t] += in[i];
        atomicAdd(&counts[i & 7], 1);
    }
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void exchange(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = t; i < n; i += 256)
        s[t] += __shfl_xor_sync(~0u, in[i], 1);
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void votes(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = t; i < n; i += 256)
        s[t] += __ballot_sync(~0u, in[i] > 0);
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void fences(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = t; i < n; i += 256) {
        s[t] += in[i];
        __threadfence_block();
    }
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void times(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int i = t; i < n; i += 256)
        s[t] += in[i] + clock();
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void promised_in_exchange(const float *__restrict__ q, const float *__restrict__ k,
                                     float *__restrict__ out, int n) {
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++)
        a += __shfl_xor_sync(~0u, k[i * 256 + t], 1) * q[t];
    out[t] = a;
}

__global__ void promised_in_barriers(const float *__restrict__ q, const float *__restrict__ k,
                                     float *__restrict__ out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++) {
        s[t] = k[i * 256 + t];
        __syncthreads();
        a += s[t ^ 1] * q[t];
        __syncthreads();
    }
    out[t] = a;
}

__global__ void open_in_barriers(const float *q, const float *k, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++) {
        s[t] = k[i * 256 + t];
        __syncthreads();
        a += s[t ^ 1] * q[t];
        __syncthreads();
    }
    out[t] = a;
}

__global__ void open_in_exchange(const float *q, const float *k, float *out, int n) {
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++)
        a += __shfl_xor_sync(~0u, k[i * 256 + t], 1) * q[t];
    out[t] = a;
}

__global__ void branch_of_all_iterations(const float *q, const float *k, float *out, int n, int d) {
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++)
        if (t < d)
            a += q[t] * k[i * 256 + t];
    out[t] = a;
}

__global__ void branch_of_each_iteration(const float *q, const float *k, float *out, int n, int d) {
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++)
        if (t + i < d)
            a += q[t] * k[i * 256 + t];
    out[t] = a;
}

int main() {
    float *a, *b;
    int *c;
    cudaMalloc(&a, 1 << 20);
    cudaMalloc(&b, 1 << 20);
    cudaMalloc(&c, 1 << 20);
    cudaMemset(a, 0, 1 << 20);
    cudaMemset(c, 0, 1 << 20);
    library<<<1, 256>>>(a, b, 4096);
    largest<<<1, 256>>>(a, b, 4096);
    own<<<1, 256>>>(a, b, 4096);
    loads_inside<<<1, 256>>>(a, b, 4096);
    branch_inside<<<1, 256>>>(a, b, 4096);
    atomics<<<1, 256>>>(a, b, c, 4096);
    exchange<<<1, 256>>>(a, b, 4096);
    votes<<<1, 256>>>(a, b, 4096);
    fences<<<1, 256>>>(a, b, 4096);
    times<<<1, 256>>>(a, b, 4096);
    promised_in_exchange<<<1, 256>>>(a, a + 4096, b, 21);
    promised_in_barriers<<<1, 256>>>(a, a + 4096, b, 21);
    open_in_barriers<<<1, 256>>>(a, a + 4096, b, 21);
    open_in_exchange<<<1, 256>>>(a, a + 4096, b, 21);
    branch_of_all_iterations<<<1, 256>>>(a, a + 4096, b, 21, 100);
    branch_of_each_iteration<<<1, 256>>>(a, a + 4096, b, 21, 100);
    return cudaDeviceSynchronize();
}
