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
template <class T_> T_ __coalint_tile_exchange(unsigned int mask, T_ v);  // a scan in a tile
template <class T_> T_ __coalint_tile_reduce(unsigned int mask, T_ v);    // what all threads of a tile get
void __coalint_barrier_wait();   // cuda::barrier: every participant arrives, then all go on
void __coalint_pipeline_wait();  // cuda::pipeline: the copies of a stage are complete
template <class T_> T_ __coalint_opaque(T_ v);  // a value of which nothing is known, made of v by other threads too
template <class T_> T_ __coalint_computed(T_ v);  // a value of which nothing is known but what it is made of
template <class... A_> void __coalint_used(A_&&...);  // what a body that is not written out reads and may change
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
void* __cvta_constant_to_generic(size_t); void* __cvta_local_to_generic(size_t); void* __cvta_grid_constant_to_generic(size_t);
void* __cvta_global_to_generic(size_t);
void* __nv_associate_access_property(const void*, unsigned long long);
unsigned int __cluster_query_shared_rank(const void*);
void __cluster_barrier_arrive();
void __cluster_barrier_wait();
void __prefetch_global_l1(const void*);
void __prefetch_global_l2(const void*);

// Integers of 8 and 16 bits side by side in a word, and fused minima and maxima.
#define COALINT_LANES(name) unsigned int __##name(unsigned int);
COALINT_LANES(vabsss2) COALINT_LANES(vnegss2) COALINT_LANES(vnegss4)
#undef COALINT_LANES
#define COALINT_LANES(name) unsigned int __##name(unsigned int, unsigned int);
COALINT_LANES(vadd2) COALINT_LANES(vaddss2) COALINT_LANES(vaddus2) COALINT_LANES(vsub2) COALINT_LANES(vsubss2) COALINT_LANES(vsubus2)
COALINT_LANES(vavgs2) COALINT_LANES(vavgu2) COALINT_LANES(vhaddu2) COALINT_LANES(vabsdiffs2) COALINT_LANES(vabsdiffu2)
COALINT_LANES(vsads2) COALINT_LANES(vsadu2) COALINT_LANES(vmaxs2) COALINT_LANES(vmaxu2) COALINT_LANES(vmins2) COALINT_LANES(vminu2)
COALINT_LANES(vcmpeq2) COALINT_LANES(vcmpges2) COALINT_LANES(vcmpgeu2) COALINT_LANES(vcmpgts2) COALINT_LANES(vcmpgtu2)
COALINT_LANES(vcmples2) COALINT_LANES(vcmpleu2) COALINT_LANES(vcmplts2) COALINT_LANES(vcmpltu2) COALINT_LANES(vcmpne2)
COALINT_LANES(vseteq2) COALINT_LANES(vsetges2) COALINT_LANES(vsetgeu2) COALINT_LANES(vsetgts2) COALINT_LANES(vsetgtu2)
COALINT_LANES(vsetles2) COALINT_LANES(vsetleu2) COALINT_LANES(vsetlts2) COALINT_LANES(vsetltu2) COALINT_LANES(vsetne2) COALINT_LANES(vadd4)
COALINT_LANES(vaddss4) COALINT_LANES(vaddus4) COALINT_LANES(vsub4) COALINT_LANES(vsubss4) COALINT_LANES(vsubus4) COALINT_LANES(vavgs4)
COALINT_LANES(vavgu4) COALINT_LANES(vhaddu4) COALINT_LANES(vabsdiffs4) COALINT_LANES(vabsdiffu4) COALINT_LANES(vsads4)
COALINT_LANES(vsadu4) COALINT_LANES(vmaxs4) COALINT_LANES(vmaxu4) COALINT_LANES(vmins4) COALINT_LANES(vminu4) COALINT_LANES(vcmpeq4)
COALINT_LANES(vcmpges4) COALINT_LANES(vcmpgeu4) COALINT_LANES(vcmpgts4) COALINT_LANES(vcmpgtu4) COALINT_LANES(vcmples4)
COALINT_LANES(vcmpleu4) COALINT_LANES(vcmplts4) COALINT_LANES(vcmpltu4) COALINT_LANES(vcmpne4) COALINT_LANES(vseteq4)
COALINT_LANES(vsetges4) COALINT_LANES(vsetgeu4) COALINT_LANES(vsetgts4) COALINT_LANES(vsetgtu4) COALINT_LANES(vsetles4)
COALINT_LANES(vsetleu4) COALINT_LANES(vsetlts4) COALINT_LANES(vsetltu4) COALINT_LANES(vsetne4)
#undef COALINT_LANES
#define COALINT_LANES(name) template <class T_> T_ __##name(T_, T_, T_);
COALINT_LANES(viaddmax_s32) COALINT_LANES(viaddmax_s32_relu) COALINT_LANES(viaddmax_u32) COALINT_LANES(viaddmax_s16x2)
COALINT_LANES(viaddmax_s16x2_relu) COALINT_LANES(viaddmax_u16x2) COALINT_LANES(viaddmin_s32) COALINT_LANES(viaddmin_s32_relu)
COALINT_LANES(viaddmin_u32) COALINT_LANES(viaddmin_s16x2) COALINT_LANES(viaddmin_s16x2_relu) COALINT_LANES(viaddmin_u16x2)
COALINT_LANES(vimax3_s32) COALINT_LANES(vimax3_s32_relu) COALINT_LANES(vimax3_u32) COALINT_LANES(vimax3_s16x2)
COALINT_LANES(vimax3_s16x2_relu) COALINT_LANES(vimax3_u16x2) COALINT_LANES(vimin3_s32) COALINT_LANES(vimin3_s32_relu)
COALINT_LANES(vimin3_u32) COALINT_LANES(vimin3_s16x2) COALINT_LANES(vimin3_s16x2_relu) COALINT_LANES(vimin3_u16x2)
#undef COALINT_LANES
#define COALINT_LANES(name) template <class T_> T_ __##name(T_, T_, bool*);
COALINT_LANES(vibmax_s32) COALINT_LANES(vibmax_u32) COALINT_LANES(vibmin_s32) COALINT_LANES(vibmin_u32)
#undef COALINT_LANES
#define COALINT_LANES(name) template <class T_> T_ __##name(T_, T_, bool*, bool*);
COALINT_LANES(vibmax_s16x2) COALINT_LANES(vibmax_u16x2) COALINT_LANES(vibmin_s16x2) COALINT_LANES(vibmin_u16x2)
#undef COALINT_LANES
#define COALINT_LANES(name) template <class T_> T_ __##name(T_, T_);
COALINT_LANES(vimax_s32_relu) COALINT_LANES(vimax_s16x2_relu) COALINT_LANES(vimin_s32_relu) COALINT_LANES(vimin_s16x2_relu)
#undef COALINT_LANES

COALINT_HOST_DEVICE_END
