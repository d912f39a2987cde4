#include <hip/hip_runtime.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_complex.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hipcub/hipcub.hpp>
template <class T> __global__ void sums(T* out, hipFloatComplex c, hip_bfloat16 b) {
    HIP_DYNAMIC_SHARED(float, held)
    typedef hipcub::BlockReduce<T, 128> Reduce;
    __shared__ typename Reduce::TempStorage storage;
    held[hipThreadIdx_x] = hipCrealf(hipCaddf(c, c)) + __half2float(__float2half(1));
    T sum = Reduce(storage).Sum(out[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x] + held[0]);
    if (cooperative_groups::this_thread_block().thread_rank() == 0) out[hipBlockIdx_x] = sum;
}
hipError_t run(float* out, hipStream_t stream) {
    hipDeviceProp_t of; hipFuncAttributes its; hipEvent_t done; hipTextureObject_t texture; int wide;
    hipGetDeviceProperties(&of, 0); hipEventCreateWithFlags(&done, hipEventDisableTiming);
    hipDeviceGetAttribute(&wide, hipDeviceAttributeWarpSize, 0);
    hipHostMalloc((void**)&out, 16, hipHostMallocDefault); hipHostMalloc(&out, 16);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(sums<float>), dim3(2), 128, 512, stream, out, hipFloatComplex(), 0);
    hipLaunchKernelGGL((sums<double>), 2, 128, 512, stream, nullptr, make_hipFloatComplex(1, 2), 0);
    hipError_t told = hipMemcpyAsync(out, out, 4, hipMemcpyDeviceToHost, stream);
    return told == hipSuccess ? hipErrorUnknown : told;
}
