"""The device functions of CUDA's headers (benchmarks/intrinsics.py): the bundled headers declare all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bundled_headers import FORCED, headers, parse
from clang.cindex import Cursor

from coalint.frontend.cuda.build.include_folders import INCLUDE

NAMES = Path(__file__).resolve().parents[2] / "data" / "intrinsics.txt"


def declared(unit: Cursor) -> set[str]:
    found, scopes = set[str](), [unit]
    while scopes:
        for cursor in scopes.pop().get_children():
            found.add(cursor.spelling)
            if cursor.kind.is_declaration() or cursor.kind.is_unexposed():
                scopes.append(cursor)
    return found


@pytest.mark.slow
def test_every_device_function_of_the_toolkit_is_declared() -> None:
    wanted = {line for line in NAMES.read_text().splitlines() if not line.startswith("#")}
    assert len(wanted) > 800
    source = "".join(f'#include "{header}"\n' for header in headers())
    texts = (path.read_text() for path in INCLUDE.rglob("*") if path.is_file())
    macros = {name for text in texts for name in re.findall(r"#\s*define (\w+)", text)}
    missing = sorted(wanted - declared(parse(source, *FORCED).cursor) - macros)
    assert not missing, " ".join(missing)
