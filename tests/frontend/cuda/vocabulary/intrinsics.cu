__global__ void k(int* a, unsigned* u, float* f, float4* v, unsigned long long* w, const int* in) {
    int x = __ldg(in) + __ldcg(in + 1); float4 q = __ldg(v); __stcs(v, q); __stwt(a, x);
    x = __shfl_down_sync(0xffffffff, x, 1) + __shfl_xor_sync(~0u, x, 16, 32) + __shfl_up_sync(~0u, x, 1);
    unsigned m = __ballot_sync(__activemask(), x > 0);
    x += __popc(m) + __ffs(x) + __clz(x) + __any_sync(m, x) + __reduce_add_sync(m, x);
    atomicAdd(a, 1); atomicAdd(u, 1); atomicAdd(f, 1); atomicAdd(w, 1ull); atomicCAS(w, 1ull, 2ull);
    atomicExch(f, 1.f); atomicAdd_block(a, 1); atomicInc(u, 7u);
    __nv_atomic_fetch_add(a, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_or(u, 1u, __NV_ATOMIC_RELAXED);
    x += __nv_atomic_load_n(in, __NV_ATOMIC_ACQUIRE); __nv_atomic_store_n(a, x, __NV_ATOMIC_RELEASE);
    int was = 0; __nv_atomic_compare_exchange_n(a, &was, 1, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED);
    *u = __vabsss2(*u) + __vsetgtu4(*u, 3u) + __viaddmax_s16x2_relu(*u, 1u, 2u);
    bool high; x = __vibmax_s32(x, 3, &high);
    f[0] = __expf(f[1]) + __fdividef(f[2], 3.f) + rsqrtf(f[3]) + fmaf(f[0], f[1], f[2]) + sqrt(x) +
        pow(2.0f, 3) + fminf(f[0], f[1]) + std::abs(f[1]);
    *u = __umulhi(*u, 3u) + __byte_perm(*u, *u, 0x1230) + __funnelshift_l(*u, *u, 3) + __vadd4(*u, *u);
    x = __dp4a(x, x, x) + __mul24(x, 3);
    __threadfence(); __syncwarp(); __nanosleep(20); if (isnan(f[0]) || isinf(f[1])) __trap();
    long long t = clock64() + clock(); printf("%lld", t); __syncthreads_count(x);
    size_t s = __cvta_generic_to_shared(f);
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(f[0]) : "l"(f)); memcpy(a, in, 16); memset(a, 0, 4);
}
