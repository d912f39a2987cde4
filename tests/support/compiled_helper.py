"""The helper in C of the front end, compiled beside the sources that the tests run."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import pytest
from checkout import ROOT
from project import program

SOURCE = ROOT / "src" / "coalint" / "frontend" / "cuda" / "libclang" / "helper.c"
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-Wno-missing-field-initializers")


def compiled_helper(folder: Path) -> Path:
    """Compile the helper into a folder; the test is skipped, and says so, where that cannot be done."""
    compiler = program("gcc", package="gcc")
    headers = sysconfig.get_paths()["include"]
    if not Path(headers, "Python.h").exists():
        pytest.skip("no Python.h: install it (on Debian: apt-get install python3-dev)")
    module = folder / f"helper{sysconfig.get_config_var('EXT_SUFFIX')}"
    options = ("-O1", "-shared", "-fPIC", "-Wno-cast-function-type", f"-I{headers}")
    subprocess.run([compiler, *options, *WARNINGS, str(SOURCE), "-o", str(module)], check=True)
    return module
