#include <cuda.h>
#include <driver_functions.h>
__global__ void k(float* a) { typeof(a[0]) value = a[0]; a[threadIdx.x] = value; }
int main() {
    int bus; CUdevice device; cuDeviceGet(&device, 0); cuDeviceGetAttribute(&bus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, device);
    CUpointer_attribute kind = CU_POINTER_ATTRIBUTE_MEMORY_TYPE; CUmemorytype where = CU_MEMORYTYPE_HOST;
    void* room; cuMemHostAlloc(&room, 64, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP); cuMemFreeHost(room);
    CUjit_option options[] = {CU_JIT_MAX_REGISTERS, CU_JIT_LOG_VERBOSE, CU_JIT_CACHE_MODE};
    cuFuncSetCacheConfig(0, CU_FUNC_CACHE_PREFER_L1); cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024);
    cuStreamWaitValue32(0, 0, 1, CU_STREAM_WAIT_VALUE_GEQ); return bus + kind + where + options[0];
}
