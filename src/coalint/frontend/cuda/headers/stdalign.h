// Nothing of this is needed beyond the forced include.
#pragma once
#include "coalint_cuda.h"
