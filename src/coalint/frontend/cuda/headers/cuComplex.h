// See coalint/complex.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/complex.h"
