// See coalint/driver.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/driver.h"
