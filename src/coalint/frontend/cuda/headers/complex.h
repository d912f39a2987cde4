// See coalint/std_complex.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/std_complex.h"
