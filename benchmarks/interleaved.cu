// Time of lanes that load or store all fields of a struct each, beside arrays per field: what the caches absorb.
//
//     nvcc -O3 -arch=native --extended-lambda -o interleaved benchmarks/interleaved.cu && ./interleaved 26 && ./interleaved 21
//
// The argument is the binary logarithm of the floats that each kernel moves: 26 lie in memory, 21 in the L2 cache.
// "loop" is the same in a loop that is not unrolled; "copy" stores what it loads from arrays per field. In "rows"
// threadIdx.y is the field, so that each warp moves one of them. rules/support/caching.py and block_sectors.py quote the
// ratios.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#include "milliseconds.cuh"

constexpr int THREADS = 256;

template <int FIELDS> __device__ size_t place(int i, int field, int count, bool interleaved) {
    return interleaved ? size_t(i) * FIELDS + field : size_t(field) * count + i;
}

template <int FIELDS, bool INTERLEAVED, int UNROLL, typename T> __global__ void load(T *out, const T *in, int count) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count) return;
    T sum = 0;
#pragma unroll UNROLL
    for (int field = 0; field < FIELDS; ++field)
        sum += in[place<FIELDS>(i, field, count, INTERLEAVED)];
    out[i] = sum;
}

template <int FIELDS, bool INTERLEAVED, int UNROLL, typename T> __global__ void store(T *out, const T *in, int count) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count) return;
    T value = in[i];
#pragma unroll UNROLL
    for (int field = 0; field < FIELDS; ++field)
        out[place<FIELDS>(i, field, count, INTERLEAVED)] = value + field;
}

template <int FIELDS, bool INTERLEAVED, int UNROLL, typename T> __global__ void update(T *out, const T *, int count) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count) return;
#pragma unroll UNROLL
    for (int field = 0; field < FIELDS; ++field)
        out[place<FIELDS>(i, field, count, INTERLEAVED)] *= 2;
}

template <int FIELDS, bool INTERLEAVED, typename T> __global__ void copy(T *out, const T *in, int count) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= count) return;
    T values[FIELDS];
#pragma unroll
    for (int field = 0; field < FIELDS; ++field)
        values[field] = in[place<FIELDS>(i, field, count, false)];
#pragma unroll
    for (int field = 0; field < FIELDS; ++field)
        out[place<FIELDS>(i, field, count, INTERLEAVED)] = values[field];
}

template <int FIELDS, bool INTERLEAVED, bool LOADS, typename T> __global__ void rows(T *out, const T *in, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, field = threadIdx.y;
    if (i >= count) return;
    size_t mixed = place<FIELDS>(i, field, count, INTERLEAVED), apart = place<FIELDS>(i, field, count, false);
    out[LOADS ? apart : mixed] = in[LOADS ? mixed : apart] * 2;
}

template <int FIELDS, int UNROLL, typename T> void compare(const char *what, T *out, T *in, size_t bytes) {
    int count = int(bytes / sizeof(T) / FIELDS), blocks = (count + THREADS - 1) / THREADS;
    float loads = milliseconds([&] { load<FIELDS, true, UNROLL><<<blocks, THREADS>>>(out, in, count); })
        / milliseconds([&] { load<FIELDS, false, UNROLL><<<blocks, THREADS>>>(out, in, count); });
    float stores = milliseconds([&] { store<FIELDS, true, UNROLL><<<blocks, THREADS>>>(out, in, count); })
        / milliseconds([&] { store<FIELDS, false, UNROLL><<<blocks, THREADS>>>(out, in, count); });
    float updates = milliseconds([&] { update<FIELDS, true, UNROLL><<<blocks, THREADS>>>(out, in, count); })
        / milliseconds([&] { update<FIELDS, false, UNROLL><<<blocks, THREADS>>>(out, in, count); });
    printf("  %s: loads %.2f, stores %.2f, updates %.2f", what, loads, stores, updates);
}

template <int FIELDS, typename T> void compare_rows(const char *what, T *out, T *in, size_t bytes) {
    int count = int(bytes / sizeof(T) / FIELDS), blocks = (count + 63) / 64;
    dim3 block(64, FIELDS);
    float loads = milliseconds([&] { rows<FIELDS, true, true><<<blocks, block>>>(out, in, count); })
        / milliseconds([&] { rows<FIELDS, false, true><<<blocks, block>>>(out, in, count); });
    float stores = milliseconds([&] { rows<FIELDS, true, false><<<blocks, block>>>(out, in, count); })
        / milliseconds([&] { rows<FIELDS, false, false><<<blocks, block>>>(out, in, count); });
    printf("  %s: loads %.2f, stores %.2f", what, loads, stores);
}

template <int FIELDS> void shared(float *out, float *in, size_t bytes) {
    int count = int(bytes / sizeof(float) / FIELDS), blocks = (count + THREADS - 1) / THREADS;
    float copies = milliseconds([&] { copy<FIELDS, true><<<blocks, THREADS>>>(out, in, count); })
        / milliseconds([&] { copy<FIELDS, false><<<blocks, THREADS>>>(out, in, count); });
    printf("%2d fields  copy, float: %.2f", FIELDS, copies);
    compare_rows<FIELDS>("rows, float", out, in, bytes);
    compare_rows<FIELDS>("rows, double", (double *)out, (double *)in, bytes);
    printf("\n");
}

template <int FIELDS> void all(void *out, void *in, size_t bytes) {
    printf("%2d fields", FIELDS);
    compare<FIELDS, FIELDS>("float", (float *)out, (float *)in, bytes);
    compare<FIELDS, 1>("float, loop", (float *)out, (float *)in, bytes);
    compare<FIELDS, FIELDS>("double", (double *)out, (double *)in, bytes);
    printf("\n");
}

int main(int argc, char **argv) {
    size_t bytes = sizeof(float) << (argc > 1 ? atoi(argv[1]) : 26);
    void *in = nullptr, *out = nullptr;
    if (cudaMalloc(&in, bytes) != cudaSuccess || cudaMalloc(&out, bytes) != cudaSuccess) return EXIT_FAILURE;
    cudaMemset(in, 0, bytes);
    all<2>(out, in, bytes);
    all<3>(out, in, bytes);
    all<4>(out, in, bytes);
    all<5>(out, in, bytes);
    all<6>(out, in, bytes);
    all<7>(out, in, bytes);
    all<8>(out, in, bytes);
    all<9>(out, in, bytes);
    all<10>(out, in, bytes);
    all<12>(out, in, bytes);
    all<15>(out, in, bytes);
    all<16>(out, in, bytes);
    all<18>(out, in, bytes);
    all<24>(out, in, bytes);
    all<32>(out, in, bytes);
    shared<2>((float *)out, (float *)in, bytes);
    shared<3>((float *)out, (float *)in, bytes);
    shared<4>((float *)out, (float *)in, bytes);
    shared<5>((float *)out, (float *)in, bytes);
    shared<6>((float *)out, (float *)in, bytes);
    shared<7>((float *)out, (float *)in, bytes);
    shared<8>((float *)out, (float *)in, bytes);
    shared<9>((float *)out, (float *)in, bytes);
    shared<12>((float *)out, (float *)in, bytes);
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return status != cudaSuccess;
}
