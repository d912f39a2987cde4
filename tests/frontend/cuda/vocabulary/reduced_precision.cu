#include <torch/extension.h>
template <typename T> __device__ float f(T v, float s, double d, int i) {
    T w = v * T(2) + v; w += v; float a = v * s + s * v - v / s; double b = d * v; T c = v * i;
    if (v >= 0 && 1.f < v && v == c && v != d) a = -v; return a + b + float(c) + max(float(v), a);
}
__global__ void k(c10::Half* h, at::BFloat16* b, float* a) { a[0] = f(h[0], 1, 2, 3) + f(b[0], 1, 2, 3); }
