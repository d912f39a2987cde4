// See coalint/mma.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/mma.h"
