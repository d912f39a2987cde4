#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
template <class Group> __device__ float total(Group g, float v) { for (int i = g.size() / 2; i > 0;
i /= 2) v += g.shfl_down(v, i); return v; }
__device__ int sum(cg::thread_group g, int v) { g.sync(); return g.thread_rank() + g.size(); }
__global__ void k(float* a, int n) {
    cg::thread_block block = cg::this_thread_block(); cg::grid_group grid = cg::this_grid();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    auto quad = cg::tiled_partition<4>(warp); auto active = cg::coalesced_threads();
    for (size_t i = grid.thread_rank(); i < n; i += grid.size()) a[i] = cg::reduce(warp, a[i],
        cg::plus<float>());
    a[block.group_index().x * block.dim_threads().x + block.thread_index().x] += total(warp, 1.f) +
        total(quad, 1.f) + warp.meta_group_rank() * quad.meta_group_size();
    sum(block, 1); sum(cg::tiled_partition(block, 16), 1); cg::sync(block); warp.sync(); grid.sync();
    quad.any(1); if (active.thread_rank() == 0) atomicAdd(a, active.size());
    cg::memcpy_async(block, a, a + n, sizeof(float) * 4); cg::wait(block);
    cg::reduce(warp, n, [](int x, int y) { return x < y ? x : y; });
}
