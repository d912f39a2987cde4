// Shared tiles whose rows meet in the same banks. benchmarks/measure_paddings.py asks coalint for the row pitch of each,
// writes it into the declaration, and counts wavefronts on a GPU before and after.

#include <cstdio>

__global__ void square_32(const float* in, float* out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[32 * threadIdx.y + threadIdx.x];
    __syncthreads();
    out[32 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void square_16(const float* in, float* out) {
    __shared__ float tile[16][16];
    tile[threadIdx.y][threadIdx.x] = in[16 * threadIdx.y + threadIdx.x];
    __syncthreads();
    out[16 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void block_rows(const float* in, float* out) {
    __shared__ float tile[32][32];
    for (int j = 0; j < 32; j += 8) {
        tile[threadIdx.y + j][threadIdx.x] = in[32 * (threadIdx.y + j) + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < 32; j += 8) {
        out[32 * (threadIdx.y + j) + threadIdx.x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

__global__ void doubles_32(const double* in, double* out) {
    __shared__ double tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[32 * threadIdx.y + threadIdx.x];
    __syncthreads();
    out[32 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void doubles_16(const double* in, double* out) {
    __shared__ double tile[16][16];
    tile[threadIdx.y][threadIdx.x] = in[16 * threadIdx.y + threadIdx.x];
    __syncthreads();
    out[16 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void quads(const float4* in, float4* out) {
    __shared__ float4 tile[16][16];
    tile[threadIdx.y][threadIdx.x] = in[16 * threadIdx.y + threadIdx.x];
    __syncthreads();
    out[16 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void halves(const short* in, short* out) {
    __shared__ short tile[32][64];
    tile[threadIdx.y][threadIdx.x] = in[64 * threadIdx.y + threadIdx.x];
    tile[threadIdx.y][threadIdx.x + 32] = in[64 * threadIdx.y + threadIdx.x + 32];
    __syncthreads();
    out[64 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
    out[64 * threadIdx.y + threadIdx.x + 32] = tile[threadIdx.x][threadIdx.y + 32];
}

__global__ void bytes(const unsigned char* in, unsigned char* out) {
    __shared__ unsigned char tile[32][128];
    for (int j = 0; j < 128; j += 32) {
        tile[threadIdx.y][threadIdx.x + j] = in[128 * threadIdx.y + threadIdx.x + j];
    }
    __syncthreads();
    for (int j = 0; j < 128; j += 32) {
        out[128 * threadIdx.y + threadIdx.x + j] = tile[threadIdx.x][threadIdx.y + j];
    }
}

// Rows come in as float4, columns go out as float: the pitch must keep the rows aligned.
__global__ void vector_rows(const float4* in, float* out) {
    __shared__ float tile[32][32];
    int t = 32 * threadIdx.y + threadIdx.x;
    *reinterpret_cast<float4*>(&tile[t / 8][4 * (t % 8)]) = in[t];
    __syncthreads();
    for (int j = 0; j < 32; j += 8) {
        out[32 * (threadIdx.y + j) + threadIdx.x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

// A warp covers four rows of a narrow block.
__global__ void narrow_block(const float* in, float* out) {
    __shared__ float tile[8][32];
    tile[threadIdx.x][threadIdx.y] = in[8 * threadIdx.y + threadIdx.x];
    __syncthreads();
    int t = 8 * threadIdx.y + threadIdx.x;
    out[t] = tile[t / 32][t % 32];
}

// The A tile of a matrix product: float4 along k, stored transposed, read as float4 along m.
__global__ void matrix_product_tile(const float4* a, float4* out) {
    __shared__ __align__(16) float tile[8][128];
    float4 value = a[threadIdx.x];
    tile[4 * (threadIdx.x % 2)][threadIdx.x / 2] = value.x;
    tile[4 * (threadIdx.x % 2) + 1][threadIdx.x / 2] = value.y;
    tile[4 * (threadIdx.x % 2) + 2][threadIdx.x / 2] = value.z;
    tile[4 * (threadIdx.x % 2) + 3][threadIdx.x / 2] = value.w;
    __syncthreads();
    out[threadIdx.x] = *reinterpret_cast<const float4*>(&tile[threadIdx.x / 32][4 * (threadIdx.x % 32)]);
}

int main() {
    char *in, *out;
    cudaMalloc(&in, 1 << 20);
    cudaMalloc(&out, 1 << 20);
    cudaMemset(in, 0, 1 << 20);
    square_32<<<1, dim3(32, 32)>>>((float*)in, (float*)out);
    square_16<<<1, dim3(16, 16)>>>((float*)in, (float*)out);
    block_rows<<<1, dim3(32, 8)>>>((float*)in, (float*)out);
    doubles_32<<<1, dim3(32, 32)>>>((double*)in, (double*)out);
    doubles_16<<<1, dim3(16, 16)>>>((double*)in, (double*)out);
    quads<<<1, dim3(16, 16)>>>((float4*)in, (float4*)out);
    halves<<<1, dim3(32, 32)>>>((short*)in, (short*)out);
    bytes<<<1, dim3(32, 32)>>>((unsigned char*)in, (unsigned char*)out);
    vector_rows<<<1, dim3(32, 8)>>>((float4*)in, (float*)out);
    narrow_block<<<1, dim3(8, 32)>>>((float*)in, (float*)out);
    matrix_product_tile<<<1, 256>>>((float4*)in, (float4*)out);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    return 0;
}
