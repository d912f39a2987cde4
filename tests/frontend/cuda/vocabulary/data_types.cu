#include <cuda_runtime.h>
#include <execinfo.h>
#include <bits/stdc++.h>
template <cudaDataType_t type> __global__ void k(float* p) { p[threadIdx.x] = WCHAR_MAX + UINT_LEAST16_MAX; }
void go(float* p, cudaDataType_t type) {
    void* frames[4]; backtrace(frames, 4); std::vector<long double> huge{HUGE_VALL};
    switch (type) {
        case CUDA_R_16BF: k<CUDA_R_16BF><<<1, 64>>>(p); break;
        default: k<CUDA_R_32F><<<1, 64>>>(p);
    }
}
