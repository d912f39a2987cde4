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

COALINT_HOST_DEVICE_END
