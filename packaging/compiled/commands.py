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

HELPER = Extension(
    "coalint.frontend.cuda.libclang.helper",
    ["src/coalint/frontend/cuda/libclang/helper.c"],
    extra_compile_args=["-O2"],
)
"""What the front end asks of libclang, in C: it is compiled with it."""


def asked() -> tuple[str, ...]:
    """Return the packages that the environment asks to compile: all with `1`, else those that it names, by commas."""
    value = os.environ.get(VARIABLE, "")
    if value in ("", "0"):
        return ()
    packages = COMPILED if value == "1" else tuple(value.split(","))
    if unknown := set(packages) - set(COMPILED):
        raise SystemExit(f"{VARIABLE}: {', '.join(sorted(unknown))} is none of 0, 1, {', '.join(COMPILED)}")
    return packages


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
    """Translate the sources to C, in the folder `build`; return the extensions."""
    from mypyc.build import mypycify

    copy, translated = (build / "compiled" / name for name in ("python", "c"))
    target = copy / "coalint"
    copy.mkdir(parents=True, exist_ok=True)
    names = rewrite(ROOT / "src" / "coalint", target, asked())
    translated, before = translated.resolve(), Path.cwd()
    level = os.environ.get("COALINT_OPT_LEVEL", "1")
    os.chdir(copy)
    try:
        translated_modules: list[Extension] = mypycify(
            [f"--config-file={CONFIG}", *names],
            opt_level=level,
            debug_level="0",
            multi_file=level != "0",  # without optimization, to read the headers for each file is what takes long
            target_dir=str(translated),
        )
    finally:
        os.chdir(before)
    return [*translated_modules, *([HELPER] if "frontend" in asked() else [])]
