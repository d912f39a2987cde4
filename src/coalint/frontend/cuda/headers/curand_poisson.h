// See coalint/curand.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/curand.h"
