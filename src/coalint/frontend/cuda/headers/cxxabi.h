// Names of types for people, as programs print them.
#pragma once
#include "coalint_cuda.h"

namespace __cxxabiv1 {
extern "C" char* __cxa_demangle(const char*, char*, size_t*, int*);
extern "C" std::type_info* __cxa_current_exception_type();
struct __forced_unwind;
}  // namespace __cxxabiv1
namespace abi = __cxxabiv1;
