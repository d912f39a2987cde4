// Device intrinsics that the analysis knows by name: barriers, votes, shuffles, cached loads and stores, clocks, copies. No bodies.
#pragma once

__device__ void __syncthreads();  // clang knows this one itself, as __device__

COALINT_HOST_DEVICE_BEGIN

int __syncthreads_count(int);
int __syncthreads_and(int);
int __syncthreads_or(int);
void __barrier_sync(unsigned int name);
void __barrier_sync_count(unsigned int name, unsigned int threads);
void __syncwarp(unsigned int mask = 0xffffffffu);
void __coalint_grid_sync();
void __coalint_cluster_sync();
void __coalint_tile_sync(unsigned int size);                               // a tile of several warps
template <class T_> T_ __coalint_tile_exchange(unsigned int mask, T_ v);  // a reduction or scan in a tile
void __coalint_barrier_wait();   // cuda::barrier: every participant arrives, then all go on
void __coalint_pipeline_wait();  // cuda::pipeline: the copies of a stage are complete
template <class T_> T_ __coalint_opaque(T_ v);  // a value of which nothing is known, made of v by other threads too
void __threadfence();
void __threadfence_block();
void __threadfence_system();
void cudaGridDependencySynchronize();
void cudaTriggerProgrammaticLaunchCompletion();

template <class T_> T_ __shfl_sync(unsigned int mask, T_ v, int lane, int width = 32);
template <class T_> T_ __shfl_up_sync(unsigned int mask, T_ v, unsigned int delta, int width = 32);
template <class T_> T_ __shfl_down_sync(unsigned int mask, T_ v, unsigned int delta, int width = 32);
template <class T_> T_ __shfl_xor_sync(unsigned int mask, T_ v, int lanes, int width = 32);
template <class T_> T_ __shfl(T_ v, int lane, int width = 32);
template <class T_> T_ __shfl_up(T_ v, unsigned int delta, int width = 32);
template <class T_> T_ __shfl_down(T_ v, unsigned int delta, int width = 32);
template <class T_> T_ __shfl_xor(T_ v, int lanes, int width = 32);
unsigned int __ballot_sync(unsigned int mask, int);
int __any_sync(unsigned int mask, int);
int __all_sync(unsigned int mask, int);
int __uni_sync(unsigned int mask, int);
unsigned int __ballot(int);
int __any(int);
int __all(int);
unsigned int __activemask();
template <class T_> unsigned int __match_any_sync(unsigned int mask, T_ v);
template <class T_> unsigned int __match_all_sync(unsigned int mask, T_ v, int* all);
template <class T_> T_ __reduce_add_sync(unsigned int mask, T_ v);
template <class T_> T_ __reduce_min_sync(unsigned int mask, T_ v);
template <class T_> T_ __reduce_max_sync(unsigned int mask, T_ v);
unsigned int __reduce_and_sync(unsigned int mask, unsigned int);
unsigned int __reduce_or_sync(unsigned int mask, unsigned int);
unsigned int __reduce_xor_sync(unsigned int mask, unsigned int);

#define COALINT_LOAD(name) template <class T_> T_ name(const T_* p);
COALINT_LOAD(__ldg) COALINT_LOAD(__ldca) COALINT_LOAD(__ldcg) COALINT_LOAD(__ldcs) COALINT_LOAD(__ldlu) COALINT_LOAD(__ldcv)
#undef COALINT_LOAD
#define COALINT_STORE(name) template <class T_> void name(T_* p, std::type_identity_t<T_> v);
COALINT_STORE(__stcs) COALINT_STORE(__stcg) COALINT_STORE(__stwb) COALINT_STORE(__stwt)
#undef COALINT_STORE

void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zero_filled = 0);
void __pipeline_commit();
void __pipeline_wait_prior(size_t);
void __pipeline_arrive_on(unsigned long long*);

long long clock64();
void __nanosleep(unsigned int);
void __trap();
void __brkpt();
void __prof_trigger(int);
[[noreturn]] void __assertfail(const void*, const void*, unsigned int, const void*, size_t);
[[noreturn]] void __assert_fail(const char*, const char*, unsigned int, const char*);
unsigned int __isGlobal(const void*);
unsigned int __isShared(const void*);
unsigned int __isConstant(const void*);
unsigned int __isLocal(const void*);
unsigned int __isGridConstant(const void*);
size_t __cvta_generic_to_shared(const void*);
size_t __cvta_generic_to_global(const void*);
size_t __cvta_generic_to_constant(const void*);
size_t __cvta_generic_to_local(const void*);
size_t __cvta_generic_to_grid_constant(const void*);
void* __cvta_shared_to_generic(size_t);
void* __cvta_global_to_generic(size_t);
void* __nv_associate_access_property(const void*, unsigned long long);
unsigned int __cluster_query_shared_rank(const void*);
void __cluster_barrier_arrive();
void __cluster_barrier_wait();
void __prefetch_global_l1(const void*);
void __prefetch_global_l2(const void*);

COALINT_HOST_DEVICE_END
