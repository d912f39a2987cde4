// See coalint/posix.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/posix.h"
