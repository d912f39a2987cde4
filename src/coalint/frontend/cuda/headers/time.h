// See coalint/libc_time.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/libc_time.h"
