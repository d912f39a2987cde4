// See coalint/hip.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/hip.h"
#include "cooperative_groups.h"
