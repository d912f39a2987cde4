// Stores that are overwritten before anyone may have read them, and loads of what is in a register on some ways.
__global__ void sum_in_shared(const float *in, float *out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    s[t] +=
        in[t];
    s[t] +=
        in[t + 256];
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void loaded_between(float *in, float *out) {
    int t = threadIdx.x;
    out[t] = 1;
    float a = in[t];
    out[t] = a;
}

__global__ void others_stored_between(float *out, int n) {
    int t = threadIdx.x;
    out[t] = 1;
    out[t + 1000] = 2;
    out[2 * t + n] = 3;
    out[t] = 4;
    out[t + 1000] = 5;
}

__global__ void branch_between(float *__restrict__ in, float *__restrict__ out, int n) {
    int t = threadIdx.x;
    out[t] = 1;
    if (t < n)
        out[t + 1000] = in[t];
    out[t] = 3;
}

__global__ void added_in_loop(const float *in, float *out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int k = 0; k < 4; k++)
        s[t] += in[t + k * 256];
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void added_in_loop_of_launch(const float *in, float *out, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 0;
    for (int k = 0; k < n; k++)
        s[t] += in[t + k * 256];
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void atomics_between(const float *in, float *out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = 2;
    atomicAdd(&out[t], 1.0f);
    s[t] = in[t + 256];
    __syncthreads();
    out[t] = s[t ^ 1];
}

__global__ void loaded_in_branch_of_launch(const float *in, float *out, int n) {
    __shared__ float s[300];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = 0;
    if (i < n)
        s[t + 8] = in[i] + 1;
    if (t < 4)
        s[t] = in[i];
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 8];
}

__global__ void loaded_on_one_way(float *p, const float *q, int n) {
    int t = threadIdx.x;
    float a = 0;
    if (t != n)
        a = p[t] * q[t];
    p[t] += a * n;
}

__global__ void set_in_branch(float *out, int n) {
    int t = threadIdx.x;
    out[t] = 1;
    if (t < n)
        out[t] = 3;
}

int main() {
    float *a, *b;
    cudaMalloc(&a, 1 << 20);
    cudaMalloc(&b, 1 << 20);
    sum_in_shared<<<1, 256>>>(a, b);
    loaded_between<<<1, 256>>>(a, b);
    others_stored_between<<<1, 256>>>(b, 4000);
    branch_between<<<1, 256>>>(a, b, 100);
    added_in_loop<<<1, 256>>>(a, b);
    added_in_loop_of_launch<<<1, 256>>>(a, b, 4);
    atomics_between<<<1, 256>>>(a, b);
    loaded_in_branch_of_launch<<<4, 256>>>(a, b, 1024);
    loaded_on_one_way<<<1, 256>>>(a, b, 100);
    set_in_branch<<<1, 256>>>(b, 100);
    return cudaDeviceSynchronize();
}
