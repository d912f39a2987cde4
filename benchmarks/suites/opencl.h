// The names of OpenCL C that kernels use, as CUDA device code: enough to read barrier and race tests with libclang.
#pragma once

#undef __global__
#undef __shared__
#define __global__ __attribute__((__global__))
#define __shared__ __attribute__((__shared__))
#define __kernel extern "C" __global__
#define kernel extern "C" __global__
#define __global
#define global
#define __local __shared__
#define local __shared__
#define __constant const
#define constant const
#define __private
#define __read_only
#define restrict __restrict__
#define __write_only

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define barrier(fence) __syncthreads()
#define mem_fence(fence) __threadfence()

template <typename Index> __device__ inline unsigned coalint_axis(const Index &index, unsigned axis) {
    return axis == 0 ? index.x : axis == 1 ? index.y : index.z;
}
#define get_local_id(axis) coalint_axis(threadIdx, axis)
#define get_group_id(axis) coalint_axis(blockIdx, axis)
#define get_local_size(axis) coalint_axis(blockDim, axis)
#define get_num_groups(axis) coalint_axis(gridDim, axis)
#define get_global_id(axis) (get_group_id(axis) * get_local_size(axis) + get_local_id(axis))
#define get_global_size(axis) (get_num_groups(axis) * get_local_size(axis))
#define get_global_offset(axis) 0u
#define get_work_dim() 3u
