// Built-in vector types with the sizes and alignments of the CUDA programming guide, dim3, and the built-in variables.
#pragma once

COALINT_HOST_DEVICE_BEGIN

#define COALINT_VECTORS(element, name, align2, align4)                                              \
    struct name##1 { element x; };                                                                  \
    struct __attribute__((aligned(align2))) name##2 { element x, y; };                              \
    struct name##3 { element x, y, z; };                                                            \
    struct __attribute__((aligned(align4))) name##4 { element x, y, z, w; };                        \
    static inline constexpr name##1 make_##name##1(element x) { return {x}; }                       \
    static inline constexpr name##2 make_##name##2(element x, element y) { return {x, y}; }         \
    static inline constexpr name##3 make_##name##3(element x, element y, element z) { return {x, y, z}; } \
    static inline constexpr name##4 make_##name##4(element x, element y, element z, element w) { return {x, y, z, w}; }

COALINT_VECTORS(signed char, char, 2, 4)
COALINT_VECTORS(unsigned char, uchar, 2, 4)
COALINT_VECTORS(short, short, 4, 8)
COALINT_VECTORS(unsigned short, ushort, 4, 8)
COALINT_VECTORS(int, int, 8, 16)
COALINT_VECTORS(unsigned int, uint, 8, 16)
COALINT_VECTORS(long, long, 16, 16)
COALINT_VECTORS(unsigned long, ulong, 16, 16)
COALINT_VECTORS(long long, longlong, 16, 16)
COALINT_VECTORS(unsigned long long, ulonglong, 16, 16)
COALINT_VECTORS(float, float, 8, 16)
COALINT_VECTORS(double, double, 16, 16)
#undef COALINT_VECTORS

#define COALINT_ALIGNED_FOUR(element, name, bytes)                                                  \
    struct __attribute__((aligned(bytes))) name##_##bytes##a { element x, y, z, w; };               \
    static inline constexpr name##_##bytes##a make_##name##_##bytes##a(element x, element y, element z, element w) { return {x, y, z, w}; }
COALINT_ALIGNED_FOUR(double, double4, 16)
COALINT_ALIGNED_FOUR(double, double4, 32)
COALINT_ALIGNED_FOUR(long, long4, 16)
COALINT_ALIGNED_FOUR(long, long4, 32)
COALINT_ALIGNED_FOUR(unsigned long, ulong4, 16)
COALINT_ALIGNED_FOUR(unsigned long, ulong4, 32)
COALINT_ALIGNED_FOUR(long long, longlong4, 16)
COALINT_ALIGNED_FOUR(long long, longlong4, 32)
COALINT_ALIGNED_FOUR(unsigned long long, ulonglong4, 16)
COALINT_ALIGNED_FOUR(unsigned long long, ulonglong4, 32)
#undef COALINT_ALIGNED_FOUR

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

COALINT_HOST_DEVICE_END

extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;
