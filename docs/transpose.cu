// The kernel in the README's picture: a matrix transpose whose stores leave the warp's row.
__global__ void transpose(float *out, const float *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

void run(float *out, const float *in) {
    transpose<<<dim3(32, 128), dim3(32, 8)>>>(out, in, 1024, 1024);
}
