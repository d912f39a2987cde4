// Rows of one shared array, and variables beside each other. Read by tests/machine/test_rows_apart.py.
#define THREADS 128

__global__ void reduced_by_28(float *o, const float *g) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    for (int k = 0; k < 28; ++k) s[28 * t + k] = g[t];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (t < stride) {
            float *a = &s[28 * t], *b = &s[28 * (t + stride)];
            for (int k = 0; k < 28; ++k)
                a[k] += b[k];
        }
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}

__global__ void reduced_by_8(float *o, const float *g) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    for (int k = 0; k < 8; ++k) s[8 * t + k] = g[t];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (t < stride) {
            float *a = &s[8 * t], *b = &s[8 * (t + stride)];
            for (int k = 0; k < 8; ++k)
                a[k] += b[k];
        }
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}

__global__ void reduced_by_6(float *o, const float *g) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    for (int k = 0; k < 6; ++k) s[6 * t + k] = g[t];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (t < stride) {
            float *a = &s[6 * t], *b = &s[6 * (t + stride)];
            for (int k = 0; k < 6; ++k)
                a[k] += b[k];
        }
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}

__global__ void reduced_by_7(float *o, const float *g) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    for (int k = 0; k < 7; ++k) s[7 * t + k] = g[t];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (t < stride) {
            float *a = &s[7 * t], *b = &s[7 * (t + stride)];
            for (int k = 0; k < 7; ++k)
                a[k] += b[k];
        }
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}

__global__ void reduced_static(float *o, const float *g) {
    __shared__ float s[8 * THREADS];
    int t = threadIdx.x;
    for (int k = 0; k < 8; ++k) s[8 * t + k] = g[t];
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (t < stride) {
            float *a = &s[8 * t], *b = &s[8 * (t + stride)];
            for (int k = 0; k < 8; ++k)
                a[k] += b[k];
        }
        __syncthreads();
    }
    if (t == 0) o[blockIdx.x] = s[0];
}

__global__ void added(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        a[k] += b[k];
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void added_at_fours(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 4 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        a[k] += b[k];
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void added_at_pairs(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 2 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        a[k] += b[k];
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void added_anywhere(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        a[k] += b[k];
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void added_shifted(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        a[k] += b[k + 1];
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void added_backward(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        a[k] += b[7 - k];
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void copied(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        a[k] = b[k];
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void loaded_after(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        a[k] = g[k];
        y += b[k];
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void loaded_before(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        y += b[k];
        a[k] = g[k];
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void loaded_twice(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        a[k] += b[k];
        y += b[k];
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void stored_twice(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        a[k] = g[k];
        b[k] = g[k + 8];
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void swapped(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
        float held = a[k];
        a[k] = b[k];
        b[k] = held;
    }
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void pairs(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    a[0] += b[0];
    a[1] += b[1];
    y = b[0];
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void between_stores(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    a[0] = g[0];
    y = b[1];
    a[1] = g[1];
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void between_stores_one(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    a[0] = g[0];
    y = b[0];
    a[1] = g[1];
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void between_stores_far(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    a[0] = g[0];
    y = b[4];
    a[1] = g[1];
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void between_loads(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    y = b[0];
    a[0] = g[0];
    y += b[1];
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void between_loads_one(float *o, const float *g, int n) {
    extern __shared__ float s[];
    int t = threadIdx.x;
    float *a = &s[8 * t], *b = &s[8 * t + 8 * n], y = 0;
    s[t] = g[t];
    __syncthreads();
    y = b[0];
    a[1] = g[0];
    y += b[1];
    __syncthreads();
    o[t] = s[t] + y;
}

__global__ void two_variables(float *o, const float *g) {
    __shared__ float p, q;
    int t = threadIdx.x;
    if (t == 0) {
        p = g[1];
        q = g[2];
    }
    __syncthreads();
    o[t] = (g[t] - p) * q;
}

__global__ void three_variables(float *o, const float *g) {
    __shared__ float p, q, r;
    int t = threadIdx.x;
    if (t == 0) {
        p = g[1];
        q = g[2];
        r = g[3];
    }
    __syncthreads();
    o[t] = (g[t] - p) * q + r;
}

__global__ void of_other_types(float *o, const float *g) {
    __shared__ float p;
    __shared__ int q;
    int t = threadIdx.x;
    if (t == 0) {
        p = g[1];
        q = g[2];
    }
    __syncthreads();
    o[t] = (g[t] - p) * q;
}

__global__ void behind_array(float *o, const float *g) {
    __shared__ float s[33];
    __shared__ float p, q;
    int t = threadIdx.x;
    s[t % 33] = g[t];
    if (t == 0) {
        p = g[1];
        q = g[2];
    }
    __syncthreads();
    o[t] = (g[t] - p) * q * s[(t + 1) % 33];
}

__global__ void beside_element(float *o, const float *g) {
    __shared__ float p;
    __shared__ float s[THREADS];
    int t = threadIdx.x;
    s[t] = g[t];
    if (t == 0) p = g[1];
    __syncthreads();
    o[t] = (g[t] - p) * s[0];
}

__global__ void beside_lanes(float *o, const float *g) {
    __shared__ float p;
    __shared__ float s[THREADS];
    int t = threadIdx.x;
    s[t] = g[t];
    if (t == 0) p = g[1];
    __syncthreads();
    o[t] = (g[t] - p) * s[THREADS - 1 - t];
}

__global__ void in_branch(float *o, const float *g) {
    __shared__ int p, q;
    int t = threadIdx.x;
    if (t == 0) {
        p = g[1];
        q = g[2];
    }
    __syncthreads();
    if (p > 0) o[t] = q;
}

__global__ void parted_by_barrier(float *o, const float *g) {
    __shared__ float p, q;
    int t = threadIdx.x;
    if (t == 0) {
        p = g[1];
        q = g[2];
    }
    __syncthreads();
    float y = p;
    __syncthreads();
    o[t] = y * q;
}

int main() {
    float *o, *g;
    cudaMalloc(&o, 1 << 20);
    cudaMalloc(&g, 1 << 20);
    cudaMemset(g, 1, 1 << 20);
    reduced_by_28<<<1, THREADS, 14336>>>(o, g);
    reduced_by_8<<<1, THREADS, 4096>>>(o, g);
    reduced_by_6<<<1, THREADS, 3072>>>(o, g);
    reduced_by_7<<<1, THREADS, 3584>>>(o, g);
    reduced_static<<<1, THREADS, 0>>>(o, g);
    added<<<1, THREADS, 1 << 14>>>(o, g, 64);
    added_at_fours<<<1, THREADS, 1 << 14>>>(o, g, 64);
    added_at_pairs<<<1, THREADS, 1 << 14>>>(o, g, 64);
    added_anywhere<<<1, THREADS, 1 << 14>>>(o, g, 64);
    added_shifted<<<1, THREADS, 1 << 14>>>(o, g, 64);
    added_backward<<<1, THREADS, 1 << 14>>>(o, g, 64);
    copied<<<1, THREADS, 1 << 14>>>(o, g, 64);
    loaded_after<<<1, THREADS, 1 << 14>>>(o, g, 64);
    loaded_before<<<1, THREADS, 1 << 14>>>(o, g, 64);
    loaded_twice<<<1, THREADS, 1 << 14>>>(o, g, 64);
    stored_twice<<<1, THREADS, 1 << 14>>>(o, g, 64);
    swapped<<<1, THREADS, 1 << 14>>>(o, g, 64);
    pairs<<<1, THREADS, 1 << 14>>>(o, g, 64);
    between_stores<<<1, THREADS, 1 << 14>>>(o, g, 64);
    between_stores_one<<<1, THREADS, 1 << 14>>>(o, g, 64);
    between_stores_far<<<1, THREADS, 1 << 14>>>(o, g, 64);
    between_loads<<<1, THREADS, 1 << 14>>>(o, g, 64);
    between_loads_one<<<1, THREADS, 1 << 14>>>(o, g, 64);
    two_variables<<<1, THREADS>>>(o, g);
    three_variables<<<1, THREADS>>>(o, g);
    of_other_types<<<1, THREADS>>>(o, g);
    behind_array<<<1, THREADS>>>(o, g);
    beside_element<<<1, THREADS>>>(o, g);
    beside_lanes<<<1, THREADS>>>(o, g);
    in_branch<<<1, THREADS>>>(o, g);
    parted_by_barrier<<<1, THREADS>>>(o, g);
    return cudaDeviceSynchronize();
}
