// Elements of shared arrays beside those that a loop of constant length walks: nvcc loads them together.
__global__ void largest(const float *x, float *o) {
    __shared__ float s[8];
    s[threadIdx.x & 7] = x[threadIdx.x];
    __syncthreads();
    float m = s[0];
    for (int i = 1; i < 8; ++i) m = fmaxf(m, s[i]);
    o[threadIdx.x] = m;
}

__global__ void largest_of_row(const float *x, float *o) {
    __shared__ float s[512];
    for (int k = threadIdx.x; k < 512; k += 32) s[k] = x[k];
    __syncthreads();
    float m = s[16 * threadIdx.x];
    for (int i = 1; i < 16; ++i) m = fmaxf(m, s[16 * threadIdx.x + i]);
    o[threadIdx.x] = m;
}

__global__ void from_the_second(const float *x, float *o) {
    __shared__ float s[512];
    for (int k = threadIdx.x; k < 512; k += 32) s[k] = x[k];
    __syncthreads();
    float m = x[threadIdx.x];
    for (int i = 1; i < 16; ++i) m = fmaxf(m, s[16 * threadIdx.x + i]);
    o[threadIdx.x] = m;
}

__global__ void tile_under_a_limit(const float *x, const float *w, float *o) {
    __shared__ float s[4];
    float a = 0;
    for (int t = 0; t < 8; t += 4) {
        if (threadIdx.x < 4) s[threadIdx.x] = x[t + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int j = t + i;
            if (j < 8) a += s[i] * w[j * 32 + threadIdx.x];
        }
        __syncthreads();
    }
    o[threadIdx.x] = a;
}

__global__ void tile_under_the_launchs_limit(const float *x, const float *w, float *o, int n) {
    __shared__ float s[4];
    float a = 0;
    for (int t = 0; t < 8; t += 4) {
        if (threadIdx.x < 4) s[threadIdx.x] = x[t + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int j = t + i;
            if (j < n) a += s[i] * w[j * 32 + threadIdx.x];
        }
        __syncthreads();
    }
    o[threadIdx.x] = a;
}

int main() {
    float *x, *w, *o;
    cudaMalloc(&x, 4096), cudaMalloc(&w, 4096), cudaMalloc(&o, 4096);
    largest<<<1, 32>>>(x, o);
    largest_of_row<<<1, 32>>>(x, o);
    from_the_second<<<1, 32>>>(x, o);
    tile_under_a_limit<<<1, 32>>>(x, w, o);
    tile_under_the_launchs_limit<<<1, 32>>>(x, w, o, 8);
    return cudaDeviceSynchronize();
}
