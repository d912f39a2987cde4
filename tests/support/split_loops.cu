// Loops whose counter meets a number of the thread: nvcc makes two of some. What an H200 counted lies beside it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define OWN_ELEMENT \
    int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i >= n) return; \
    float s = 0

__global__ void large(float *out, const float *in, int n) {
    OWN_ELEMENT;
    for (int j = 0; j < n; ++j)
        if (j != i) s += in[j] * 2;
    out[i] = s;
}

__global__ void const_8(float *out, const float *in) {
    const int n = 8;
    OWN_ELEMENT;
    for (int j = 0; j < 8; ++j)
        if (j != i) s += in[j] * 2;
    out[i] = s;
}

__global__ void const_64(float *out, const float *in) {
    const int n = 64;
    OWN_ELEMENT;
    for (int j = 0; j < 64; ++j)
        if (j != i) s += in[j] * 2;
    out[i] = s;
}

__global__ void const_2048(float *out, const float *in) {
    const int n = 2048;
    OWN_ELEMENT;
    for (int j = 0; j < 2048; ++j)
        if (j != i) s += in[j] * 2;
    out[i] = s;
}

__global__ void once(float *out, const float *in, int n) {
    OWN_ELEMENT;
#pragma unroll 1
    for (int j = 0; j < n; ++j)
        if (j != i) s += in[j] * 2;
    out[i] = s;
}

__global__ void by_two(float *out, const float *in, int n) {
    OWN_ELEMENT;
    for (int j = 0; j < n; j += 2)
        if (j != i) s += in[j] * 2;
    out[i] = s;
}

__global__ void scaled(float *out, const float *in, int n) {
    OWN_ELEMENT;
    for (int j = 0; j < n; ++j)
        if (2 * j != i) s += in[j] * 2;
    out[i] = s;
}

__global__ void beside(float *out, const float *in, const float *more, int n) {
    OWN_ELEMENT;
    for (int j = 0; j < n; ++j) {
        float m = more[j];
        s += m;
        if (j != i) s += in[j] * m;
    }
    out[i] = s;
}

__global__ void outside_only(float *out, const float *in, int n) {
    OWN_ELEMENT;
    for (int j = 0; j < n; ++j) {
        float m = in[j];
        if (j != i) s += m;
    }
    out[i] = s;
}

__global__ void below(float *out, const float *in, int n) {
    OWN_ELEMENT;
    for (int j = 0; j < n; ++j)
        if (j < i) s += in[j] * 2;
    out[i] = s;
}

__global__ void either(float *out, const float *in, const float *more, int n) {
    OWN_ELEMENT;
    for (int j = 0; j < n; ++j) {
        if (j < i) s += in[j] * 2;
        else s -= more[j];
    }
    out[i] = s;
}

__global__ void only(float *out, const float *in, int n) {
    OWN_ELEMENT;
    for (int j = 0; j < n; ++j)
        if (j == i) s += in[j] * 2;
    out[i] = s;
}

__global__ void tiled(float *out, const float *in, int n) {
    __shared__ float tile[128];
    OWN_ELEMENT;
    for (int base = 0; base < n; base += 128) {
        tile[threadIdx.x] = in[base + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; ++k)
            if (base + k != i) s += tile[k] * 2;
        __syncthreads();
    }
    out[i] = s;
}

__global__ void inner(float *out, const float *in, int n) {
    OWN_ELEMENT;
    for (int r = 0; r < 4; ++r)
        for (int j = 0; j < n; ++j)
            if (j != i) s += in[r * n + j] * 2;
    out[i] = s;
}

__global__ void by_block(float *out, const float *in, int n) {
    OWN_ELEMENT;
    for (int j = 0; j < n; ++j)
        if (j != (int)blockIdx.x) s += in[j] * 2;
    out[i] = s;
}

__global__ void stores(float *out, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    for (int j = 0; j < n; ++j)
        if (j != i) out[j * 128 + i] = 1;
}

__global__ void both(float *out, const float *in, int n) {
    OWN_ELEMENT;
    for (int j = 0; j < n; ++j)
        if (j != i && in[j] > 0) s += in[j] * 2;
    out[i] = s;
}

__global__ void pair(float *out, const float *in, int n) {
    int x = threadIdx.x, y = threadIdx.y;
    float s = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (!(dx == 0 && dy == 0)) s += in[(y + 1 + dy) * n + x + 1 + dx];
    out[y * n + x] = s;
}

__global__ void unsigned_i(float *out, const float *in, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (unsigned j = 0; j < n; ++j)
        if (j != i) s += in[j] * 2;
    out[i] = s;
}

__global__ void row_guard(float *out, const float *in, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    float s = 0;
    for (int j = 0; j < n; ++j)
        if (j != i) s += in[j] * 2;
    out[i] = s;
}

__global__ void inside_if(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = 0;
        for (int j = 0; j < n; ++j) {
            if (j == i) continue;
            float d = in[j] - in[i];
            s += d * rsqrtf(d * d + 0.1f);
        }
        out[i] = s;
    }
}

__global__ void heavy_open(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int j = 0; j < n; ++j) {
        if (j == i) continue;
        float d = in[j] - in[i];
        s += d * rsqrtf(d * d + 0.1f);
    }
    out[i] = s;
}
static float *filled(size_t count) {
    static float values[1 << 18];
    for (size_t k = 0; k < count; ++k) values[k] = 1 + k % 37;
    float *pointer = nullptr;
    if (cudaMalloc(&pointer, sizeof values) != cudaSuccess) exit(1);
    cudaMemcpy(pointer, values, sizeof values, cudaMemcpyHostToDevice);
    return pointer;
}

int main() {
    float *in = filled(1 << 18), *out = filled(1 << 18), *more = filled(1 << 18);
    large<<<16, 128>>>(out, in, 2048);
    const_8<<<16, 128>>>(out, in);
    const_64<<<16, 128>>>(out, in);
    const_2048<<<16, 128>>>(out, in);
    once<<<16, 128>>>(out, in, 2048);
    by_two<<<16, 128>>>(out, in, 2048);
    scaled<<<16, 128>>>(out, in, 2048);
    beside<<<16, 128>>>(out, in, more, 2048);
    outside_only<<<16, 128>>>(out, in, 2048);
    below<<<16, 128>>>(out, in, 2048);
    either<<<16, 128>>>(out, in, more, 2048);
    only<<<16, 128>>>(out, in, 2048);
    tiled<<<16, 128>>>(out, in, 2048);
    inner<<<16, 128>>>(out, in, 2048);
    by_block<<<16, 128>>>(out, in, 2048);
    stores<<<1, 128>>>(out, 100);
    both<<<16, 128>>>(out, in, 2048);
    pair<<<1, dim3(32, 4)>>>(out, in, 64);
    unsigned_i<<<16, 128>>>(out, in, 2048);
    row_guard<<<16, 128>>>(out, in, 2048, 2048);
    inside_if<<<16, 128>>>(out, in, 2048);
    heavy_open<<<16, 128>>>(out, in, 2048);
    cudaError_t status = cudaDeviceSynchronize();
    cudaFree(in), cudaFree(out), cudaFree(more);
    if (status != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return status != cudaSuccess;
}
