// Time of one bit for each thread, set by `atomicOr` in the word that 32 threads share, beside a vote and one store.
//
//     nvcc -O3 -arch=native -o validity_bits benchmarks/validity_bits.cu && ./validity_bits
//
// On an H200 the atomics took 6.5 times as long. nvcc does not know that the lanes of a warp share `words[i / 32]`, and makes
// a `RED.OR` of each lane's.
#include <cstdio>
#include <cuda_runtime.h>

#include "milliseconds.cuh"

__global__ void by_atomics(unsigned *words, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    out[i] = 2 * x;
    atomicOr(&words[i / 32], (x > 0 ? 1u : 0u) << (i % 32));
}

__global__ void by_votes(unsigned *words, const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] : 0;
    unsigned word = __ballot_sync(0xffffffff, x > 0);
    if (i < n) out[i] = 2 * x;
    if (i < n && i % 32 == 0) words[i / 32] = word;
}

int main() {
    int n = 1 << 26;
    float *in, *out;
    unsigned *words;
    cudaMalloc(&in, 4ull * n);
    cudaMalloc(&out, 4ull * n);
    cudaMalloc(&words, n / 8);
    cudaMemset(in, 63, 4ull * n);
    cudaMemset(words, 0, n / 8);
    float atomics = milliseconds([&] { by_atomics<<<n / 256, 256>>>(words, in, out, n); });
    float votes = milliseconds([&] { by_votes<<<n / 256, 256>>>(words, in, out, n); });
    printf("atomics %.3f ms, votes %.3f ms, ratio %.2f, %s\n", atomics, votes, atomics / votes,
           cudaGetErrorString(cudaDeviceSynchronize()));
}
