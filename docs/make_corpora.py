"""Writes docs/corpora.md from what benchmarks/corpora.py measured (docs/data/corpora.json).

python docs/make_corpora.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
DATA = DOCS / "data" / "corpora.json"
PAGE = DOCS / "corpora.md"

HEAD = """# Public repositories, as they are

What `coalint lint FOLDER` makes of public CUDA repositories, without a CUDA toolkit, a build or their dependencies.
Written by `python docs/make_corpora.py` from the figures that `python benchmarks/corpora.py` measured on {machine}.

## Coverage

A kernel counts once, an access once per specialization of its kernel. *Known* is the share of the accesses that are
exact or symbolic, of those whose address is not loaded from memory.

| repository | commit | files | kernels | analysed | accesses | exact | symbolic | data-dependent | known |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|
"""
TIME = """
## Time

Seconds by the clock, in {jobs} processes: a first run, libclang's bare parse of the same files with the same flags
with the same precompiled header, and a second run over unchanged files. What a first run costs beside the parse is
the walk over the AST in Python, the evaluation of host and device code, and parsing again for templates and undeclared
names. cudf and flash-attention, and the memory below, were measured on 23 November 2026, the other rows on 28 November,
on a machine that parses about twice as fast.

| repository | first run | bare parse | ratio | second run | faster |
|---|---:|---:|---:|---:|---:|
"""

MEMORY = """
## Memory

Peak resident memory of one file's check, in megabytes, each file in a worker of its own (`--memory`): what half of a
repository's files stay below, what 99 of 100 do, and the most that one takes. A run takes that for each of its
processes at a time.

| repository | half | 99 of 100 | most |
|---|---:|---:|---:|
"""
OTHERS = """
## Beside other tools

Seconds by the clock for the {files} files of `fixtures/`, in one process, start-up included (`python
benchmarks/others.py fixtures`): clang-tidy with `bugprone-*` and `performance-*` on the device side, nvcc for one
architecture. Neither says what an access costs.

| tool | seconds | bare parses |
|---|---:|---:|
"""


def page(data: dict[str, Any]) -> str:
    """The page's text."""
    rows = data["repositories"]
    jobs = ", ".join(sorted({str(row["jobs"]) for row in rows}))
    text = HEAD.format(machine=data["machine"])
    text += "".join(map(_coverage, [*rows, _total(rows)]))
    text += TIME.format(jobs=jobs)
    text += "".join(map(_time, rows))
    text += MEMORY + "".join(_memory(row) for row in rows if row["megabytes"])
    return text + _others(data["others"]) if "others" in data else text


def _others(others: dict[str, Any]) -> str:
    seconds: dict[str, float] = others["seconds"]
    parse = seconds["libclang, bare parse"]
    text = OTHERS.format(files=others["files"])
    return text + "".join(f"| {name} | {took:.1f} | {took / parse:.1f} |\n" for name, took in seconds.items())


def _coverage(row: dict[str, Any]) -> str:
    decided = row["accesses"] - row["data_dependent"]
    known = f"{100 * (row['exact'] + row['symbolic']) / decided:.1f} %" if decided else "-"
    analysed = f"{row['analysed']} ({100 * row['analysed'] / row['kernels']:.1f} %)"
    cells = (row["files"], row["kernels"], analysed, row["accesses"], row["exact"], row["symbolic"])
    return f"| {row['name']} | {row['commit']} | {' | '.join(map(str, cells))} | {row['data_dependent']} | {known} |\n"


def _total(rows: list[dict[str, Any]]) -> dict[str, Any]:
    counted = ("files", "kernels", "analysed", "accesses", "exact", "symbolic", "data_dependent")
    return {"name": "all", "commit": "", **{key: sum(row[key] for row in rows) for key in counted}}


def _time(row: dict[str, Any]) -> str:
    cold, parse, warm = row["cold"], row["parse"], row["warm"]
    return f"| {row['name']} | {cold:.1f} | {parse:.1f} | {cold / parse:.1f} | {warm:.1f} | {cold / warm:.0f}x |\n"


def _memory(row: dict[str, Any]) -> str:
    return f"| {row['name']} | {' | '.join(f'{megabytes:.0f}' for megabytes in row['megabytes'])} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(json.loads(DATA.read_text())))
