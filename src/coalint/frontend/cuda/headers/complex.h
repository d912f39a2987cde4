// See coalint/std_values.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/std_values.h"
