"""numpy, loaded when it is first used: a run that finds every result in its cache computes nothing.

Loading it takes longer than all else that such a run does. `import numpy` itself would load it, even behind a lazy
loader, so what needs it says `from coalint.core.lazy import np`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["loaded", "np"]

if TYPE_CHECKING:
    import numpy as np
else:
    import sys
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
