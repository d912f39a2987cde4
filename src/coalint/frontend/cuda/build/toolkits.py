"""Folders of CUDA headers that are installed: of a toolkit, and of NVIDIA's packages from PyPI or conda.

They serve what coalint's own headers lack (`repair/strategies/installed_headers.py`), so that a file may be read better
where they are. `--toolkit none`, or COALINT_TOOLKIT=none, makes results the same on all machines.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from glob import escape, glob

VARIABLE = "COALINT_TOOLKIT"
"""The environment variable that chooses where `--toolkit` does not."""
AUTO, NONE = "auto", "none"

_HOMES = ("CUDA_HOME", "CUDA_PATH")
_USUAL = ("/usr/local/cuda", "/opt/cuda")
_OF_TOOLKIT = ("include", "targets/*/include")
_OF_PACKAGES = ("nvidia/*/include", "cutlass_library/source/include", "cutlass_library/source/tools/util/include")
_SITE_PACKAGES = ("lib/python*/site-packages", "Lib/site-packages")
_LIBRARIES = "cccl"
"""The folder inside of `include` with CUB, Thrust and libcu++, since CUDA 13."""


def header_folders(chosen: str = "", environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the real paths of the folders, in the order in which they are searched.

    `chosen` is AUTO, NONE, or the folder of a toolkit or of headers; empty for what the environment says, else AUTO.
    """
    chosen = chosen or environment.get(VARIABLE, "") or AUTO
    if chosen == NONE:
        return ()
    found = _automatic(environment) if chosen == AUTO else _of_one(chosen)
    folders = (os.path.realpath(folder) for each in found for folder in (each, os.path.join(each, _LIBRARIES)))
    return tuple(dict.fromkeys(filter(os.path.isdir, folders)))


def _of_one(folder: str) -> list[str]:
    """Return the include folders of a toolkit; what is none is a folder of headers itself."""
    return _below(folder, _OF_TOOLKIT) or [folder]


def _automatic(environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the folders that are looked for: what the user's environment names comes before what is installed."""
    for home in filter(None, map(environment.get, _HOMES)):
        yield from _below(home, _OF_TOOLKIT)
    conda = environment.get("CONDA_PREFIX")
    for prefix in filter(None, (environment.get("VIRTUAL_ENV"), conda)):
        for packages in _below(prefix, _SITE_PACKAGES):
            yield from _below(packages, _OF_PACKAGES)
    if conda:
        yield from _below(conda, _OF_TOOLKIT[1:])
    if sys.prefix != sys.base_prefix:
        yield from _below(sysconfig.get_paths()["purelib"], _OF_PACKAGES)
    for home in _USUAL:
        yield from _below(home, _OF_TOOLKIT)


def _below(folder: str, patterns: tuple[str, ...]) -> list[str]:
    return [name for pattern in patterns for name in sorted(glob(os.path.join(escape(folder), pattern)))]
