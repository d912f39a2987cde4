// CUB. Block loads and stores have bodies that touch the addresses the real ones touch; collectives synchronize and yield an
// opaque value; device-wide algorithms are host calls that take anything.
#pragma once

COALINT_HOST_DEVICE_BEGIN

#ifndef CUB_VERSION
#define CUB_VERSION 200800
#endif
#define CUB_LOG_WARP_THREADS(unused) 5
#define CUB_WARP_THREADS(unused) 32
#define CUB_PTX_WARP_THREADS 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_LOG_SMEM_BANKS(unused) 5
#define CUB_SMEM_BANKS(unused) 32
#define CUB_PTX_SMEM_BANKS 32
#define CUB_PTX_LOG_SMEM_BANKS 5
#ifdef __CUDA_ARCH__
#define CUB_PTX_ARCH __CUDA_ARCH__
#else
#define CUB_PTX_ARCH 0
#endif
#define CUB_MAX_DEVICES 128
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_STATIC_ASSERT(condition, ...) static_assert(condition)
#define CUB_RUNTIME_FUNCTION __host__ __device__
#define CubDebug(error) (error)
#define CubDebugExit(error) ((void)(error))
namespace cub {
struct NullType {};
template <class T_> struct Uninitialized { alignas(T_) unsigned char coalint_storage[sizeof(T_)]; T_& Alias() { return reinterpret_cast<T_&>(*this); } };
template <int n_, int current_ = n_, int count_ = 0> struct Log2 { static constexpr int VALUE = (1 << count_) >= n_ ? count_ : Log2<n_, (current_ >> 1), count_ + 1>::VALUE; };
template <int n_, int count_> struct Log2<n_, 0, count_> { static constexpr int VALUE = (1 << (count_ - 1)) < n_ ? count_ : count_ - 1; };
template <int n_> struct PowerOfTwo { static constexpr bool VALUE = (n_ & (n_ - 1)) == 0; };
template <class A_, class B_> struct Equals { static constexpr bool VALUE = ::std::is_same_v<A_, B_>; static constexpr bool NEGATE = !VALUE; };
template <bool condition_, class A_, class B_> struct If { typedef ::std::conditional_t<condition_, A_, B_> Type; };
template <class T_> struct FpLimits { static T_ Max() { return __coalint_opaque(T_()); } static T_ Lowest() { return __coalint_opaque(T_()); } };
template <class A_, class B_> constexpr auto DivideAndRoundUp(A_ a, B_ b) { return (a + b - 1) / b; }
struct Sum { template <class T_, class U_> auto operator()(const T_& a, const U_& b) const { return a + b; } };
struct Difference { template <class T_, class U_> auto operator()(const T_& a, const U_& b) const { return a - b; } };
struct Max { template <class T_> T_ operator()(const T_& a, const T_& b) const { return a > b ? a : b; } };
struct Min { template <class T_> T_ operator()(const T_& a, const T_& b) const { return a < b ? a : b; } };
struct Equality { template <class T_, class U_> bool operator()(const T_& a, const U_& b) const { return a == b; } };
struct Inequality { template <class T_, class U_> bool operator()(const T_& a, const U_& b) const { return a != b; } };
template <class K_, class V_> struct KeyValuePair { typedef K_ Key; typedef V_ Value; K_ key; V_ value; KeyValuePair() = default; KeyValuePair(const K_& key, const V_& value) : key(key), value(value) {} };
struct ArgMax { template <class T_> T_ operator()(const T_& a, const T_& b) const { return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a; } };
struct ArgMin { template <class T_> T_ operator()(const T_& a, const T_& b) const { return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a; } };

enum BlockLoadAlgorithm { BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED };
enum BlockStoreAlgorithm { BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED };
enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier modifier_, class T_> T_ ThreadLoad(T_* p) { return *p; }
template <CacheStoreModifier modifier_, class T_> void ThreadStore(T_* p, T_ v) { *p = v; }
inline unsigned int LaneId() { return threadIdx.x % 32; }
inline int RowMajorTid(int x, int y, int z) { return (threadIdx.z * y + threadIdx.y) * x + threadIdx.x; }
inline void CTA_SYNC() { __syncthreads(); }
inline void WARP_SYNC(unsigned int mask) { __syncwarp(mask); }
inline unsigned int WarpId() { return RowMajorTid(blockDim.x, blockDim.y, blockDim.z) / 32; }
template <int threads_> unsigned int WarpMask(unsigned int warp) { return threads_ == 32 ? 0xffffffffu : ((1u << threads_ % 32) - 1) << (threads_ & (threads_ - 1) ? 0u : warp * threads_); }
template <int threads_, class T_> T_ ShuffleDown(T_ v, int offset, int, unsigned int mask) { return __shfl_down_sync(mask, v, offset, threads_); }
template <int threads_, class T_> T_ ShuffleUp(T_ v, int offset, int, unsigned int mask) { return __shfl_up_sync(mask, v, offset, threads_); }
template <class T_> T_ ShuffleIndex(T_ v, int lane, int width, unsigned int mask) { return __shfl_sync(mask, v, lane, width); }

// Where item i of a thread lies: blocked, striped over the block, or striped over the warp.
template <int algorithm_, int threads_, int items_> constexpr int coalint_position(int thread, int i) {
    if constexpr (algorithm_ == BLOCK_LOAD_DIRECT) return thread * items_ + i;
    else if constexpr (algorithm_ == BLOCK_LOAD_STRIPED || algorithm_ == BLOCK_LOAD_TRANSPOSE) return i * threads_ + thread;
    else return thread / 32 * 32 * items_ + i * 32 + thread % 32;
}
template <int algorithm_> void coalint_exchange() {
    if constexpr (algorithm_ == BLOCK_LOAD_TRANSPOSE || algorithm_ == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED) __syncthreads();
    else if constexpr (algorithm_ == BLOCK_LOAD_WARP_TRANSPOSE) __syncwarp();
}
template <class I_, class T_, int items_> void coalint_vector_load(int thread, I_ p, T_ (&items)[items_]);
template <class O_, class T_, int items_> void coalint_vector_store(int thread, O_ p, T_ (&items)[items_]);

#define COALINT_COLLECTIVE(name)                                            \
  public:                                                                   \
    struct TempStorage { unsigned int coalint_unsized[64]; TempStorage& Alias() { return *this; } }; \
    name() = default;                                                       \
    name(TempStorage&) {}                                                   \
    name(TempStorage&, int) {}

template <class T_, int x_, int items_, BlockLoadAlgorithm algorithm_ = BLOCK_LOAD_DIRECT, int y_ = 1, int z_ = 1, int... rest_> class BlockLoad {
    COALINT_COLLECTIVE(BlockLoad)
    static constexpr int threads = x_ * y_ * z_;
    template <class I_> void Load(I_ p, T_ (&items)[items_]) {
        int thread = RowMajorTid(x_, y_, z_);
        if constexpr (algorithm_ == BLOCK_LOAD_VECTORIZE) coalint_vector_load(thread, p, items);
        else
            for (int i = 0; i < items_; ++i) items[i] = p[coalint_position<algorithm_, threads, items_>(thread, i)];
        coalint_exchange<algorithm_>();
    }
    template <class I_> void Load(I_ p, T_ (&items)[items_], int valid) {
        int thread = RowMajorTid(x_, y_, z_);
        for (int i = 0; i < items_; ++i) {
            int at = coalint_position<algorithm_ == BLOCK_LOAD_VECTORIZE ? BLOCK_LOAD_DIRECT : algorithm_, threads, items_>(thread, i);
            if (at < valid) items[i] = p[at];
        }
        coalint_exchange<algorithm_>();
    }
    template <class I_, class U_> void Load(I_ p, T_ (&items)[items_], int valid, U_) { Load(p, items, valid); }
};
template <class T_, int x_, int items_, BlockStoreAlgorithm algorithm_ = BLOCK_STORE_DIRECT, int y_ = 1, int z_ = 1, int... rest_> class BlockStore {
    COALINT_COLLECTIVE(BlockStore)
    static constexpr int threads = x_ * y_ * z_;
    template <class O_> void Store(O_ p, T_ (&items)[items_]) {
        int thread = RowMajorTid(x_, y_, z_);
        coalint_exchange<algorithm_>();
        if constexpr (algorithm_ == BLOCK_STORE_VECTORIZE) coalint_vector_store(thread, p, items);
        else
            for (int i = 0; i < items_; ++i) p[coalint_position<algorithm_, threads, items_>(thread, i)] = items[i];
    }
    template <class O_> void Store(O_ p, T_ (&items)[items_], int valid) {
        int thread = RowMajorTid(x_, y_, z_);
        coalint_exchange<algorithm_>();
        for (int i = 0; i < items_; ++i) {
            int at = coalint_position<algorithm_ == BLOCK_STORE_VECTORIZE ? BLOCK_STORE_DIRECT : algorithm_, threads, items_>(thread, i);
            if (at < valid) p[at] = items[i];
        }
    }
};

// A collective over n_ threads: a barrier when these are more than a warp, then a value that nothing is known of. Of a warp it
// waits for the n_ lanes around the calling one; for no others where n_ is no power of two.
template <int n_> unsigned int coalint_members() {
    if constexpr ((n_ & (n_ - 1)) == 0) return cooperative_groups::coalint_tile_mask(n_);
    else return __activemask();
}
template <int n_> void coalint_synchronize() {
    if constexpr (n_ > 32) __syncthreads();
    else __syncwarp(coalint_members<n_>());
}
#define COALINT_REDUCTIONS(n_)                                                                                              \
    template <class U_> U_ Sum(U_ v) { coalint_synchronize<n_>(); return __coalint_opaque(v); }                             \
    template <class U_> U_ Sum(U_ v, int) { coalint_synchronize<n_>(); return __coalint_opaque(v); }                        \
    template <class U_, int k_> U_ Sum(U_ (&v)[k_]) { coalint_synchronize<n_>(); return __coalint_opaque(v[0]); }           \
    template <class U_, class F_> U_ Reduce(U_ v, F_) { coalint_synchronize<n_>(); return __coalint_opaque(v); }            \
    template <class U_, class F_> U_ Reduce(U_ v, F_, int) { coalint_synchronize<n_>(); return __coalint_opaque(v); }       \
    template <class U_, int k_, class F_> U_ Reduce(U_ (&v)[k_], F_) { coalint_synchronize<n_>(); return __coalint_opaque(v[0]); }
// A row of a block's elements for one warp to rake: each of its lanes has a segment, padded by one where these are even.
template <class T_, int threads_> struct BlockRakingLayout {
    static constexpr int SHARED_ELEMENTS = threads_, MAX_RAKING_THREADS = threads_ < 32 ? threads_ : 32;
    static constexpr int SEGMENT_LENGTH = (SHARED_ELEMENTS + MAX_RAKING_THREADS - 1) / MAX_RAKING_THREADS;
    static constexpr int RAKING_THREADS = (SHARED_ELEMENTS + SEGMENT_LENGTH - 1) / SEGMENT_LENGTH;
    static constexpr bool USE_SEGMENT_PADDING = (SEGMENT_LENGTH & 1) == 0 && SEGMENT_LENGTH > 2;
    static constexpr int GRID_ELEMENTS = RAKING_THREADS * (SEGMENT_LENGTH + USE_SEGMENT_PADDING);
    static constexpr bool UNGUARDED = SHARED_ELEMENTS % RAKING_THREADS == 0;
    struct TempStorage { T_ buff[GRID_ELEMENTS]; TempStorage& Alias() { return *this; } };
    static T_* PlacementPtr(TempStorage& storage, unsigned int thread) { return storage.buff + (USE_SEGMENT_PADDING ? thread / SEGMENT_LENGTH + thread : thread); }
    static T_* RakingPtr(TempStorage& storage, unsigned int thread) { return storage.buff + thread * (SEGMENT_LENGTH + USE_SEGMENT_PADDING); }
};
template <class T_, int x_, BlockReduceAlgorithm algorithm_ = BLOCK_REDUCE_WARP_REDUCTIONS, int y_ = 1, int z_ = 1, int... rest_> class BlockReduce {
    COALINT_COLLECTIVE(BlockReduce)
    COALINT_REDUCTIONS(x_ * y_ * z_)
};
template <class T_, int n_ = 32, int... rest_> class WarpReduce {
    COALINT_COLLECTIVE(WarpReduce)
    COALINT_REDUCTIONS(n_)
    template <class F_> T_ HeadSegmentedSum(T_ v, F_) { return __coalint_opaque(v); }
    template <class F_> T_ TailSegmentedSum(T_ v, F_) { return __coalint_opaque(v); }
};
#undef COALINT_REDUCTIONS

// Scans: out and aggregate are references, the rest (operator, initial value, prefix callback) does not matter.
template <class T_, int n_> class coalint_scan {
    template <class U_> static void set(U_& v) { v = __coalint_opaque(v); }
    template <class U_, int k_> static void set(U_ (&v)[k_]) { for (int i = 0; i < k_; ++i) v[i] = __coalint_opaque(v[i]); }

  public:
#define COALINT_SCAN(name)                                                                                                        \
    template <class U_, class V_> void name(const U_& in, V_& out) { coalint_synchronize<n_>(); __coalint_used(in); set(out); }     \
    template <class U_, class V_, class W_> void name(const U_& in, V_& out, W_&& w) { coalint_synchronize<n_>(); __coalint_used(in, w); set(out); } \
    template <class U_, class V_, class W_, class X_> void name(const U_& in, V_& out, W_&& w, X_&& x) { coalint_synchronize<n_>(); __coalint_used(in, w, x); set(out); } \
    template <class U_, class V_, class W_, class X_, class Y_> void name(const U_& in, V_& out, W_&& w, X_&& x, Y_&& y) { coalint_synchronize<n_>(); __coalint_used(in, w, x, y); set(out); }
    COALINT_SCAN(InclusiveSum) COALINT_SCAN(ExclusiveSum) COALINT_SCAN(InclusiveScan) COALINT_SCAN(ExclusiveScan)
#undef COALINT_SCAN
};
template <class T_, int x_, BlockScanAlgorithm algorithm_ = BLOCK_SCAN_RAKING, int y_ = 1, int z_ = 1, int... rest_> class BlockScan : public coalint_scan<T_, x_ * y_ * z_> { COALINT_COLLECTIVE(BlockScan) };
template <class T_, int n_ = 32, int... rest_> class WarpScan : public coalint_scan<T_, n_> {
    COALINT_COLLECTIVE(WarpScan)
    T_ Broadcast(T_ v, unsigned int lane) { return __shfl_sync(coalint_members<n_>(), v, lane, n_); }
};

#define COALINT_IN_PLACE(name) template <class... A_> void name(A_&&... a) { __syncthreads(); __coalint_used(a...); }
template <class K_, int x_, int items_, class V_ = NullType, int... rest_> class BlockRadixSort {
    COALINT_COLLECTIVE(BlockRadixSort)
    COALINT_IN_PLACE(Sort) COALINT_IN_PLACE(SortDescending) COALINT_IN_PLACE(SortBlockedToStriped) COALINT_IN_PLACE(SortDescendingBlockedToStriped)
};
template <class K_, int x_, int items_, class V_ = NullType, int... rest_> class BlockMergeSort { COALINT_COLLECTIVE(BlockMergeSort) COALINT_IN_PLACE(Sort) COALINT_IN_PLACE(StableSort) };
template <class K_, int items_, int n_ = 32, class V_ = NullType> class WarpMergeSort { COALINT_COLLECTIVE(WarpMergeSort) template <class... A_> void Sort(A_&&... a) { coalint_synchronize<n_>(); __coalint_used(a...); } template <class... A_> void StableSort(A_&&... a) { coalint_synchronize<n_>(); __coalint_used(a...); } };
template <class T_, int x_, int items_, bool sliced_ = false, int... rest_> class BlockExchange {
    COALINT_COLLECTIVE(BlockExchange)
    COALINT_IN_PLACE(StripedToBlocked) COALINT_IN_PLACE(BlockedToStriped) COALINT_IN_PLACE(WarpStripedToBlocked) COALINT_IN_PLACE(BlockedToWarpStriped) COALINT_IN_PLACE(ScatterToBlocked) COALINT_IN_PLACE(ScatterToStriped)
};
template <class T_, int x_, int items_, int bins_, BlockHistogramAlgorithm algorithm_ = BLOCK_HISTO_SORT, int... rest_> class BlockHistogram { COALINT_COLLECTIVE(BlockHistogram) COALINT_IN_PLACE(InitHistogram) COALINT_IN_PLACE(Histogram) COALINT_IN_PLACE(Composite) };
template <class T_, int x_, int... rest_> class BlockDiscontinuity { COALINT_COLLECTIVE(BlockDiscontinuity) COALINT_IN_PLACE(FlagHeads) COALINT_IN_PLACE(FlagTails) COALINT_IN_PLACE(FlagHeadsAndTails) };
template <class T_, int x_, int... rest_> class BlockAdjacentDifference { COALINT_COLLECTIVE(BlockAdjacentDifference) COALINT_IN_PLACE(SubtractLeft) COALINT_IN_PLACE(SubtractRight) };
template <class T_, int x_, int... rest_> class BlockShuffle { COALINT_COLLECTIVE(BlockShuffle) COALINT_IN_PLACE(Offset) COALINT_IN_PLACE(Rotate) COALINT_IN_PLACE(Up) COALINT_IN_PLACE(Down) };
#undef COALINT_IN_PLACE
#undef COALINT_COLLECTIVE

template <class T_> struct DoubleBuffer { T_* d_buffers[2]; int selector; DoubleBuffer(T_* a = nullptr, T_* b = nullptr) : d_buffers{a, b}, selector(0) {} T_* Current() { return d_buffers[selector]; } T_* Alternate() { return d_buffers[selector ^ 1]; } };
template <class T_, class D_ = ptrdiff_t> struct CountingInputIterator { typedef T_ value_type; T_ first; CountingInputIterator(T_ v) : first(v) {} T_ operator[](D_ i) const { return first + i; } T_ operator*() const { return first; } };
template <class T_, class D_ = ptrdiff_t> struct ConstantInputIterator { typedef T_ value_type; T_ v; ConstantInputIterator(T_ v) : v(v) {} T_ operator[](D_) const { return v; } T_ operator*() const { return v; } };
template <class T_, class F_, class I_, class D_ = ptrdiff_t> struct TransformInputIterator { typedef T_ value_type; I_ first; F_ f; TransformInputIterator(I_ first, F_ f) : first(first), f(f) {} T_ operator[](D_ i) const { return f(first[i]); } T_ operator*() const { return f(*first); } };
template <class I_, class D_ = ptrdiff_t> struct ArgIndexInputIterator { ArgIndexInputIterator(I_) COALINT_HOST_ONLY };
template <CacheLoadModifier modifier_, class T_, class D_ = ptrdiff_t> struct CacheModifiedInputIterator { T_* first; CacheModifiedInputIterator(T_* p) : first(p) {} T_ operator[](D_ i) const { return first[i]; } };
struct CachingDeviceAllocator { CachingDeviceAllocator(bool = false); cudaError_t DeviceAllocate(void**, size_t, cudaStream_t = 0); cudaError_t DeviceFree(void*); };

#define COALINT_DEVICE(name) template <class... A_> static cudaError_t name(A_&&...) COALINT_HOST_ONLY
struct DeviceReduce { COALINT_DEVICE(Reduce) COALINT_DEVICE(Sum) COALINT_DEVICE(Min) COALINT_DEVICE(Max) COALINT_DEVICE(ArgMin) COALINT_DEVICE(ArgMax) COALINT_DEVICE(ReduceByKey) COALINT_DEVICE(TransformReduce) };
struct DeviceSegmentedReduce { COALINT_DEVICE(Reduce) COALINT_DEVICE(Sum) COALINT_DEVICE(Min) COALINT_DEVICE(Max) COALINT_DEVICE(ArgMin) COALINT_DEVICE(ArgMax) };
struct DeviceScan { COALINT_DEVICE(InclusiveSum) COALINT_DEVICE(ExclusiveSum) COALINT_DEVICE(InclusiveScan) COALINT_DEVICE(ExclusiveScan) COALINT_DEVICE(InclusiveSumByKey) COALINT_DEVICE(ExclusiveSumByKey) };
struct DeviceRadixSort { COALINT_DEVICE(SortPairs) COALINT_DEVICE(SortPairsDescending) COALINT_DEVICE(SortKeys) COALINT_DEVICE(SortKeysDescending) };
struct DeviceSegmentedRadixSort : DeviceRadixSort {};
struct DeviceSegmentedSort : DeviceRadixSort { COALINT_DEVICE(StableSortPairs) COALINT_DEVICE(StableSortPairsDescending) COALINT_DEVICE(StableSortKeys) };
struct DeviceMergeSort : DeviceRadixSort { COALINT_DEVICE(StableSortPairs) COALINT_DEVICE(StableSortKeys) };
struct DeviceSelect { COALINT_DEVICE(If) COALINT_DEVICE(Flagged) COALINT_DEVICE(FlaggedIf) COALINT_DEVICE(Unique) COALINT_DEVICE(UniqueByKey) };
struct DevicePartition { COALINT_DEVICE(If) COALINT_DEVICE(Flagged) };
struct DeviceHistogram { COALINT_DEVICE(HistogramEven) COALINT_DEVICE(HistogramRange) COALINT_DEVICE(MultiHistogramEven) };
struct DeviceRunLengthEncode { COALINT_DEVICE(Encode) COALINT_DEVICE(NonTrivialRuns) };
struct DeviceTopK { COALINT_DEVICE(MaxPairs) COALINT_DEVICE(MinPairs) COALINT_DEVICE(MaxKeys) COALINT_DEVICE(MinKeys) };
struct DeviceFor { COALINT_DEVICE(Bulk) COALINT_DEVICE(ForEach) COALINT_DEVICE(ForEachN) };
struct DeviceMemcpy { COALINT_DEVICE(Batched) };
struct DeviceSpmv { COALINT_DEVICE(CsrMV) };
#undef COALINT_DEVICE
// Where a value belongs among sorted ones: each step reads where the one before it says.
template <class I_, class N_, class T_> N_ LowerBound(I_ values, N_ n, T_ v) {
    N_ at = 0;
    while (n > 0) {
        N_ half = n >> 1;
        if (values[at + half] < v) { at = at + (half + 1); n = n - (half + 1); }
        else n = half;
    }
    return at;
}
template <class I_, class N_, class T_> N_ UpperBound(I_ values, N_ n, T_ v) {
    N_ at = 0;
    while (n > 0) {
        N_ half = n >> 1;
        if (v < values[at + half]) n = half;
        else { at = at + (half + 1); n = n - (half + 1); }
    }
    return at;
}
}  // namespace cub

COALINT_HOST_DEVICE_END
