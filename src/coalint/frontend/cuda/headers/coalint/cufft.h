// cuFFT and cuFFTXt, host calls and the types that kernels index.
#pragma once

#define _CUFFT_H_

#include "coalint/data_types.h"
#include "coalint/complex.h"

COALINT_HOST_DEVICE_BEGIN

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;
enum cufftResult_t { CUFFT_SUCCESS, CUFFT_INVALID_PLAN, CUFFT_ALLOC_FAILED, CUFFT_INVALID_TYPE, CUFFT_INVALID_VALUE, CUFFT_INTERNAL_ERROR, CUFFT_EXEC_FAILED, CUFFT_SETUP_FAILED, CUFFT_INVALID_SIZE, CUFFT_UNALIGNED_DATA, CUFFT_INCOMPLETE_PARAMETER_LIST, CUFFT_INVALID_DEVICE, CUFFT_PARSE_ERROR, CUFFT_NO_WORKSPACE, CUFFT_NOT_IMPLEMENTED, CUFFT_LICENSE_ERROR, CUFFT_NOT_SUPPORTED, CUFFT_MISSING_DEPENDENCY, CUFFT_NVRTC_FAILURE, CUFFT_NVJITLINK_FAILURE, CUFFT_NVSHMEM_FAILURE };
typedef enum cufftResult_t cufftResult;
enum cufftType_t { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c, CUFFT_Z2Z = 0x69 };
typedef enum cufftType_t cufftType;
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };
#define COALINT_CALL(name) cufftResult name(...);
COALINT_CALL(cufftPlan1d) COALINT_CALL(cufftPlan2d) COALINT_CALL(cufftPlan3d) COALINT_CALL(cufftPlanMany) COALINT_CALL(cufftCreate) COALINT_CALL(cufftDestroy)
COALINT_CALL(cufftMakePlan1d) COALINT_CALL(cufftMakePlan2d) COALINT_CALL(cufftMakePlan3d) COALINT_CALL(cufftMakePlanMany) COALINT_CALL(cufftSetStream) COALINT_CALL(cufftSetWorkArea)
COALINT_CALL(cufftExecC2C) COALINT_CALL(cufftExecR2C) COALINT_CALL(cufftExecC2R) COALINT_CALL(cufftExecZ2Z) COALINT_CALL(cufftExecD2Z) COALINT_CALL(cufftExecZ2D)
COALINT_CALL(cufftGetSize) COALINT_CALL(cufftEstimate1d) COALINT_CALL(cufftXtSetGPUs) COALINT_CALL(cufftXtMalloc) COALINT_CALL(cufftXtFree) COALINT_CALL(cufftXtMemcpy)
COALINT_CALL(cufftXtExecDescriptorC2C) COALINT_CALL(cufftXtExecDescriptorZ2Z) COALINT_CALL(cufftXtSetCallback) COALINT_CALL(cufftXtSetJITCallback) COALINT_CALL(cufftXtQueryPlan) COALINT_CALL(cufftGetVersion)
#undef COALINT_CALL
enum cufftXtSubFormat { CUFFT_XT_FORMAT_INPUT, CUFFT_XT_FORMAT_OUTPUT, CUFFT_XT_FORMAT_INPLACE, CUFFT_XT_FORMAT_INPLACE_SHUFFLED, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED };
enum cufftXtCopyType { CUFFT_COPY_HOST_TO_DEVICE, CUFFT_COPY_DEVICE_TO_HOST, CUFFT_COPY_DEVICE_TO_DEVICE };
struct cudaXtDesc { int version, nGPUs, GPUs[64]; void* data[64]; size_t size[64]; void* cudaXtState; };
struct cudaLibXtDesc { int version; cudaXtDesc* descriptor; int library, subFormat; void* libDescriptor; };
enum cufftXtCallbackType { CUFFT_CB_LD_COMPLEX, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_LD_REAL, CUFFT_CB_LD_REAL_DOUBLE, CUFFT_CB_ST_COMPLEX, CUFFT_CB_ST_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL, CUFFT_CB_ST_REAL_DOUBLE };
typedef cufftComplex (*cufftCallbackLoadC)(void*, size_t, void*, void*);
typedef void (*cufftCallbackStoreC)(void*, size_t, cufftComplex, void*, void*);
typedef cufftReal (*cufftCallbackLoadR)(void*, size_t, void*, void*);
typedef void (*cufftCallbackStoreR)(void*, size_t, cufftReal, void*, void*);

COALINT_HOST_DEVICE_END
