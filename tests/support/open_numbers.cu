// Addresses with numbers that nothing gives, for tests of what can be supposed for them.
#include <cuda_pipeline.h>

struct Rows {
    float *data;
    int pitch;
};

struct Triple {
    float a, b, c;
};

extern __shared__ float tile[];
extern __shared__ Triple triples[];

__device__ int at(int row, int pitch, int col) { return row * pitch + col; }

__global__ void products(Rows rows, int n, int m) {
    tile[at(threadIdx.x, rows.pitch, threadIdx.y)] = 1;
    tile[threadIdx.x * (n + m) + threadIdx.y * n * m] = 2;
    tile[threadIdx.x * (n + 1) * 4] += 1;
    triples[threadIdx.x * n] = triples[threadIdx.x + n];
    ((float4 *)tile)[threadIdx.x * n] = make_float4(0, 0, 0, 0);
    tile[threadIdx.x * (n & ~3)] = 1;
    tile[threadIdx.x * ((n + 31) / 32 * 32 + 1)] = 1;
    rows.data[threadIdx.x * rows.pitch + blockIdx.x * n] = 0;
}

__global__ void operations(float *out, const float *in, int n, int m) {
    out[threadIdx.x & n] = in[threadIdx.x ^ n];
    tile[threadIdx.x * n / 3] = 1;
    tile[min((int)threadIdx.x * 2, n)] = in[threadIdx.x << (n & 7)];
    tile[(threadIdx.x * n + m) % 1024] = in[threadIdx.x * n % m];
    tile[(threadIdx.x / n) * m + threadIdx.x % n] = 1;
}

__global__ void atomics(int n) {
    atomicAdd(&tile[threadIdx.x * n], 1.0f);
    atomicAdd((int *)&tile[threadIdx.x * n], 1);
    atomicCAS((int *)&tile[threadIdx.x * n], 0, 1);
}

__global__ void guarded(int n, int m) {
    if (threadIdx.x < m)
        tile[threadIdx.x * n + m] = 3;
    for (int k = threadIdx.y; k < n; k += blockDim.y)
        tile[k * n + threadIdx.x] = tile[threadIdx.x * n + k];
    for (int k = 0; k < m; k++)
        tile[(threadIdx.x * n) ^ k] = 0;
    tile[threadIdx.x * blockIdx.x] = n > 4 ? tile[threadIdx.x * n] : tile[threadIdx.x * m];
}

__global__ void loaded(const int *pitch, const int *rows, float *out) {
    tile[threadIdx.x * pitch[0]] = out[threadIdx.x * rows[blockIdx.x]];
}

__global__ void copies(float *in, int n) {
    __pipeline_memcpy_async(&tile[threadIdx.x * n], &in[threadIdx.x], 4);
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x * n], 4);
}

__global__ void tiles(const float *in, int width, int pitch) {
    int row = threadIdx.y, col = threadIdx.x;
    const float4 *from = (const float4 *)in;
    __pipeline_memcpy_async(&tile[row * 16 + col], &in[(blockIdx.y * 16 + row) * width + blockIdx.x * 16 + col], 4);
    __pipeline_memcpy_async(&((float4 *)tile)[row * pitch + col], &from[(blockIdx.y * 16 + row) * width + col], 16);
    __pipeline_memcpy_async(&((float4 *)tile)[row * 16 + col], &from[row * width + col], 16);
}
