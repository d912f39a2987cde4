// Loops that lanes leave by data, and by what an atomic returns. What an H200 counted lies beside it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__device__ double add(double *address, double value) {
    unsigned long long *bits = (unsigned long long *)address, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void cas_inside(float *out, unsigned *sums, const float *in) {
    int i = threadIdx.x;
    for (int it = 0; it < 64; it += 8) {
        float v = in[it * 32 + i];
        unsigned *p = &sums[i % 4], old = *p, assumed;
        do {
            assumed = old;
            old = atomicCAS(p, assumed, __float_as_uint(v + __uint_as_float(assumed)));
        } while (assumed != old);
        out[it * 32 + i] = v;
    }
}

__global__ void cas_while(float *out, unsigned *sums, const float *in, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float v = in[i];
        unsigned seen = sums[i % 4], old = atomicCAS(&sums[i % 4], seen, seen + 1);
        while (old != seen) {
            seen = old;
            old = atomicCAS(&sums[i % 4], seen, seen + 1);
        }
        out[i] = v;
    }
}

__global__ void cas_and_syncwarp(float *out, unsigned *sums, const float *in, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float v = in[i];
        unsigned seen = sums[i % 4], old = atomicCAS(&sums[i % 4], seen, seen + 1);
        while (old != seen) {
            seen = old;
            old = atomicCAS(&sums[i % 4], seen, seen + 1);
        }
        __syncwarp();
        out[i] = v;
    }
}

__global__ void cas_then_barrier(float *out, unsigned *sums, const float *in) {
    unsigned old = sums[threadIdx.x % 4], seen;
    do {
        seen = old;
        old = atomicCAS(&sums[threadIdx.x % 4], seen, seen + 1);
    } while (old != seen);
    out[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x + 64] = in[threadIdx.x + 64];
}

__global__ void cas_left_by_break(float *out, unsigned *sums, const float *in) {
    unsigned seen = sums[threadIdx.x % 4];
    while (true) {
        unsigned old = atomicCAS(&sums[threadIdx.x % 4], seen, seen + 1);
        if (old == seen) break;
        seen = old;
    }
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void cas_of_a_helper(float *out, double *sums, const float *in) {
    add(&sums[threadIdx.x % 4], in[threadIdx.x]);
    out[threadIdx.x] = in[threadIdx.x + 32];
}

__global__ void lock(float *out, const float *in, int *locks, int n) {
    for (int r = 0; r < n; ++r) {
        float s = in[r * 32 + threadIdx.x];
        bool done = false;
        while (!done) {
            if (atomicExch(&locks[0], 1) == 0) {
                out[n * 32] += s;
                __threadfence();
                atomicExch(&locks[0], 0);
                done = true;
            }
        }
        out[r * 32 + threadIdx.x] = s;
    }
}

__global__ void halved(float *out, const float *in, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float v = in[i];
        while (v > 1.0f) v = v * 0.5f - 0.01f;
        out[i] = v;
    }
}

__global__ void left_by_data(float *out, const float *in, const int *flags, int n) {
    for (int r = 0; r < n; ++r) {
        float s = in[r * 32 + threadIdx.x];
        for (int j = 0; j < 8; ++j) {
            if (flags[j * 32 + threadIdx.x]) break;
            s += 1 / s;
        }
        out[r * 32 + threadIdx.x] = s;
    }
}

__global__ void neighbours(float *out, const int *first, int *marks, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        for (int e = first[i]; e < first[i + 1]; ++e) atomicAdd(&marks[e % 64], 1);
        out[i] = 1;
    }
}

template <typename T>
static T *filled(int count, int divisor) {
    static T values[1 << 14];
    for (int k = 0; k < count; ++k) values[k] = divisor ? k * 7919 / divisor % 37 : 0;
    T *pointer = nullptr;
    if (cudaMalloc(&pointer, sizeof values) != cudaSuccess) exit(1);
    cudaMemcpy(pointer, values, sizeof values, cudaMemcpyHostToDevice);
    return pointer;
}

int main() {
    float *in = filled<float>(1 << 14, 1), *out = filled<float>(1 << 14, 0);
    unsigned *sums = filled<unsigned>(64, 0);
    double *reals = filled<double>(64, 0);
    int *locks = filled<int>(64, 0), *flags = filled<int>(1 << 12, 30), *marks = filled<int>(64, 0);
    static int rising[1024];
    for (int k = 1; k < 1024; ++k) rising[k] = rising[k - 1] + k * 7 % 5;
    int *first = filled<int>(1 << 12, 0);
    cudaMemcpy(first, rising, sizeof rising, cudaMemcpyHostToDevice);
    cas_inside<<<1, 32>>>(out, sums, in);
    cas_while<<<1, 32>>>(out, sums, in, 256);
    cas_and_syncwarp<<<1, 32>>>(out, sums, in, 256);
    cas_then_barrier<<<1, 32>>>(out, sums, in);
    cas_left_by_break<<<1, 32>>>(out, sums, in);
    cas_of_a_helper<<<1, 32>>>(out, reals, in);
    lock<<<1, 32>>>(out, in, locks, 8);
    halved<<<1, 32>>>(out, in, 256);
    left_by_data<<<1, 32>>>(out, in, flags, 8);
    neighbours<<<1, 32>>>(out, first, marks, 512);
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return status != cudaSuccess;
}
