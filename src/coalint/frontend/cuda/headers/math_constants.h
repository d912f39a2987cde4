// See coalint/math_constants.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/math_constants.h"
