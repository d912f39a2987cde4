// The header that the front end includes before every file: CUDA's language, run-time and common library vocabulary.
//
// Written for analysis, not for code generation. A function has a body where the body *is* the meaning that the
// analysis needs (a group's rank in terms of threadIdx); intrinsics that the analysis knows by name have none.
// User macros may come first only from the command line, so template parameters are spelt T_, never T.
#pragma once

#include "coalint/keywords.h"
#include "coalint/vector_types.h"
#include "coalint/libc.h"
#include "coalint/libc_time.h"
#include "coalint/std_traits.h"
#include "coalint/math.h"
#include "coalint/std_core.h"
#include "coalint/std_containers.h"
#include "coalint/runtime.h"
#include "coalint/runtime_calls.h"
#include "coalint/data_types.h"
#ifdef COALINT_OWN_HALF  // the program has names of cuda_fp16.h for something of its own, and does not include it
#define __half coalint_fp16_half
#define half coalint_fp16_half
#define __half2 coalint_fp16_half2
#define half2 coalint_fp16_half2
#define __half_raw coalint_fp16_half_raw
#define __half2_raw coalint_fp16_half2_raw
#define __nv_half coalint_fp16_nv_half
#define __nv_half2 coalint_fp16_nv_half2
#define __float2half coalint_fp16_float2half
#define __half2float coalint_fp16_half2float
#define __float2half_rn coalint_fp16_float2half_rn
#endif
#include "coalint/half.h"
#include "coalint/bfloat16.h"
#include "coalint/intrinsics.h"
#include "coalint/atomics.h"
#include "coalint/texture.h"
#include "coalint/cooperative_groups.h"
#ifdef COALINT_OWN_HALF
#undef __half
#undef half
#undef __half2
#undef half2
#undef __half_raw
#undef __half2_raw
#undef __nv_half
#undef __nv_half2
#undef __float2half
#undef __half2float
#undef __float2half_rn
#endif
