// OpenCV's pointers to images, as kernels take them: where OpenCV is installed, its own header.
#pragma once
#if __has_include_next(<opencv2/core/cuda_types.hpp>)
#include_next <opencv2/core/cuda_types.hpp>
#else
#include "coalint_cuda.h"

#define __CV_CUDA_HOST_DEVICE__ __host__ __device__ __forceinline__
#define __CV_GPU_HOST_DEVICE__ __CV_CUDA_HOST_DEVICE__

COALINT_HOST_DEVICE_BEGIN

namespace cv {
namespace cuda {
template <class T> struct DevPtr {
    typedef T elem_type;
    typedef int index_type;
    enum { elem_size = sizeof(T) };
    T* data;
    DevPtr() : data(nullptr) {}
    DevPtr(T* p) : data(p) {}
    size_t elemSize() const { return elem_size; }
    operator T*() { return data; }
    operator const T*() const { return data; }
};
template <class T> struct PtrSz : DevPtr<T> {
    size_t size;
    PtrSz() : size(0) {}
    PtrSz(T* p, size_t n) : DevPtr<T>(p), size(n) {}
};
// `step` is the distance of rows in bytes.
template <class T> struct PtrStep : DevPtr<T> {
    size_t step;
    PtrStep() : step(0) {}
    PtrStep(T* p, size_t bytes) : DevPtr<T>(p), step(bytes) {}
    T* ptr(int y = 0) { return (T*)((char*)this->data + y * step); }
    const T* ptr(int y = 0) const { return (const T*)((const char*)this->data + y * step); }
    T& operator()(int y, int x) { return ptr(y)[x]; }
    const T& operator()(int y, int x) const { return ptr(y)[x]; }
};
template <class T> struct PtrStepSz : PtrStep<T> {
    int cols, rows;
    PtrStepSz() : cols(0), rows(0) {}
    PtrStepSz(int height, int width, T* p, size_t bytes) : PtrStep<T>(p, bytes), cols(width), rows(height) {}
    template <class U> explicit PtrStepSz(const PtrStepSz<U>& d) : PtrStep<T>((T*)d.data, d.step), cols(d.cols), rows(d.rows) {}
};
typedef PtrStepSz<unsigned char> PtrStepSzb;
typedef PtrStepSz<unsigned short> PtrStepSzus;
typedef PtrStepSz<float> PtrStepSzf;
typedef PtrStepSz<int> PtrStepSzi;
typedef PtrStep<unsigned char> PtrStepb;
typedef PtrStep<unsigned short> PtrStepus;
typedef PtrStep<float> PtrStepf;
typedef PtrStep<int> PtrStepi;
}
}

COALINT_HOST_DEVICE_END
#endif
