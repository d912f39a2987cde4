"""Makes setuptools compile the analysis when the environment asks for it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext
from sources import COMPILED, rewrite

VARIABLE = "COALINT_COMPILE"
ROOT = Path(__file__).parent.parent.parent
CONFIG = Path(__file__).parent / "mypy.ini"

HELPER = "helper"
"""What the front end asks of libclang, written in C, as the environment names it."""
PARTS = (*COMPILED, HELPER)


def asked() -> tuple[str, ...]:
    """Return what the environment asks to compile: all with `1`, else the packages and the helper that it names.

    Names are separated by commas.
    """
    value = os.environ.get(VARIABLE, "")
    if value in ("", "0"):
        return ()
    parts = PARTS if value == "1" else tuple(value.split(","))
    if unknown := set(parts) - set(PARTS):
        raise SystemExit(f"{VARIABLE}: {', '.join(sorted(unknown))} is none of 0, 1, {', '.join(PARTS)}")
    return parts


def packages() -> tuple[str, ...]:
    """Return the packages among it, which mypyc compiles."""
    return tuple(part for part in asked() if part != HELPER)


def options() -> dict[str, Any]:
    """Return what `setup` is given: nothing where the build stays pure."""
    return {"cmdclass": {"build_ext": BuildExtensions}, "distclass": Compiled} if asked() else {}


class Compiled(Distribution):  # type: ignore[misc]
    """A package that has extension modules, though they are not known before they are built."""

    def has_ext_modules(self) -> bool:
        """Say so, that the wheel is one of its platform."""
        return True


class BuildExtensions(build_ext):  # type: ignore[misc]
    """Translates the sources to C before they are compiled."""

    def run(self) -> None:
        """Translate the sources and compile what that gives: only here mypyc is needed."""
        self.distribution.ext_modules = extensions(Path(self.get_finalized_command("build").build_base))
        self.initialize_options()
        self.finalize_options()  # once more: setuptools takes the extensions over here
        self.parallel = len(os.sched_getaffinity(0))
        super().run()


def extensions(build: Path) -> list[Extension]:
    """Return what is compiled: the helper, and the packages, of which the folder `build` gets the sources in C."""
    helper = Extension(
        "coalint.frontend.cuda.libclang.helper",
        ["src/coalint/frontend/cuda/libclang/helper.c"],
        extra_compile_args=["-O2"],
    )
    return [*(translated(build) if packages() else ()), *((helper,) if HELPER in asked() else ())]


def translated(build: Path) -> list[Extension]:
    """Translate the packages' sources to C, in the folder `build`; return their extensions."""
    from mypyc.build import mypycify

    copy, in_c = (build / "compiled" / name for name in ("python", "c"))
    target = copy / "coalint"
    copy.mkdir(parents=True, exist_ok=True)
    names = rewrite(ROOT / "src" / "coalint", target, packages())
    in_c, before = in_c.resolve(), Path.cwd()
    level = os.environ.get("COALINT_OPT_LEVEL", "1")
    os.chdir(copy)
    try:
        made: list[Extension] = mypycify(
            [f"--config-file={CONFIG}", *names],
            opt_level=level,
            debug_level="0",
            multi_file=level != "0",  # without optimization, to read the headers for each file is what takes long
            target_dir=str(in_c),
        )
    finally:
        os.chdir(before)
    return made
