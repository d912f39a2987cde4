// std's complex numbers: of `real`, `norm` and the like a program may have its own beside `using namespace std`, where
// no header that it includes has these.
#pragma once

#include "coalint/std_core.h"
#include "coalint/complex_family.h"

COALINT_HOST_DEVICE_BEGIN

namespace std {
COALINT_COMPLEX_FAMILY()
}

COALINT_HOST_DEVICE_END
