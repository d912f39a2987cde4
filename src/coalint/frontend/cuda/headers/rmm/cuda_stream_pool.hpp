// See coalint/rmm.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/rmm.h"
