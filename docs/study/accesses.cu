// The accesses of the study page: docs/make_study.py analyses them, and the page computes them anew.

__global__ void strided(float *out, const float *in, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[stride * i];
}

__global__ void shifted(float *out, const float *in, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + offset];
}

// One field of each record: an array of structs, against an array for each field.
__global__ void records(float *out, const float *in, int fields) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[fields * i];
}

__global__ void fields(float *out, const float *in, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// A tile is written by rows and read by columns.
template <int PITCH>
__global__ void tile(float *out, const float *in) {
    __shared__ float s[32 * PITCH];
    int x = threadIdx.x % 32, y = (threadIdx.x + blockDim.x * threadIdx.y) / 32;
    s[y * PITCH + x] = in[y * 32 + x];
    __syncthreads();
    out[y * 32 + x] = s[x * PITCH + y];
}

__global__ void swizzled(float *out, const float *in) {
    __shared__ float s[32 * 32];
    int x = threadIdx.x % 32, y = (threadIdx.x + blockDim.x * threadIdx.y) / 32;
    s[y * 32 + (x ^ y)] = in[y * 32 + x];
    __syncthreads();
    out[y * 32 + x] = s[x * 32 + (y ^ x)];
}

__global__ void rows(float *image, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    image[y * pitch + x] += 1.0f;
}

void launch(float *a, int n) {
    strided<<<n, 256>>>(a, a, n);
    shifted<<<n, 256>>>(a, a, n);
    records<<<n, 256>>>(a, a, n);
    fields<<<n, 256>>>(a, a, n);
    tile<32><<<1, dim3(32, 8)>>>(a, a);
    tile<33><<<1, dim3(32, 8)>>>(a, a);
    tile<34><<<1, dim3(32, 8)>>>(a, a);
    tile<36><<<1, dim3(32, 8)>>>(a, a);
    tile<40><<<1, dim3(32, 8)>>>(a, a);
    swizzled<<<1, dim3(32, 8)>>>(a, a);
    rows<<<dim3(n, n), dim3(32, 8)>>>(a, n);
}
