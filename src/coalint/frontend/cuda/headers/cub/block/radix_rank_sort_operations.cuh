// See coalint/cub.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/cub.h"
