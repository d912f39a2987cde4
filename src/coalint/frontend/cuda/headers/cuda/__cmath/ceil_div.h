// See coalint/cuda_std.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/cuda_std.h"
