#include <cuda_pipeline.h>
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
__global__ void k(const float4* in, float* out) {
    __shared__ float4 tile[2][64]; __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cooperative_groups::this_thread_block();
    if (threadIdx.x == 0) init(&bar, blockDim.x);
    __syncthreads();
    __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], sizeof(float4));
    __pipeline_commit(); __pipeline_wait_prior(0);
    cuda::memcpy_async(&tile[1][threadIdx.x], &in[threadIdx.x], cuda::aligned_size_t<16>(16), bar);
    cuda::memcpy_async(block, tile[0], in, sizeof(float4) * 64, bar);
    bar.arrive_and_wait(); auto token = bar.arrive(); bar.wait(std::move(token));
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto shared = cuda::make_pipeline(block, &state);
    pipe.producer_acquire(); cuda::memcpy_async(&tile[0][0], in, 16, pipe); pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<1>(pipe); shared.consumer_wait(); shared.consumer_release();
    out[threadIdx.x] = tile[0][threadIdx.x].x;
}
