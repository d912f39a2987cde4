#include <cub/block/block_raking_layout.cuh>
#include <cub/cub.cuh>
template <int threads, int items> __global__ void k(const float* in, float* out, int n) {
    using Load = cub::BlockLoad<float, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Reduce = cub::BlockReduce<float, threads>; using Scan = cub::BlockScan<float, threads>;
    using Store = cub::BlockStore<float, threads, items>;
    __shared__ union { typename Load::TempStorage load; typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan; typename Store::TempStorage store; } temp;
    __shared__ typename cub::WarpReduce<int>::TempStorage warp[4];
    float v[items]; Load(temp.load).Load(in, v); Load(temp.load).Load(in, v, n);
    Load(temp.load).Load(in, v, n, 0.f); float total = Reduce(temp.reduce).Sum(v);
    total = Reduce(temp.reduce).Reduce(total, cub::Max());
    Scan(temp.scan).ExclusiveSum(v, v); Scan(temp.scan).InclusiveSum(total, v[0], total);
    total = fminf(cub::FpLimits<float>::Max(), fmaxf(total, cub::FpLimits<float>::Lowest()));
    Store(temp.store).Store(out, v); int w = cub::WarpReduce<int>(warp[0]).Sum(3); out[w] = total;
}
void go(float* p, size_t bytes) { k<128, 4><<<1, 128>>>(p, p, 3);
cub::DeviceReduce::Sum(nullptr, bytes, p, p, 8); cub::DeviceRadixSort::SortPairs(nullptr, bytes, p, p,
    p, p, 8); }
template <typename T> struct Scratch { struct Data { T v[4]; }; struct TempStorage : cub::Uninitialized<Data> {}; };
__global__ void l(float* out) { __shared__ typename Scratch<float>::TempStorage temp; out[0] = temp.Alias().v[threadIdx.x]; }
__global__ void shuffled(float* p) { p[threadIdx.x] = cub::ShuffleDown<16>(p[0], 1, 15, cub::WarpMask<16>(cub::WarpId())) + cub::ShuffleUp<32>(p[1], 1, 0, cub::WarpMask<32>(0)); }
