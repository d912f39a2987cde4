// Cooperative groups. A rank's body is its meaning in threadIdx and blockDim, and sync() calls the barrier that the group stands for.
#pragma once

COALINT_HOST_DEVICE_BEGIN

namespace cooperative_groups {

inline unsigned int coalint_rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
inline unsigned int coalint_block_size() { return blockDim.x * blockDim.y * blockDim.z; }
// The lanes of the calling thread's tile of `size` threads.
inline unsigned int coalint_tile_mask(unsigned int size) {
    return size >= 32 ? 0xffffffffu : ((1u << size) - 1u) << (coalint_rank_in_block() % 32 / size * size);
}
inline void coalint_tile_sync(unsigned int size) {
    if (size <= 32) __syncwarp(coalint_tile_mask(size));
    else __coalint_tile_sync(size);
}
inline unsigned int coalint_rank_in_grid() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }

// Any group of a block, its rank and size kept as values.
class thread_group {
  protected:
    unsigned int rank_, size_;

  public:
    thread_group(unsigned int rank, unsigned int size) : rank_(rank), size_(size) {}
    unsigned int thread_rank() const { return rank_; }
    unsigned int size() const { return size_; }
    unsigned int num_threads() const { return size_; }
    bool is_valid() const { return true; }
    void sync() const { coalint_tile_sync(size_); }
};

class thread_block {
  public:
    struct arrival_token {};
    static unsigned int thread_rank() { return coalint_rank_in_block(); }
    static unsigned int size() { return coalint_block_size(); }
    static unsigned int num_threads() { return coalint_block_size(); }
    static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static bool is_valid() { return true; }
    static void sync() { __syncthreads(); }
    static arrival_token barrier_arrive() { return {}; }
    static void barrier_wait(arrival_token&&) { __syncthreads(); }
    static void barrier_wait() { __syncthreads(); }
    operator thread_group() const { return thread_group(thread_rank(), size()); }
};
inline thread_block this_thread_block() { return {}; }
inline thread_group this_thread() { return thread_group(0, 1); }

class grid_group {
  public:
    struct arrival_token {};
    static unsigned long long thread_rank() { return (unsigned long long)coalint_rank_in_grid() * coalint_block_size() + coalint_rank_in_block(); }
    static unsigned long long size() { return (unsigned long long)(gridDim.x * gridDim.y * gridDim.z) * coalint_block_size(); }
    static unsigned long long num_threads() { return size(); }
    static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static unsigned long long block_rank() { return coalint_rank_in_grid(); }
    static unsigned long long num_blocks() { return gridDim.x * gridDim.y * gridDim.z; }
    static bool is_valid() { return true; }
    static void sync() { __coalint_grid_sync(); }
    static arrival_token barrier_arrive() { return {}; }
    static void barrier_wait(arrival_token&&) { __coalint_grid_sync(); }
};
inline grid_group this_grid() { return {}; }
class multi_grid_group : public grid_group { public: unsigned int grid_rank() const; unsigned int num_grids() const; };
multi_grid_group this_multi_grid();

class cluster_group {
  public:
    struct arrival_token {};
    static unsigned int thread_rank();
    static unsigned int size();
    static unsigned int num_threads();
    static unsigned int num_blocks();
    static unsigned int block_rank();
    static dim3 block_index();
    static dim3 dim_blocks();
    static dim3 dim_threads();
    static void sync() { __coalint_cluster_sync(); }
    static arrival_token barrier_arrive() { return {}; }
    static void barrier_wait(arrival_token&&) { __coalint_cluster_sync(); }
    static void barrier_wait() { __coalint_cluster_sync(); }
    template <class T_> T_* map_shared_rank(T_* p, int rank) const;
    static unsigned int query_shared_rank(const void*);
};
cluster_group this_cluster();

// What tiles of every size share. n_ is a power of two that divides a warp, so the rank follows from that in the block.
template <unsigned int n_> class coalint_tile {
  public:
    static unsigned int thread_rank() { return coalint_rank_in_block() % n_; }
    static constexpr unsigned int size() { return n_; }
    static constexpr unsigned int num_threads() { return n_; }
    static bool is_valid() { return true; }
    void sync() const { coalint_tile_sync(n_); }
    template <class T_> T_ coalint_exchange(T_ v) const {
        if (n_ > 32) __coalint_tile_sync(n_);
        else return __coalint_tile_exchange(coalint_tile_mask(n_), v);
        return __coalint_opaque(v);
    }
    template <class T_> T_ coalint_reduce(T_ v) const {
        if (n_ > 32) __coalint_tile_sync(n_);
        else return __coalint_tile_reduce(coalint_tile_mask(n_), v);
        return __coalint_opaque(v);
    }
    template <class T_> T_ shfl(T_ v, int rank) const { return __shfl_sync(coalint_tile_mask(n_), v, rank, n_); }
    template <class T_> T_ shfl_up(T_ v, unsigned int delta) const { return __shfl_up_sync(coalint_tile_mask(n_), v, delta, n_); }
    template <class T_> T_ shfl_down(T_ v, unsigned int delta) const { return __shfl_down_sync(coalint_tile_mask(n_), v, delta, n_); }
    template <class T_> T_ shfl_xor(T_ v, unsigned int lanes) const { return __shfl_xor_sync(coalint_tile_mask(n_), v, lanes, n_); }
    unsigned int ballot(int predicate) const { return __ballot_sync(coalint_tile_mask(n_), predicate); }
    int any(int predicate) const { return __any_sync(coalint_tile_mask(n_), predicate); }
    int all(int predicate) const { return __all_sync(coalint_tile_mask(n_), predicate); }
    template <class T_> unsigned int match_any(T_ v) const { return __match_any_sync(coalint_tile_mask(n_), v); }
    template <class T_> unsigned int match_all(T_ v, int& all) const { return __match_all_sync(coalint_tile_mask(n_), v, &all); }
    operator thread_group() const { return thread_group(thread_rank(), n_); }
};

// Without its parent's type, a tile keeps where it stands in the parent.
template <unsigned int n_, class Parent_ = void> class thread_block_tile;
template <unsigned int n_, class Parent_> class thread_block_tile : public coalint_tile<n_> {
  public:
    static unsigned int meta_group_rank() { return Parent_::thread_rank() / n_; }
    static unsigned int meta_group_size() { return (Parent_::size() + n_ - 1) / n_; }
};
template <unsigned int n_> class thread_block_tile<n_, void> : public coalint_tile<n_> {
    unsigned int rank_, count_;

  public:
    template <class Parent_> thread_block_tile(const thread_block_tile<n_, Parent_>& t) : rank_(t.meta_group_rank()), count_(t.meta_group_size()) {}
    unsigned int meta_group_rank() const { return rank_; }
    unsigned int meta_group_size() const { return count_; }
};

class coalesced_group {
    unsigned int mask_;

  public:
    coalesced_group(unsigned int mask) : mask_(mask) {}
    unsigned int thread_rank() const;
    unsigned int size() const;
    unsigned int num_threads() const;
    unsigned int meta_group_rank() const;
    unsigned int meta_group_size() const;
    bool is_valid() const { return true; }
    void sync() const { __syncwarp(mask_); }
    template <class T_> T_ shfl(T_ v, int rank) const { return __shfl_sync(mask_, v, rank); }
    template <class T_> T_ shfl_up(T_ v, unsigned int delta) const { return __shfl_up_sync(mask_, v, delta); }
    template <class T_> T_ shfl_down(T_ v, unsigned int delta) const { return __shfl_down_sync(mask_, v, delta); }
    unsigned int ballot(int predicate) const { return __ballot_sync(mask_, predicate); }
    int any(int predicate) const { return __any_sync(mask_, predicate); }
    int all(int predicate) const { return __all_sync(mask_, predicate); }
    template <class T_> unsigned int match_any(T_ v) const { return __match_any_sync(mask_, v); }
    template <class T_> T_ coalint_exchange(T_ v) const { return __coalint_tile_exchange(mask_, v); }
    template <class T_> T_ coalint_reduce(T_ v) const { return __coalint_tile_reduce(mask_, v); }
    operator thread_group() const { return thread_group(thread_rank(), size()); }
};
inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned int n_, class Parent_> struct coalint_tile_of { typedef thread_block_tile<n_, Parent_> type; };
template <unsigned int n_> struct coalint_tile_of<n_, thread_group> { typedef thread_block_tile<n_, thread_block> type; };
template <unsigned int n_, class Parent_> typename coalint_tile_of<n_, Parent_>::type tiled_partition(const Parent_&) { return {}; }
inline thread_group tiled_partition(const thread_group& parent, unsigned int n) { return thread_group(parent.thread_rank() % n, n); }
inline thread_group tiled_partition(const thread_block& parent, unsigned int n) { return thread_group(parent.thread_rank() % n, n); }
template <unsigned int m_, class Parent_> thread_group tiled_partition(const thread_block_tile<m_, Parent_>& parent, unsigned int n) { return thread_group(parent.thread_rank() % n, n); }
coalesced_group tiled_partition(const coalesced_group& parent, unsigned int n);
template <class Group_> coalesced_group binary_partition(const Group_& g, bool side) { return coalesced_group(g.match_any(side)); }
template <class Group_, class T_> coalesced_group labeled_partition(const Group_& g, T_ label) { return coalesced_group(g.match_any(label)); }

template <class Group_> void sync(const Group_& g) { g.sync(); }
template <class Group_> void wait(const Group_& g) { g.sync(); }
template <int n_, class Group_> void wait_prior(const Group_& g) { g.sync(); }
template <class Group_> unsigned int thread_rank(const Group_& g) { return g.thread_rank(); }
template <class Group_> unsigned int group_size(const Group_& g) { return g.size(); }

template <class T_ = void> struct plus { template <class U_> U_ operator()(const U_& a, const U_& b) const { return a + b; } };
template <class T_ = void> struct less { template <class U_> U_ operator()(const U_& a, const U_& b) const { return b < a ? b : a; } };
template <class T_ = void> struct greater { template <class U_> U_ operator()(const U_& a, const U_& b) const { return a < b ? b : a; } };
template <class T_ = void> struct bit_and { template <class U_> U_ operator()(const U_& a, const U_& b) const { return a & b; } };
template <class T_ = void> struct bit_or { template <class U_> U_ operator()(const U_& a, const U_& b) const { return a | b; } };
template <class T_ = void> struct bit_xor { template <class U_> U_ operator()(const U_& a, const U_& b) const { return a ^ b; } };
template <class Group_, class T_, class F_> T_ reduce(const Group_& g, T_ v, F_&& f) { return g.coalint_reduce(v); }
template <class Group_, class P_, class T_, class F_> void reduce_update_async(const Group_&, P_&, T_ v, F_&& f);
template <class Group_, class P_, class T_, class F_> void reduce_store_async(const Group_&, P_*, T_ v, F_&& f);
template <class Group_, class T_> T_ inclusive_scan(const Group_& g, T_ v) { return g.coalint_exchange(v); }
template <class Group_, class T_, class F_> T_ inclusive_scan(const Group_& g, T_ v, F_&& f) { return g.coalint_exchange(v); }
template <class Group_, class T_> T_ exclusive_scan(const Group_& g, T_ v) { return g.coalint_exchange(v); }
template <class Group_, class T_, class F_> T_ exclusive_scan(const Group_& g, T_ v, F_&& f) { return g.coalint_exchange(v); }
template <class Group_, class T_, class U_, class Size_> void memcpy_async(const Group_&, T_* to, const U_* from, Size_ bytes);
template <class Group_, class T_, class U_, class L_, class M_> void memcpy_async(const Group_&, T_* to, const L_& to_layout, const U_* from, const M_& from_layout);
template <class Group_, class F_> void invoke_one(const Group_& g, F_&& f) { if (g.thread_rank() == 0) f(); }
template <class Group_, class F_> auto invoke_one_broadcast(const Group_&, F_&& f);

template <unsigned int n_, unsigned int tiles_ = 1> struct block_tile_memory { unsigned char bytes[n_ > 32 ? n_ / 32 * 32 : 1]; };
template <unsigned int n_> thread_block this_thread_block(block_tile_memory<n_>&) { return {}; }
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
using cooperative_groups::tiled_partition;
using cooperative_groups::thread_block_tile;
}  // namespace experimental

}  // namespace cooperative_groups

COALINT_HOST_DEVICE_END
