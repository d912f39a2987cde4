// See coalint/thrust.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/std_complex.h"
#include "coalint/thrust.h"
