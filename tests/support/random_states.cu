// Initial states of cuRAND's generator: the number of a sequence is worked off by its digits to base 4.
#include <curand_kernel.h>

__global__ void sequence_for_each_thread(curandState *s, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, i, 0, &s[i]);
}

__global__ void sequences_up_to_count(curandState *s, unsigned long long seed, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        curand_init(seed, i, 0, &s[i]);
}

__global__ void one_sequence(curandState *s, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed + i, 5, 0, &s[i]);
}

__global__ void first_sequence(curandState *s, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed + i, 0, 0, &s[i]);
}

__global__ void offset_for_each_thread(curandState *s, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, 0, (i & 15) + 1, &s[i]);
}

__global__ void sequence_of_blocks(curandState *s, unsigned long long seed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, blockIdx.x, 0, &s[i]);
}

int main() {
    curandState *s;
    cudaMalloc(&s, 4096 * sizeof *s);
    sequence_for_each_thread<<<1, 256>>>(s, 1);
    sequences_up_to_count<<<3, 128>>>(s, 1, 300);
    one_sequence<<<2, 64>>>(s, 1);
    first_sequence<<<2, 64>>>(s, 1);
    offset_for_each_thread<<<2, 64>>>(s, 1);
    sequence_of_blocks<<<7, 64>>>(s, 1);
    return cudaDeviceSynchronize();
}
