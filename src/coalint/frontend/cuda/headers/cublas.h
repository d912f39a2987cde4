// See coalint/cublas.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/cublas.h"
