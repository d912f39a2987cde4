// cuda.h: the driver API's types, and its calls, whose arguments do not matter here.
#pragma once

#define __cuda_cuda_h__
#define CUDA_DRIVER_API

COALINT_HOST_DEVICE_BEGIN

typedef unsigned long long CUdeviceptr, CUtexObject, CUsurfObject, cuuint64_t, CUmemGenericAllocationHandle;
typedef unsigned int cuuint32_t;
typedef int CUdevice;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUlib_st* CUlibrary;
typedef struct CUkern_st* CUkernel;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef struct CUarray_st* CUarray;
typedef struct CUtexref_st* CUtexref;
typedef struct CUlinkState_st* CUlinkState;
typedef struct CUgraph_st* CUgraph;
typedef struct CUgraphExec_st* CUgraphExec;
typedef struct CUgraphicsResource_st* CUgraphicsResource;
typedef struct CUeglStreamConnection_st* CUeglStreamConnection;
struct CUuuid { char bytes[16]; };
struct CUipcMemHandle { char reserved[64]; };
enum CUresult { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2, CUDA_ERROR_NOT_INITIALIZED = 3, CUDA_ERROR_DEINITIALIZED = 4, CUDA_ERROR_NO_DEVICE = 100, CUDA_ERROR_INVALID_DEVICE = 101, CUDA_ERROR_INVALID_IMAGE = 200, CUDA_ERROR_INVALID_CONTEXT = 201, CUDA_ERROR_NOT_FOUND = 500, CUDA_ERROR_NOT_READY = 600, CUDA_ERROR_NOT_SUPPORTED = 801, CUDA_ERROR_UNKNOWN = 999 };
enum CUctx_flags {
    CU_CTX_SCHED_AUTO = 0, CU_CTX_SCHED_SPIN = 1, CU_CTX_SCHED_YIELD = 2, CU_CTX_SCHED_BLOCKING_SYNC = 4, CU_CTX_BLOCKING_SYNC = 4, CU_CTX_SCHED_MASK = 7,
    CU_CTX_MAP_HOST = 8, CU_CTX_LMEM_RESIZE_TO_MAX = 16, CU_CTX_COREDUMP_ENABLE = 32, CU_CTX_USER_COREDUMP_ENABLE = 64, CU_CTX_SYNC_MEMOPS = 128, CU_CTX_FLAGS_MASK = 255
};
enum CUdevice_attribute {
    CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8, CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10, CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16, CU_DEVICE_ATTRIBUTE_INTEGRATED = 18, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE = 20, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102, CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 102, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED = 132
};
enum CUcomputemode { CU_COMPUTEMODE_DEFAULT = 0, CU_COMPUTEMODE_PROHIBITED = 2, CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3 };
enum CUfunction_attribute { CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_NUM_REGS = 4, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };
enum CUjit_option { CU_JIT_MAX_REGISTERS, CU_JIT_THREADS_PER_BLOCK, CU_JIT_WALL_TIME, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL };
enum CUmemAllocationType { CU_MEM_ALLOCATION_TYPE_INVALID, CU_MEM_ALLOCATION_TYPE_PINNED };
enum CUmemAllocationHandleType { CU_MEM_HANDLE_TYPE_NONE, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CU_MEM_HANDLE_TYPE_FABRIC = 8 };
enum CUmemLocationType { CU_MEM_LOCATION_TYPE_INVALID, CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_LOCATION_TYPE_HOST };
enum CUmemAccess_flags { CU_MEM_ACCESS_FLAGS_PROT_NONE, CU_MEM_ACCESS_FLAGS_PROT_READ, CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3 };
enum CUmemAllocationGranularity_flags { CU_MEM_ALLOC_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED };
enum CUmulticastGranularity_flags { CU_MULTICAST_GRANULARITY_MINIMUM, CU_MULTICAST_GRANULARITY_RECOMMENDED };
struct CUmulticastObjectProp { unsigned int numDevices; size_t size; unsigned long long handleTypes, flags; };
struct CUmemLocation { CUmemLocationType type; int id; };
struct CUmemAllocationProp { CUmemAllocationType type; CUmemAllocationHandleType requestedHandleTypes; CUmemLocation location; void* win32HandleMetaData; struct { unsigned char compressionType, gpuDirectRDMACapable; unsigned short usage; } allocFlags; };
struct CUmemAccessDesc { CUmemLocation location; CUmemAccess_flags flags; };
struct alignas(64) CUtensorMap { unsigned long long opaque[16]; };
enum CUtensorMapDataType { CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32, CU_TENSOR_MAP_DATA_TYPE_INT32, CU_TENSOR_MAP_DATA_TYPE_UINT64, CU_TENSOR_MAP_DATA_TYPE_INT64, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B };
enum CUtensorMapInterleave { CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_INTERLEAVE_32B };
enum CUtensorMapSwizzle { CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B };
enum CUtensorMapL2promotion { CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_64B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B };
enum CUtensorMapFloatOOBfill { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA };
enum CUarray_format { CU_AD_FORMAT_UNSIGNED_INT8 = 1, CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT8 = 8, CU_AD_FORMAT_HALF = 16, CU_AD_FORMAT_FLOAT = 32 };
#define COALINT_CALL(name) CUresult name(...);
COALINT_CALL(cuInit) COALINT_CALL(cuDriverGetVersion) COALINT_CALL(cuGetErrorString) COALINT_CALL(cuGetErrorName) COALINT_CALL(cuDeviceGet) COALINT_CALL(cuDeviceGetCount)
COALINT_CALL(cuDeviceGetName) COALINT_CALL(cuDeviceGetAttribute) COALINT_CALL(cuDeviceTotalMem) COALINT_CALL(cuDeviceGetUuid) COALINT_CALL(cuDevicePrimaryCtxRetain) COALINT_CALL(cuDevicePrimaryCtxRelease)
COALINT_CALL(cuCtxCreate) COALINT_CALL(cuCtxDestroy) COALINT_CALL(cuCtxAttach) COALINT_CALL(cuCtxDetach) COALINT_CALL(cuCtxSetCurrent) COALINT_CALL(cuCtxGetCurrent) COALINT_CALL(cuCtxGetDevice) COALINT_CALL(cuCtxPushCurrent) COALINT_CALL(cuCtxPopCurrent) COALINT_CALL(cuCtxSynchronize)
COALINT_CALL(cuModuleLoad) COALINT_CALL(cuModuleLoadData) COALINT_CALL(cuModuleLoadDataEx) COALINT_CALL(cuModuleUnload) COALINT_CALL(cuModuleGetFunction) COALINT_CALL(cuModuleGetGlobal) COALINT_CALL(cuModuleGetTexRef)
COALINT_CALL(cuLaunchKernel) COALINT_CALL(cuLaunchKernelEx) COALINT_CALL(cuLaunchCooperativeKernel) COALINT_CALL(cuFuncSetAttribute) COALINT_CALL(cuFuncGetAttribute) COALINT_CALL(cuFuncSetCacheConfig)
COALINT_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor) COALINT_CALL(cuMemAlloc) COALINT_CALL(cuMemAllocManaged) COALINT_CALL(cuMemAllocHost) COALINT_CALL(cuMemAllocPitch) COALINT_CALL(cuMemFree) COALINT_CALL(cuMemFreeHost)
COALINT_CALL(cuMemcpy) COALINT_CALL(cuMemcpyHtoD) COALINT_CALL(cuMemcpyDtoH) COALINT_CALL(cuMemcpyDtoD) COALINT_CALL(cuMemcpyHtoDAsync) COALINT_CALL(cuMemcpyDtoHAsync) COALINT_CALL(cuMemcpyDtoDAsync) COALINT_CALL(cuMemcpy2D) COALINT_CALL(cuMemcpy3D)
COALINT_CALL(cuMemsetD8) COALINT_CALL(cuMemsetD16) COALINT_CALL(cuMemsetD32) COALINT_CALL(cuMemGetInfo) COALINT_CALL(cuMemCreate) COALINT_CALL(cuMemRelease) COALINT_CALL(cuMemMap) COALINT_CALL(cuMemUnmap)
COALINT_CALL(cuMemAddressReserve) COALINT_CALL(cuMemAddressFree) COALINT_CALL(cuMemSetAccess) COALINT_CALL(cuMemGetAllocationGranularity) COALINT_CALL(cuMemExportToShareableHandle) COALINT_CALL(cuMemImportFromShareableHandle)
COALINT_CALL(cuStreamCreate) COALINT_CALL(cuStreamDestroy) COALINT_CALL(cuStreamSynchronize) COALINT_CALL(cuStreamWaitValue32) COALINT_CALL(cuStreamWriteValue32) COALINT_CALL(cuEventCreate) COALINT_CALL(cuEventDestroy) COALINT_CALL(cuEventRecord)
COALINT_CALL(cuEventSynchronize) COALINT_CALL(cuEventElapsedTime) COALINT_CALL(cuPointerGetAttribute) COALINT_CALL(cuTexObjectCreate) COALINT_CALL(cuTexObjectDestroy) COALINT_CALL(cuSurfObjectCreate) COALINT_CALL(cuArrayCreate) COALINT_CALL(cuArrayDestroy)
COALINT_CALL(cuTensorMapEncodeTiled) COALINT_CALL(cuTensorMapEncodeIm2col) COALINT_CALL(cuGetProcAddress) COALINT_CALL(cuLinkCreate) COALINT_CALL(cuLinkAddData) COALINT_CALL(cuLinkAddFile) COALINT_CALL(cuLinkComplete) COALINT_CALL(cuLinkDestroy)
#undef COALINT_CALL
typedef decltype(&cuTensorMapEncodeTiled) PFN_cuTensorMapEncodeTiled;
typedef decltype(&cuTensorMapEncodeIm2col) PFN_cuTensorMapEncodeIm2col;
typedef cudaLaunchAttribute CUlaunchAttribute;

COALINT_HOST_DEVICE_END
