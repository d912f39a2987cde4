// See coalint/fp8.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/fp8.h"
