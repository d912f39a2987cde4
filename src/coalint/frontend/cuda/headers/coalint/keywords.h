// CUDA's qualifiers as clang attributes, and the macros by which code asks which compiler it meets.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __shared_v __attribute__((annotate("__shared__")))  // of an object with a constructor that clang does not allow
#define __shared_h extern __device__ __shared_v  // of one whose constructors are the host's: nothing is constructed
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define typeof __typeof__  // a keyword of the GNU dialect, which nvcc takes
#define __grid_constant__
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __tile_global__ __global__
#define __nv_pure__
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __specialization_static
#define CUDARTAPI
#define CUDAAPI
#define CUDART_CB
#define CUDA_CB

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 61
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDA_API_VER_MAJOR__ 12
#define __CUDA_API_VER_MINOR__ 8
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END

#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false

// Everything declared between these two is __host__ __device__ without saying so.
#define COALINT_HOST_DEVICE_BEGIN _Pragma("clang force_cuda_host_device begin")
#define COALINT_HOST_DEVICE_END _Pragma("clang force_cuda_host_device end")

// For templates of the standard library that only the host calls: their types may have no linkage, so they need a body.
#define COALINT_HOST_ONLY { __builtin_trap(); }

// The variables by which the front end finds explicit instantiations (see explicit.py).
#define COALINT_JOINED(a, b) a##b
#define COALINT_JOIN(a, b) COALINT_JOINED(a, b)
#define COALINT_EXPLICIT COALINT_JOIN(coalint_explicit_, __COUNTER__)

// Header guards by which programs ask what has been included.
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __CUDA_FP16_H__
#define __CUDA_BF16_H__

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
typedef int8_t int_least8_t, int_fast8_t;
typedef int16_t int_least16_t;
typedef int64_t int_fast16_t;
typedef int32_t int_least32_t;
typedef int64_t int_fast32_t;
typedef int64_t int_least64_t, int_fast64_t;
typedef uint8_t uint_least8_t, uint_fast8_t;
typedef uint16_t uint_least16_t;
typedef uint64_t uint_fast16_t;
typedef uint32_t uint_least32_t;
typedef uint64_t uint_fast32_t;
typedef uint64_t uint_least64_t, uint_fast64_t;

// glibc's names, which nvcc's host headers bring along.
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef long ssize_t;
typedef int8_t __int8_t; typedef int16_t __int16_t; typedef int32_t __int32_t; typedef int64_t __int64_t;
typedef uint8_t __uint8_t; typedef uint16_t __uint16_t; typedef uint32_t __uint32_t; typedef uint64_t __uint64_t;
typedef long off_t;

#ifndef NULL
#define NULL __null
#endif
#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
