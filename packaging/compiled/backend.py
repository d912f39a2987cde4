"""The build backend: that of setuptools, which needs mypyc where the environment asks for a compiled build."""

from __future__ import annotations

from typing import Any

from commands import packages
from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 (a backend has the hooks that it stands for)

MYPYC = "mypy[mypyc]>=2.4,<3"


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what a wheel is built with beside `build-system.requires`."""
    return [*build_meta.get_requires_for_build_wheel(config_settings), *([MYPYC] if packages() else [])]
