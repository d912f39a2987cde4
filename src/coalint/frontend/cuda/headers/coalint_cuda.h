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
#include "coalint/data_types.h"
#include "coalint/half.h"
#include "coalint/bfloat16.h"
#include "coalint/intrinsics.h"
#include "coalint/atomics.h"
#include "coalint/texture.h"
#include "coalint/cooperative_groups.h"
