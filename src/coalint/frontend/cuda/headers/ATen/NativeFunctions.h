// See coalint/torch.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/torch.h"
