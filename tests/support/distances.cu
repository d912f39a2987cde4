// Accesses at distances that the source gives, or the launch alone. Read by tests/analysis/counts/test_overwritten.py.
__device__ int first = 1, second[1024], third[1024];

__global__ void by_extent(int *x) {
    int i = threadIdx.x;
    x[i] += x[i + blockDim.x];
    x[i] += x[i + 2 * blockDim.x];
    x[i] += x[i + 3 * blockDim.x];
}

__global__ void by_number(int *x) {
    int i = threadIdx.x;
    x[i] += x[i + 256];
    x[i] += x[i + 512];
    x[i] += x[i + 768];
}

__global__ void by_parameter(int *x, int m) {
    int i = threadIdx.x;
    x[i] += x[i + m];
    x[i] += x[i + 2 * m];
}

__global__ void by_variable(int *x, int m) {
    int i = threadIdx.x;
    int j = i + m;
    x[i] += 1;
    x[j] += 2;
    x[i] += 3;
}

__global__ void by_variable_of_a_number(int *x) {
    int i = threadIdx.x;
    int j = i + 256;
    x[i] += 1;
    x[j] += 2;
    x[i] += 3;
}

__global__ void next_row(int *x, int width) {
    int row = threadIdx.x / 32, column = threadIdx.x % 32;
    int here = row * width + column;
    x[here] = 1;
    int below = x[(row + 8) * width + column];
    x[here] = below;
}

__global__ void in_one_row(int *x, int width) {
    int row = threadIdx.x / 32, column = threadIdx.x % 32;
    int here = row * width + column;
    x[here] = 1;
    int beside = x[row * width + column + 32];
    x[here] = beside;
}

__global__ void of_both(int *x, int m) {
    int *y = x + m;
    int i = threadIdx.x + m;
    y[threadIdx.x] = 1;
    int b = x[i + 256];
    y[threadIdx.x] = b;
}

__global__ void in_loop(int *x, int m, int n) {
    int i = threadIdx.x;
    for (int k = 0; k < n; k++)
        x[i] += x[i + m] * k;
}

__global__ void in_loop_by_number(int *x, int n) {
    int i = threadIdx.x;
    for (int k = 0; k < n; k++)
        x[i] += x[i + 512] * k;
}

__global__ void named(void) {
    second[threadIdx.x] += first;
    second[threadIdx.x + 256] += first;
}

__global__ void named_twice(void) {
    third[threadIdx.x] += first;
    second[threadIdx.x] += third[threadIdx.x] + first;
    third[threadIdx.x] += second[threadIdx.x];
}

__global__ void beside_pointer(int *x) {
    x[threadIdx.x] += first;
    x[threadIdx.x + 256] += first;
}

int main() {
    int *a;
    cudaMalloc(&a, 1 << 20);
    cudaMemset(a, 0, 1 << 20);
    by_extent<<<1, 256>>>(a);
    by_number<<<1, 256>>>(a);
    by_parameter<<<1, 256>>>(a, 256);
    by_variable<<<1, 256>>>(a, 256);
    by_variable_of_a_number<<<1, 256>>>(a);
    next_row<<<1, 256>>>(a, 64);
    in_one_row<<<1, 256>>>(a, 64);
    of_both<<<1, 256>>>(a, 512);
    in_loop<<<1, 256>>>(a, 512, 10);
    in_loop_by_number<<<1, 256>>>(a, 10);
    named<<<1, 256>>>();
    named_twice<<<1, 256>>>();
    beside_pointer<<<1, 256>>>(a);
    return cudaDeviceSynchronize();
}
