// See coalint/libraries.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/libraries.h"
