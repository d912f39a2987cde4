// See coalint/hip.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/hip.h"
#include "cuda_bf16.h"
