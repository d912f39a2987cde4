// See coalint/cufft.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/cufft.h"
