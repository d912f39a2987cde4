// See coalint/libc_misc.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/libc_misc.h"
