#include <cuda_runtime.h>
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { \
    fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e)); exit(EXIT_FAILURE); } } \
    while (0)
__constant__ float table[8]; __global__ void k(float* a, int n) { a[threadIdx.x] = table[n]; }
int main() {
    float *d, *h; int n = 3; CHECK(cudaMalloc(&d, 64)); CHECK(cudaMalloc((void**)&d, 64));
    CHECK(cudaMallocHost(&h, 64)); CHECK(cudaMallocManaged(&d, 64));
    CHECK(cudaMemcpyToSymbol(table, h, 32)); CHECK(cudaMemcpyToSymbolAsync(table, h, 32)); CHECK(cudaMemcpyFromSymbolAsync(h, table, 32));
    cudaStream_t stream; cudaEvent_t start, stop; cudaStreamCreate(&stream); cudaEventCreate(&start);
    cudaEventRecord(start, stream); float ms; cudaEventElapsedTime(&ms, start, stop);
    cudaDeviceProp prop; cudaGetDeviceProperties(&prop, 0); int blocks, threads;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 128, 0);
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, k, 0, 0);
    cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, prop.sharedMemPerBlockOptin);
    k<<<prop.multiProcessorCount, threads, 0, stream>>>(d, n);
    void* args[] = {&d, &n}; cudaLaunchKernel((void*)k, dim3(1), dim3(32), args, 0, stream);
    cudaLaunchCooperativeKernel((void*)k, 1, 32, args); cudaLaunchConfig_t config = {};
    config.gridDim = 4; cudaLaunchKernelEx(&config, k, d, 3);
    cudaGraph_t graph; cudaGraphExec_t exec; cudaStreamBeginCapture(stream,
        cudaStreamCaptureModeGlobal); cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, NULL, NULL, 0); cudaGraphLaunch(exec, stream);
    CHECK(cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, stream)); CHECK(cudaDeviceSynchronize());
    cudaFree(d); return cudaGetLastError() != cudaSuccess;
}
int limits_of_surfaces(const cudaDeviceProp& p) { return p.maxSurface1DLayered[1] + p.maxSurface2DLayered[2] +
    p.maxSurfaceCubemap + p.maxSurfaceCubemapLayered[1]; }
int limits_of_textures(const cudaDeviceProp& p) { return p.maxTextureCubemap + p.maxTextureCubemapLayered[1] +
    p.maxTexture2DMipmap[1] + p.maxTexture3DAlt[2]; }
void join(cudaStream_t s, cudaGraphNode_t node) {
    cudaStreamCaptureStatus status; cudaGraph_t graph; const cudaGraphNode_t* last; size_t n;
    cudaStreamGetCaptureInfo(s, &status, nullptr, &graph, &last, &n);
    cudaStreamUpdateCaptureDependencies(s, &node, 1, cudaStreamAddCaptureDependencies);
    cudaGraphNodeGetDependencies(node, &node, &n); cudaGraphNodeGetDependentNodes(node, nullptr, &n);
    cudaGraphNodeType type; cudaGraphNodeGetType(node, &type); if (type == cudaGraphNodeTypeWaitEvent || type == cudaGraphNodeTypeMemFree) return;
    cudaLaunchAttribute attribute; attribute.id = cudaLaunchAttributeMemSyncDomain; attribute.val.memSyncDomain = cudaLaunchMemSyncDomainRemote;
}
