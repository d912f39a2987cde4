// See coalint/hip.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/hip.h"
