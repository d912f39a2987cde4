"""Parses of coalint's own CUDA headers, with libclang alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from clang.cindex import Cursor, CursorKind, Index, TranslationUnit

from coalint.frontend.cuda.build.include_folders import INCLUDE
from coalint.frontend.cuda.libclang.bindings import BASE

FOLDER = TemporaryDirectory(prefix="coalint-headers-")

FORCED = ("-include", str(INCLUDE / "coalint_cuda.h"))
KEEP_GOING, DETAILED_PREPROCESSING_RECORD, FOR_PRECOMPILING = 0x200, 0x1, 0x12


@cache
def precompiled() -> tuple[str, str]:
    """The forced include, parsed once for all tests that do not change its flags."""
    path = Path(FOLDER.name) / "coalint_cuda.pch"
    header = str(INCLUDE / "coalint_cuda.h")
    Index.create().parse(header, [*BASE], options=KEEP_GOING | FOR_PRECOMPILING).save(str(path))
    return "-include-pch", str(path)


def parse(source: str, *flags: str) -> TranslationUnit:
    return Index.create().parse(
        "case.cu",
        [*BASE, *(flags or precompiled())],
        unsaved_files=[("case.cu", source)],
        options=KEEP_GOING | DETAILED_PREPROCESSING_RECORD,
    )


def complaints(source: str, *flags: str) -> list[str]:
    return [f"{d.location.file}:{d.location.line}: {d.spelling}" for d in parse(source, *flags).diagnostics]


@cache
def forced() -> dict[str, Cursor]:
    """Everything that the forced include declares at global scope, by name."""
    names: dict[str, Cursor] = {}
    scopes = [parse("", *FORCED).cursor]
    while scopes:
        for cursor in scopes.pop().get_children():
            if cursor.kind == CursorKind.LINKAGE_SPEC:
                scopes.append(cursor)
            elif cursor.spelling:
                names[cursor.spelling] = cursor
    return names


def headers() -> list[str]:
    return sorted(str(path.relative_to(INCLUDE)) for path in INCLUDE.rglob("*") if path.is_file())
