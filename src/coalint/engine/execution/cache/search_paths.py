"""Where clang searches for includes, by its flags and the environment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

_SEARCHED = ("-I", "-isystem", "-iquote", "-idirafter", "-cxx-isystem", "-F")


_FORCED = ("-include", "-imacros")


_READS = ("-ivfsoverlay", "-fmodule", "-include-pch", "@", "--config", "-Xclang", "-isysroot", "--sysroot", "-iprefix")


VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH")


"""Environment variables with folders that clang searches too."""


def search_paths(flags: Sequence[str]) -> tuple[list[str], set[str]] | None:
    """Return the folders that are searched, and the names of files that the flags include.

    None where a flag makes clang read other files, so that the inputs cannot be known.
    """
    folders = [""]
    names: set[str] = set()
    rest = iter(flags)
    for flag in rest:
        if flag.startswith(_READS):
            return None
        if flag == "-working-directory" or flag.startswith("-working-directory="):
            return None
        option = next((option for option in (*_SEARCHED, *_FORCED) if flag.startswith(option)), None)
        if option is not None:
            value = flag[len(option) :] or next(rest, "")
            if option in _FORCED:
                names.add(value)
            else:
                folders.append(value)
    for variable in VARIABLES:
        folders.extend(os.environ.get(variable, "").split(os.pathsep))
    return list(dict.fromkeys(folders)), names


def candidate_paths(folders: Iterable[str], names: Iterable[str], beside: Iterable[str]) -> Iterable[str]:
    """Yield every path that a parse may have tried: `beside`, and every name in every folder."""
    yield from beside
    names = tuple(names)
    for folder in folders:
        for name in names:
            yield os.path.join(folder, name)
