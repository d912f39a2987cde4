"""Programs whose stores are `AT(number, value)`: the values on the host, and the strides that coalint gives."""

from __future__ import annotations

import subprocess
from pathlib import Path

from cuda_compiler import host_compiler
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

PRINTED = '#define AT(number, value) std::printf("%d %d\\n", number, (int)(value))\n'


def strides(path: Path) -> dict[int, set[str]]:
    """The strides that coalint gives each store, by its number; none for one that no thread comes to."""
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    found: dict[int, set[str]] = {}
    for kernel in result.checked:
        assert kernel.analysis is not None
        for access in kernel.analysis.accesses:
            if access.expression.startswith("AT("):
                number = int(access.expression[3:].partition(",")[0])
                found.setdefault(number, set()).add(access.stride)
    return found


def executed(folder: Path, program: str) -> dict[int, set[int]]:
    """The values that each store of a C++ program has, by its number; `PRINTED` is put before the program."""
    head = "#include <cstdio>\n#include <cstring>\n#define __device__\n#define __constant__\n"
    (folder / "host.cpp").write_text(f"{head}{PRINTED}{program}")
    subprocess.run([host_compiler(), "-std=c++20", "-w", "-o", folder / "host", folder / "host.cpp"], check=True)
    said = subprocess.run([folder / "host"], capture_output=True, text=True, check=True).stdout
    seen: dict[int, set[int]] = {}
    for line in said.splitlines():
        number, value = map(int, line.split())
        seen.setdefault(number, set()).add(value)
    return seen
