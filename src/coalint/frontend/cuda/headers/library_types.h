// See coalint/data_types.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/data_types.h"
