// Functions of the runtime that say nothing about kernels: with any arguments. And what they take.
#pragma once

COALINT_HOST_DEVICE_BEGIN

enum cudaExternalMemoryHandleType {
    cudaExternalMemoryHandleTypeOpaqueFd = 1, cudaExternalMemoryHandleTypeOpaqueWin32, cudaExternalMemoryHandleTypeOpaqueWin32Kmt,
    cudaExternalMemoryHandleTypeD3D12Heap, cudaExternalMemoryHandleTypeD3D12Resource, cudaExternalMemoryHandleTypeD3D11Resource,
    cudaExternalMemoryHandleTypeD3D11ResourceKmt, cudaExternalMemoryHandleTypeNvSciBuf };
enum cudaExternalSemaphoreHandleType {
    cudaExternalSemaphoreHandleTypeOpaqueFd = 1, cudaExternalSemaphoreHandleTypeOpaqueWin32, cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt,
    cudaExternalSemaphoreHandleTypeD3D12Fence, cudaExternalSemaphoreHandleTypeD3D11Fence, cudaExternalSemaphoreHandleTypeNvSciSync,
    cudaExternalSemaphoreHandleTypeKeyedMutex, cudaExternalSemaphoreHandleTypeKeyedMutexKmt,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd, cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 };
enum { cudaExternalMemoryDedicated = 1, cudaExternalSemaphoreSignalSkipNvSciBufMemSync = 1, cudaExternalSemaphoreWaitSkipNvSciBufMemSync = 2 };
struct cudaExternalMemoryHandleDesc {
    cudaExternalMemoryHandleType type;
    union { int fd; struct { void* handle; const void* name; } win32; const void* nvSciBufObject; } handle;
    unsigned long long size;
    unsigned int flags, reserved[16];
};
struct cudaExternalMemoryBufferDesc { unsigned long long offset, size; unsigned int flags, reserved[16]; };
struct cudaExternalMemoryMipmappedArrayDesc {
    unsigned long long offset;
    cudaChannelFormatDesc formatDesc;
    cudaExtent extent;
    unsigned int flags, numLevels, reserved[16];
};
struct cudaExternalSemaphoreHandleDesc {
    cudaExternalSemaphoreHandleType type;
    union { int fd; struct { void* handle; const void* name; } win32; const void* nvSciSyncObj; } handle;
    unsigned int flags, reserved[16];
};
struct cudaExternalSemaphoreSignalParams {
    struct {
        struct { unsigned long long value; } fence;
        union { void* fence; unsigned long long reserved; } nvSciSync;
        struct { unsigned long long key; } keyedMutex;
        unsigned int reserved[12];
    } params;
    unsigned int flags, reserved[16];
};
struct cudaExternalSemaphoreWaitParams {
    struct {
        struct { unsigned long long value; } fence;
        union { void* fence; unsigned long long reserved; } nvSciSync;
        struct { unsigned long long key; unsigned int timeoutMs; } keyedMutex;
        unsigned int reserved[10];
    } params;
    unsigned int flags, reserved[16];
};
struct cudaExternalSemaphoreSignalNodeParams { cudaExternalSemaphore_t* extSemArray; const cudaExternalSemaphoreSignalParams* paramsArray; unsigned int numExtSems; };
struct cudaExternalSemaphoreWaitNodeParams { cudaExternalSemaphore_t* extSemArray; const cudaExternalSemaphoreWaitParams* paramsArray; unsigned int numExtSems; };
struct cudaArrayMemoryRequirements { size_t size, alignment; unsigned int reserved[4]; };
struct cudaArraySparseProperties { struct { unsigned int width, height, depth; } tileExtent; unsigned int miptailFirstLevel; unsigned long long miptailSize; unsigned int flags, reserved[4]; };
enum cudaMemRangeAttribute {
    cudaMemRangeAttributeReadMostly = 1, cudaMemRangeAttributePreferredLocation, cudaMemRangeAttributeAccessedBy,
    cudaMemRangeAttributeLastPrefetchLocation, cudaMemRangeAttributePreferredLocationType, cudaMemRangeAttributePreferredLocationId,
    cudaMemRangeAttributeLastPrefetchLocationType, cudaMemRangeAttributeLastPrefetchLocationId };
typedef struct CUuserObject_st* cudaUserObject_t;
enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };

#define COALINT_CALL(name) cudaError_t name(...);
COALINT_CALL(cudaImportExternalMemory) COALINT_CALL(cudaExternalMemoryGetMappedBuffer) COALINT_CALL(cudaExternalMemoryGetMappedMipmappedArray)
COALINT_CALL(cudaDestroyExternalMemory) COALINT_CALL(cudaImportExternalSemaphore) COALINT_CALL(cudaDestroyExternalSemaphore)
COALINT_CALL(cudaSignalExternalSemaphoresAsync) COALINT_CALL(cudaWaitExternalSemaphoresAsync)
COALINT_CALL(cudaArrayGetMemoryRequirements) COALINT_CALL(cudaArrayGetPlane) COALINT_CALL(cudaArrayGetSparseProperties)
COALINT_CALL(cudaMipmappedArrayGetMemoryRequirements) COALINT_CALL(cudaMipmappedArrayGetSparseProperties) COALINT_CALL(cudaMemcpyArrayToArray)
COALINT_CALL(cudaGetSurfaceObjectResourceDesc) COALINT_CALL(cudaGetTextureObjectResourceViewDesc) COALINT_CALL(cudaGetTextureObjectTextureDesc)
COALINT_CALL(cudaDeviceFlushGPUDirectRDMAWrites) COALINT_CALL(cudaDeviceGetCacheConfig) COALINT_CALL(cudaDeviceGetNvSciSyncAttributes)
COALINT_CALL(cudaDeviceSetGraphMemAttribute) COALINT_CALL(cudaFuncGetName) COALINT_CALL(cudaFuncGetParamInfo) COALINT_CALL(cudaHostGetFlags)
COALINT_CALL(cudaMemPoolGetAccess) COALINT_CALL(cudaMemRangeGetAttribute) COALINT_CALL(cudaMemRangeGetAttributes)
COALINT_CALL(cudaStreamCopyAttributes) COALINT_CALL(cudaStreamGetAttribute) COALINT_CALL(cudaStreamGetDevice) COALINT_CALL(cudaStreamGetId)
COALINT_CALL(cudaGraphicsResourceGetMappedMipmappedArray) COALINT_CALL(cudaGraphicsResourceSetMapFlags)
COALINT_CALL(cudaUserObjectCreate) COALINT_CALL(cudaUserObjectRelease) COALINT_CALL(cudaUserObjectRetain)
COALINT_CALL(cudaGraphRetainUserObject) COALINT_CALL(cudaGraphReleaseUserObject)
COALINT_CALL(cudaGraphAddChildGraphNode) COALINT_CALL(cudaGraphAddEmptyNode) COALINT_CALL(cudaGraphAddEventRecordNode)
COALINT_CALL(cudaGraphAddEventWaitNode) COALINT_CALL(cudaGraphAddExternalSemaphoresSignalNode) COALINT_CALL(cudaGraphAddExternalSemaphoresWaitNode)
COALINT_CALL(cudaGraphAddMemcpyNode1D) COALINT_CALL(cudaGraphAddMemcpyNodeFromSymbol) COALINT_CALL(cudaGraphAddMemcpyNodeToSymbol)
COALINT_CALL(cudaGraphChildGraphNodeGetGraph) COALINT_CALL(cudaGraphDestroyNode) COALINT_CALL(cudaGraphEventRecordNodeGetEvent)
COALINT_CALL(cudaGraphEventRecordNodeSetEvent) COALINT_CALL(cudaGraphEventWaitNodeGetEvent) COALINT_CALL(cudaGraphEventWaitNodeSetEvent)
COALINT_CALL(cudaGraphExecChildGraphNodeSetParams) COALINT_CALL(cudaGraphExecEventRecordNodeSetEvent) COALINT_CALL(cudaGraphExecEventWaitNodeSetEvent)
COALINT_CALL(cudaGraphExecExternalSemaphoresSignalNodeSetParams) COALINT_CALL(cudaGraphExecExternalSemaphoresWaitNodeSetParams)
COALINT_CALL(cudaGraphExecGetFlags) COALINT_CALL(cudaGraphExecHostNodeSetParams) COALINT_CALL(cudaGraphExecMemcpyNodeSetParams)
COALINT_CALL(cudaGraphExecMemcpyNodeSetParams1D) COALINT_CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol)
COALINT_CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol) COALINT_CALL(cudaGraphExecMemsetNodeSetParams) COALINT_CALL(cudaGraphExecNodeSetParams)
COALINT_CALL(cudaGraphExternalSemaphoresSignalNodeGetParams) COALINT_CALL(cudaGraphExternalSemaphoresSignalNodeSetParams)
COALINT_CALL(cudaGraphExternalSemaphoresWaitNodeGetParams) COALINT_CALL(cudaGraphExternalSemaphoresWaitNodeSetParams)
COALINT_CALL(cudaGraphGetEdges) COALINT_CALL(cudaGraphGetRootNodes) COALINT_CALL(cudaGraphHostNodeGetParams) COALINT_CALL(cudaGraphHostNodeSetParams)
COALINT_CALL(cudaGraphKernelNodeCopyAttributes) COALINT_CALL(cudaGraphKernelNodeGetAttribute) COALINT_CALL(cudaGraphMemAllocNodeGetParams)
COALINT_CALL(cudaGraphMemFreeNodeGetParams) COALINT_CALL(cudaGraphMemcpyNodeGetParams) COALINT_CALL(cudaGraphMemcpyNodeSetParams)
COALINT_CALL(cudaGraphMemcpyNodeSetParams1D) COALINT_CALL(cudaGraphMemcpyNodeSetParamsFromSymbol) COALINT_CALL(cudaGraphMemcpyNodeSetParamsToSymbol)
COALINT_CALL(cudaGraphMemsetNodeGetParams) COALINT_CALL(cudaGraphMemsetNodeSetParams) COALINT_CALL(cudaGraphNodeFindInClone)
COALINT_CALL(cudaGraphNodeGetEnabled) COALINT_CALL(cudaGraphNodeSetEnabled) COALINT_CALL(cudaGraphNodeSetParams) COALINT_CALL(cudaGraphRemoveDependencies)
#undef COALINT_CALL

COALINT_HOST_DEVICE_END
