// Atomics, with their _block and _system scopes. Templates, so that a program's own overloads are preferred without conflict.
#pragma once

COALINT_HOST_DEVICE_BEGIN

#define COALINT_ATOMIC(name)                                                              \
    template <class T_> T_ name(T_* p, std::type_identity_t<T_> v);                       \
    template <class T_> T_ name##_block(T_* p, std::type_identity_t<T_> v);               \
    template <class T_> T_ name##_system(T_* p, std::type_identity_t<T_> v);
COALINT_ATOMIC(atomicAdd) COALINT_ATOMIC(atomicSub) COALINT_ATOMIC(atomicExch) COALINT_ATOMIC(atomicMin) COALINT_ATOMIC(atomicMax)
COALINT_ATOMIC(atomicAnd) COALINT_ATOMIC(atomicOr) COALINT_ATOMIC(atomicXor) COALINT_ATOMIC(atomicInc) COALINT_ATOMIC(atomicDec)
#undef COALINT_ATOMIC
template <class T_> T_ atomicCAS(T_* p, std::type_identity_t<T_> expected, std::type_identity_t<T_> v);
template <class T_> T_ atomicCAS_block(T_* p, std::type_identity_t<T_> expected, std::type_identity_t<T_> v);
template <class T_> T_ atomicCAS_system(T_* p, std::type_identity_t<T_> expected, std::type_identity_t<T_> v);

// CUDA 12.8's atomic functions, with an order and a scope.
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 1
#define __NV_THREAD_SCOPE_BLOCK 2
#define __NV_THREAD_SCOPE_CLUSTER 3
#define __NV_THREAD_SCOPE_DEVICE 4
#define __NV_THREAD_SCOPE_SYSTEM 5
template <class T_> T_ __nv_atomic_load_n(const T_* p, int, int = 5) { return *p; }
template <class T_, class U_> void __nv_atomic_load(const T_* p, U_* v, int, int = 5) { *v = *p; }
template <class T_> void __nv_atomic_store_n(T_* p, std::type_identity_t<T_> v, int, int = 5) { *p = v; }
template <class T_, class U_> void __nv_atomic_store(T_* p, U_* v, int, int = 5) { *p = *v; }
template <class T_> T_ __nv_atomic_exchange_n(T_* p, std::type_identity_t<T_> v, int, int = 5) { return atomicExch(p, v); }
template <class T_> bool __nv_atomic_compare_exchange_n(T_* p, T_* expected, std::type_identity_t<T_> v, bool, int, int, int = 5) {
    T_ was = atomicCAS(p, *expected, v), wanted = *expected;
    *expected = was;
    return was == wanted;
}
#define COALINT_ATOMIC(name, as)                                                                                             \
    template <class T_> T_ __nv_atomic_fetch_##name(T_* p, std::type_identity_t<T_> v, int, int = 5) { return as(p, v); }    \
    template <class T_> void __nv_atomic_##name(T_* p, std::type_identity_t<T_> v, int, int = 5) { as(p, v); }
COALINT_ATOMIC(add, atomicAdd) COALINT_ATOMIC(sub, atomicSub) COALINT_ATOMIC(min, atomicMin) COALINT_ATOMIC(max, atomicMax)
COALINT_ATOMIC(and, atomicAnd) COALINT_ATOMIC(or, atomicOr) COALINT_ATOMIC(xor, atomicXor)
#undef COALINT_ATOMIC

COALINT_HOST_DEVICE_END
