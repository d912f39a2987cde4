// See coalint/glm.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/glm.h"
