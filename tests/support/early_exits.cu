// Short searches that each thread leaves by itself: what the warp executes after them. What an H200 counted lies beside it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void rows_of_triangle(float *out, const float *in) {
    int t = threadIdx.x, v = 7;
    for (int i = 0; i < 10; i++) {
        int end = (20 - i) * (i + 1) / 2;
        if (t < end) {
            v = i * 16 + t - end;
            break;
        }
    }
    out[256 + v * 3 + t] = in[256 + 2 * v];
}

__global__ void counter_found(float *out, const float *in) {
    int t = threadIdx.x, v;
    for (v = 0; v < 8; v++)
        if (t < 4 * v * v) break;
    out[t + 300 * v] = in[17 * v];
}

__global__ void skips_and_leaves(float *out, const float *in) {
    int t = threadIdx.x, v = 0;
    for (int i = 0; i < 6; i++) {
        if (t % 2) continue;
        v += i;
        if (t < 32 * i) break;
    }
    out[t + 256 * v] = in[t * v];
}

__device__ int row_of(int t) {
    for (int i = 0; i < 12; i++)
        if (t < (i + 1) * (i + 2)) return i;
    return 12;
}

__global__ void by_function(float *out, const float *in) {
    int t = threadIdx.x;
    int row = row_of(t), next = row_of(t + 1);
    out[t + 256 * row] = in[8 * next + t];
}

__global__ void search_in_search(float *out, const float *in) {
    int t = threadIdx.x, v = 0;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            if (t < 16 * i + k) break;
            v += 1;
        }
        if (v > 9) break;
    }
    out[t + 256 * v] = in[v * 9];
}

__global__ void sides_after(float *out, const float *in) {
    int t = threadIdx.x, v;
    for (v = 0; v < 8; v++)
        if (t < 4 * v * v) break;
    if (v > 4)
        out[2 * t] = in[t];
    else
        out[3 * t + 1] = in[2 * t + v];
}

__global__ void stores_inside(float *out) {
    int t = threadIdx.x;
    for (int i = 0; i < 8; i++)
        if (t < 4 * i * i) {
            out[i * 256 + t] = 1;
            break;
        }
}

__global__ void two_searches(float *out, const float *in) {
    int t = threadIdx.x, v, w;
    for (v = 0; v < 8; v++)
        if (t < 4 * v * v) break;
    for (w = 0; w < 6; w++)
        if (t % 32 < w * w) break;
    out[t + 256 * v] = in[32 * w + t % 32];
}

__global__ void in_a_table(float *out, const float *in) {
    const int ends[6] = {5, 16, 40, 77, 130, 200};
    int t = threadIdx.x, v;
    for (v = 0; v < 6; v++)
        if (t < ends[v]) break;
    out[t + 256 * v] = in[3 * v];
}

__global__ void loop_after(float *out, const float *in) {
    int t = threadIdx.x, v;
    float sum = 0;
    for (v = 0; v < 8; v++)
        if (t < 4 * v * v) break;
    for (int k = 0; k < v; k++) sum += in[t + 256 * k];
    out[t] = sum;
}

__global__ void rows_of_block(float *out, const float *in) {
    int x = threadIdx.x, y = threadIdx.y, v;
    for (v = 0; v < 5; v++)
        if (x * y < 6 * v) break;
    out[x + 8 * y + 256 * v] = in[x + 64 * v];
}

__global__ void some_return(float *out, const float *in) {
    int t = threadIdx.x;
    for (int i = 0; i < 10; i++)
        if (t == 7 * i) return;
    out[t] = in[2 * t];
}

__global__ void in_shared_memory(float *out, const float *in) {
    __shared__ float s[512];
    int t = threadIdx.x, v;
    s[t] = in[t];
    s[t + 256] = in[t + 256];
    __syncthreads();
    for (v = 0; v < 8; v++)
        if (t < 4 * v * v) break;
    out[t] = s[v * 33 + t % 32];
}

__global__ void by_while(float *out, const float *in) {
    int t = threadIdx.x, v = 0;
    while (v < 8 && t >= 4 * v * v) v++;
    out[t + 256 * v] = in[9 * v];
}

__global__ void halving(float *out, const float *in) {
    int t = threadIdx.x, low = 0, high = 16;
    while (low < high) {
        int middle = (low + high) / 2;
        if (middle * middle * 2 <= t)
            low = middle + 1;
        else
            high = middle;
    }
    out[t + 256 * low] = in[11 * low];
}

__global__ void found_or_not(float *out, const float *in) {
    int t = threadIdx.x;
    bool found = false;
    for (int i = 0; i < 8; i++)
        if (t == 5 * i) {
            found = true;
            break;
        }
    if (found)
        out[t] = in[t];
    else
        out[2 * t + 1] = in[3 * t];
}

__global__ void found_what(float *out, const float *in) {
    int t = threadIdx.x, place = -1;
    for (int i = 0; i < 9; i++)
        if (t < (i + 1) * 20) {
            place = i;
            break;
        }
    if (place >= 0) out[t + 256 * place] = in[place * 12];
}

__global__ void long_search(float *out, const float *in, int rows) {
    int t = threadIdx.x, v;
    for (v = 0; v < rows; v++)
        if (t < 4 * v * v) break;
    out[t + 256 * v] = in[13 * v];
}

static float *filled(size_t count) {
    static float values[1 << 16];
    for (size_t k = 0; k < count; ++k) values[k] = 1 + k % 37;
    float *pointer = nullptr;
    if (cudaMalloc(&pointer, sizeof values) != cudaSuccess) exit(1);
    cudaMemcpy(pointer, values, sizeof values, cudaMemcpyHostToDevice);
    return pointer;
}

int main() {
    float *in = filled(1 << 16), *out = filled(1 << 16);
    rows_of_triangle<<<4, 110>>>(out, in);
    counter_found<<<4, 256>>>(out, in);
    skips_and_leaves<<<4, 256>>>(out, in);
    by_function<<<4, 256>>>(out, in);
    search_in_search<<<4, 256>>>(out, in);
    sides_after<<<4, 256>>>(out, in);
    stores_inside<<<4, 256>>>(out);
    two_searches<<<4, 256>>>(out, in);
    in_a_table<<<4, 256>>>(out, in);
    loop_after<<<4, 256>>>(out, in);
    rows_of_block<<<4, dim3(8, 32)>>>(out, in);
    some_return<<<4, 256>>>(out, in);
    in_shared_memory<<<4, 256>>>(out, in);
    by_while<<<4, 256>>>(out, in);
    halving<<<4, 256>>>(out, in);
    found_or_not<<<4, 256>>>(out, in);
    found_what<<<4, 256>>>(out, in);
    long_search<<<4, 256>>>(out, in, 8);
    cudaError_t status = cudaDeviceSynchronize();
    cudaFree(in), cudaFree(out);
    if (status != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(status));
    return status != cudaSuccess;
}
