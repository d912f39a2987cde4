"""numpy, loaded when it is first used: a run that finds every result in its cache computes nothing.

Loading it takes longer than all else that such a run does. `import numpy` itself would load it, even behind a lazy
loader, so what needs it says `from coalint.core.lazy import np`.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING

__all__ = ["loaded", "np", "without_threads"]

_THREADS = "OPENBLAS_NUM_THREADS"
_spec: ModuleSpec | None = None

if TYPE_CHECKING:
    import numpy as np
else:
    from importlib.util import LazyLoader, find_spec, module_from_spec

    np = sys.modules.get("numpy")
    if np is None:
        _spec = find_spec("numpy")
        _spec.loader = LazyLoader(_spec.loader)
        np = sys.modules["numpy"] = module_from_spec(_spec)
        _spec.loader.exec_module(np)


def loaded() -> None:
    """Load it now: what is interrupted while it loads it would leave a half of it."""
    np.ndarray  # noqa: B018 (its first attribute loads it)


def without_threads() -> None:
    """Have it loaded, when it comes to that, without the threads of its linear algebra, which nothing here uses.

    OpenBLAS starts one for each core when it is loaded, and they wait in a loop: 0.06 s of processor time on two cores.
    Whoever has set how many there are to be gets these. Programs that are started later are not told.
    """
    if _spec is None or _spec.loader is None or _THREADS in os.environ:
        return
    execute = _spec.loader.exec_module

    def alone(module: ModuleType) -> None:
        os.environ[_THREADS] = "1"
        try:
            execute(module)
        finally:
            os.environ.pop(_THREADS, None)

    _spec.loader.exec_module = alone  # type: ignore[method-assign]
