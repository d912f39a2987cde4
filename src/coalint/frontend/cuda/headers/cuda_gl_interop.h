// See coalint/gl_interop.h.
#pragma once
#include "coalint_cuda.h"
#include "coalint/gl_interop.h"
