// Covered by the forced include.
#pragma once
#include "coalint_cuda.h"
