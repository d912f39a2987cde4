#include <cuda_runtime.h>

__global__ void k(float *out) { out[threadIdx.x] = 1; }

float *mapped(int file, size_t bytes) {
    cudaExternalMemoryHandleDesc handle = {};
    handle.type = cudaExternalMemoryHandleTypeOpaqueFd;
    handle.handle.fd = file;
    handle.size = bytes;
    cudaExternalMemory_t memory;
    if (cudaImportExternalMemory(&memory, &handle) != cudaSuccess) return nullptr;
    cudaExternalMemoryBufferDesc part = {};
    part.size = bytes;
    void *pointer = nullptr;
    cudaExternalMemoryGetMappedBuffer(&pointer, memory, &part);
    return static_cast<float *>(pointer);
}

void wait(int file, cudaStream_t stream) {
    cudaExternalSemaphoreHandleDesc handle = {};
    handle.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
    handle.handle.fd = file;
    cudaExternalSemaphore_t semaphore;
    cudaImportExternalSemaphore(&semaphore, &handle);
    cudaExternalSemaphoreWaitParams waited = {};
    waited.params.fence.value = 1;
    cudaWaitExternalSemaphoresAsync(&semaphore, &waited, 1, stream);
    cudaExternalSemaphoreSignalParams signalled = {};
    signalled.params.fence.value = 2;
    cudaSignalExternalSemaphoresAsync(&semaphore, &signalled, 1, stream);
    cudaDestroyExternalSemaphore(semaphore);
}

void graph(float *host, float *device, size_t bytes, cudaEvent_t event) {
    cudaGraph_t whole, child;
    cudaGraphCreate(&whole, 0);
    cudaGraphCreate(&child, 0);
    cudaGraphNode_t copy, empty, recorded, inner;
    cudaGraphAddMemcpyNode1D(&copy, whole, nullptr, 0, host, device, bytes, cudaMemcpyDeviceToHost);
    cudaGraphAddEmptyNode(&empty, whole, &copy, 1);
    cudaGraphAddEventRecordNode(&recorded, whole, &empty, 1, event);
    cudaGraphAddChildGraphNode(&inner, whole, &recorded, 1, child);
    size_t roots = 0;
    cudaGraphGetRootNodes(whole, nullptr, &roots);
    cudaGraphDestroyNode(inner);
}

void attributes(cudaStream_t stream, const float *managed, size_t bytes, void *pinned) {
    cudaStreamAttrValue value;
    cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
    unsigned int flags = 0;
    cudaHostGetFlags(&flags, pinned);
    int where = 0;
    cudaMemRangeGetAttribute(&where, sizeof(where), cudaMemRangeAttributePreferredLocation, managed, bytes);
    cudaChannelFormatDesc halves = cudaCreateChannelDescHalf2();
    (void)halves;
    cudaFuncCache cache;
    cudaDeviceGetCacheConfig(&cache);
    k<<<1, 32>>>(mapped(flags, bytes));
}
