// Conditions that say the same. Of two that stand one behind the other nvcc makes one: what ends the first may be
// joined then, and what the second loads is held. Else it loads again. What an H200 counted lies beside it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

__global__ void directly(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < q) {
        if (i < n)
            s[2 * t] = in[i];
        else
            s[2 * t] = 0;
    }
    if (t < q) {
        if (i < m)
            s[t + 600] = in[i + 100];
        else
            s[t + 600] = 0;
    }
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__global__ void spelled(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < q) {
        if (i < n)
            s[2 * t] = in[i];
        else
            s[2 * t] = 0;
    }
    if (q > t) {
        if (i < m)
            s[t + 600] = in[i + 100];
        else
            s[t + 600] = 0;
    }
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__global__ void of_two(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < q && i < m) {
        if (i < n)
            s[2 * t] = in[i];
        else
            s[2 * t] = 0;
    }
    if (t < q && i < m) {
        if (i < m)
            s[t + 600] = in[i + 100];
        else
            s[t + 600] = 0;
    }
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__global__ void three(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < q) {
        if (i < n)
            s[2 * t] = in[i];
        else
            s[2 * t] = 0;
    }
    if (t < q) {
        if (i < m)
            s[t + 600] = in[i + 100];
        else
            s[t + 600] = 0;
    }
    if (t < q)
        s[t + 900] = in[i + 7];
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__global__ void in_a_loop(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int k = 0; k < q; k += 32) {
        if (t < q) {
            if (i < n)
                s[2 * t] = in[i];
            else
                s[2 * t] = 0;
        }
        if (t < q) {
            if (i < m)
                s[t + 600] = in[i + 100];
            else
                s[t + 600] = 0;
        }
        __syncthreads();
    }
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__global__ void of_the_launch(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (n < m) {
        if (i < n)
            s[2 * t] = in[i];
        else
            s[2 * t] = 0;
    }
    if (n < m) {
        if (i < m)
            s[t + 600] = in[i + 100];
        else
            s[t + 600] = 0;
    }
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__global__ void one_store(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < q) {
        if (i < n)
            s[2 * t] = in[i];
        else
            s[2 * t] = 0;
    }
    if (t < q)
        s[t + 900] = 5;
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__global__ void alone(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < q) {
        if (i < n)
            s[2 * t] = in[i];
        else
            s[2 * t] = 0;
    }
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__global__ void store_between(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < q) {
        if (i < n)
            s[2 * t] = in[i];
        else
            s[2 * t] = 0;
    }
    out[i + 2000] = 1;
    if (t < q) {
        if (i < m)
            s[t + 600] = in[i + 100];
        else
            s[t + 600] = 0;
    }
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__global__ void barrier_between(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < q) {
        if (i < n)
            s[2 * t] = in[i];
        else
            s[2 * t] = 0;
    }
    __syncthreads();
    if (t < q) {
        if (i < m)
            s[t + 600] = in[i + 100];
        else
            s[t + 600] = 0;
    }
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__global__ void other_conditions(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < q) {
        if (i < n)
            s[2 * t] = in[i];
        else
            s[2 * t] = 0;
    }
    if (t < q + 20) {
        if (i < m)
            s[t + 600] = in[i + 100];
        else
            s[t + 600] = 0;
    }
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__global__ void opposite(float *out, const float *in, int n, int m, int q) {
    __shared__ float s[1200];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < q) {
        if (i < n)
            s[2 * t] = in[i];
        else
            s[2 * t] = 0;
    }
    if (t >= q) {
        if (i < m)
            s[t + 600] = in[i + 100];
        else
            s[t + 600] = 0;
    }
    __syncthreads();
    out[i] = s[t ^ 1] + s[t + 600] + s[t + 700];
}

__device__ float inside(const float *p, int i, int n) {
    if (i < n)
        return p[i];
    return 0;
}

__device__ float outside(const float *p, int i, int n) {
    if (i >= n)
        return 0;
    return p[i];
}

__global__ void loaded_again(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    if (i < n)
        v = in[i];
    out[i + 2000] = m;
    if (i < n)
        out[i] = in[i] + v;
}

__global__ void load_between(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0, w = 1;
    if (i < n)
        v = in[i];
    float z = in[i + 3000] * v;
    if (i < n)
        w = in[i];
    out[i] = v * w + z;
}

__global__ void numbers_between(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0, w = 1;
    if (i < n)
        v = in[i];
    float z = v * 2 + m;
    if (i < n)
        w = in[i];
    out[i] = v * w + z;
}

__global__ void one_behind_the_other(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    if (i < n)
        v = in[i];
    if (i < n)
        out[i] = in[i] + v;
}

__global__ void in_one(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    if (i < n) {
        v = in[i];
        out[i + 2000] = m;
        out[i] = in[i] + v;
    }
}

__global__ void after_a_return(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = in[i];
    out[i + 2000] = m;
    if (i > q)
        out[i] = in[i] + v;
}

__global__ void after_a_loop(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    if (i < n)
        v = in[i];
    for (int k = 0; k < m / 100; k++)
        v += out[k];
    if (i < n)
        out[i] = in[i] + v;
}

__global__ void chosen(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0;
    out[i + 2000] = m;
    float w = i < n ? in[i] : 1;
    out[i] = v + w;
}

__global__ void by_function(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = inside(in, i, n);
    out[i + 2000] = m;
    out[i] = v + inside(in, i, n);
}

__global__ void by_early_return(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = outside(in, i, n);
    out[i + 2000] = m;
    out[i] = v + outside(in, i, n);
}

__global__ void else_between(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0, w = 1;
    if (i < n)
        v = in[i];
    else
        out[i + 2000] = 3;
    if (i < n)
        w += in[i];
    out[i] = v * w;
}

__global__ void said_otherwise(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0, w = 1;
    if (i < n)
        v = in[i];
    out[i + 2000] = v;
    if (i >= n)
        w = 3;
    else
        w = in[i];
    out[i] = v * w;
}

__global__ void by_switch(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    switch (i & 3) {
    case 0:
        v = in[i];
        break;
    case 1:
        v = 2;
        break;
    }
    out[i + 2000] = v;
    switch (i & 3) {
    case 0:
        v += in[i];
        break;
    case 3:
        v = 1;
        break;
    }
    out[i] = v;
}

__global__ void overwritten(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    if (i < n)
        out[i] = v;
    float w = in[i + 3000];
    if (i < n)
        out[i] = w * 2;
    out[i + 2000] = w;
}

__global__ void store_forwarded(float *__restrict__ out, const float *__restrict__ in, int n, int m, int q) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[i];
    if (i < n)
        out[i] = v;
    out[i + 2000] = 3;
    if (i < n)
        out[i + 4000] = out[i] + m;
}

__global__ void vector_in_one(float *__restrict__ out, const float *__restrict__ in, const float2 *__restrict__ points,
                              int n, int m) {
    __shared__ float s[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = in[t];
    __syncthreads();
    float v = 0, w = 0;
    if (i < n) {
        v = s[2 * t];
        w = s[2 * t + 1];
    }
    out[i] = v + w;
}

__global__ void vector_of_two(float *__restrict__ out, const float *__restrict__ in, const float2 *__restrict__ points,
                              int n, int m) {
    __shared__ float s[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = in[t];
    __syncthreads();
    float v = 0, w = 0;
    if (i < n)
        v = s[2 * t];
    if (i < n)
        w = s[2 * t + 1];
    out[i] = v + w;
}

__global__ void vector_parted(float *__restrict__ out, const float *__restrict__ in, const float2 *__restrict__ points,
                              int n, int m) {
    __shared__ float s[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = in[t];
    __syncthreads();
    float v = 0, w = 0;
    if (i < n)
        v = s[2 * t];
    out[i + 2000] = m;
    if (i < n)
        w = s[2 * t + 1];
    out[i] = v + w;
}

__global__ void vector_chosen(float *__restrict__ out, const float *__restrict__ in, const float2 *__restrict__ points,
                              int n, int m) {
    __shared__ float s[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = in[t];
    __syncthreads();
    float v = i < n ? s[2 * t] : 0;
    out[i + 2000] = m;
    float w = i < n ? s[2 * t + 1] : 0;
    out[i] = v + w;
}

__global__ void stores_parted(float *__restrict__ out, const float *__restrict__ in, const float2 *__restrict__ points,
                              int n, int m) {
    __shared__ float s[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = in[t];
    __syncthreads();
    if (i < n)
        s[2 * t] = m;
    out[i + 2000] = m;
    if (i < n)
        s[2 * t + 1] = n;
    __syncthreads();
    out[i] = s[t ^ 1];
}

__global__ void fields_in_one(float *__restrict__ out, const float *__restrict__ in, const float2 *__restrict__ points,
                              int n, int m) {
    __shared__ float s[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = in[t];
    __syncthreads();
    float v = 0, w = 0;
    if (i < n) {
        v = points[i].x;
        w = points[i].y;
    }
    out[i] = v + w + s[t];
}

__global__ void fields_parted(float *__restrict__ out, const float *__restrict__ in, const float2 *__restrict__ points,
                              int n, int m) {
    __shared__ float s[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = in[t];
    __syncthreads();
    float v = 0, w = 0;
    if (i < n)
        v = points[i].x;
    out[i + 2000] = m;
    if (i < n)
        w = points[i].y;
    out[i] = v + w + s[t];
}

int main() {
    float *out, *in;
    cudaMalloc(&out, 1 << 20);
    cudaMalloc(&in, 1 << 20);
    cudaMemset(in, 0, 1 << 20);
    directly<<<4, 256>>>(out, in, 777, 900, 200);
    spelled<<<4, 256>>>(out, in, 777, 900, 200);
    of_two<<<4, 256>>>(out, in, 777, 900, 200);
    three<<<4, 256>>>(out, in, 777, 900, 200);
    in_a_loop<<<4, 256>>>(out, in, 777, 900, 200);
    of_the_launch<<<4, 256>>>(out, in, 777, 900, 200);
    one_store<<<4, 256>>>(out, in, 777, 900, 200);
    alone<<<4, 256>>>(out, in, 777, 900, 200);
    store_between<<<4, 256>>>(out, in, 777, 900, 200);
    barrier_between<<<4, 256>>>(out, in, 777, 900, 200);
    other_conditions<<<4, 256>>>(out, in, 777, 900, 200);
    opposite<<<4, 256>>>(out, in, 777, 900, 200);
    loaded_again<<<4, 256>>>(out, in, 777, 900, 200);
    load_between<<<4, 256>>>(out, in, 777, 900, 200);
    numbers_between<<<4, 256>>>(out, in, 777, 900, 200);
    one_behind_the_other<<<4, 256>>>(out, in, 777, 900, 200);
    in_one<<<4, 256>>>(out, in, 777, 900, 200);
    after_a_return<<<4, 256>>>(out, in, 777, 900, 200);
    after_a_loop<<<4, 256>>>(out, in, 777, 900, 200);
    chosen<<<4, 256>>>(out, in, 777, 900, 200);
    by_function<<<4, 256>>>(out, in, 777, 900, 200);
    by_early_return<<<4, 256>>>(out, in, 777, 900, 200);
    else_between<<<4, 256>>>(out, in, 777, 900, 200);
    said_otherwise<<<4, 256>>>(out, in, 777, 900, 200);
    by_switch<<<4, 256>>>(out, in, 777, 900, 200);
    overwritten<<<4, 256>>>(out, in, 777, 900, 200);
    store_forwarded<<<4, 256>>>(out, in, 777, 900, 200);
    vector_in_one<<<4, 256>>>(out, in, (const float2 *)in, 777, 900);
    vector_of_two<<<4, 256>>>(out, in, (const float2 *)in, 777, 900);
    vector_parted<<<4, 256>>>(out, in, (const float2 *)in, 777, 900);
    vector_chosen<<<4, 256>>>(out, in, (const float2 *)in, 777, 900);
    stores_parted<<<4, 256>>>(out, in, (const float2 *)in, 777, 900);
    fields_in_one<<<4, 256>>>(out, in, (const float2 *)in, 777, 900);
    fields_parted<<<4, 256>>>(out, in, (const float2 *)in, 777, 900);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        printf("failed\n");
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
