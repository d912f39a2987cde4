"""Inputs that could take any time or memory: each ends within its limits and costs its own file."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import forked
import pytest
from project import STRIDED
from test_planted_files import FOUND, coalint

LIMITS = ("--timeout-per-file=2", "--memory-per-file=700", "--no-cache", "--output-format=concise", "-j2")
K = "__global__ void k(float *x, int n) {{ {} }}\nvoid run(float *x) {{ k<<<1, 256>>>(x, 9); }}\n"


def chain(head: str, count: int, tail: str) -> str:
    return head + "".join(f"#define M{i + 1} M{i} M{i}\n" for i in range(count)) + tail


BOMBS: dict[str, Callable[[], str]] = {
    "macros": lambda: chain("#define M0 x[n]++;\n", 40, K.format("M40")),
    "templates": lambda: (
        "template <int N> struct F { static const int v = F<N - 1>::v + F<N - 2>::v; };\n"
        "template <class T> struct G { typename G<G<T>>::type v; };\n" + K.format("G<int> g; x[F<100000>::v] = 1;")
    ),
    "constexpr": lambda: (
        "constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n" + K.format("int a[f(60)]; x[a[0]] = 1;")
    ),
    "constant_loop": lambda: (
        "constexpr long f() { long s = 0; for (long i = 0; i < 1l << 60; i++) s += i; return s; }\n"
        + K.format("x[f()] = 1;")
    ),
    "includes": lambda: "#pragma once_more\n#include __FILE__\n#include __FILE__\n" + K.format("x[0] = 1;"),
    "parentheses": lambda: K.format("x[" + "(" * 100_000 + "n" + ")" * 100_000 + "] = 1;"),
    "open_parentheses": lambda: K.format("x[" + "(" * 100_000),
    "braces": lambda: K.format("{" * 100_000 + "}" * 100_000),
    "brackets": lambda: K.format("x[" * 100_000 + "]" * 100_000 + " = 1;"),
    "angles": lambda: "template <class T> struct A {};\n" + "A<" * 100_000 + "int" + ">" * 100_000 + " a;\n",
    "conditions": lambda: "#if 1\n" * 100_000 + K.format("x[0] = 1;") + "#endif\n" * 100_000,
    "comments": lambda: "/* " * 1_000_000 + "\n" + "// coalint: ignore[" * 100_000,
    "assumptions": lambda: "// coalint: assume(" + "n % 2 == 0 && " * 50_000 + "n > 1)\n" + K.format("x[8 * n] = 1;"),
    "one_line": lambda: K.format("x[8 * threadIdx.x] = 1; " * 100_000),
    "launches": lambda: (
        "__global__ void k(float *x, int n) { x[n * threadIdx.x] = 1; }\nvoid run(float *x) {\n"
        + "".join(f"k<<<{i + 1}, {i % 1024 + 1}>>>(x, {i});\n" for i in range(2000))
        + "}\n"
    ),
    "kernels": lambda: "".join(
        f"__global__ void k{i}(float *x) {{ x[8 * threadIdx.x] = 1; }}\n" for i in range(10_000)
    ),
    "accesses": lambda: K.format("\n".join(f"x[{i} + 8 * threadIdx.x] = {i};" for i in range(100_000))),
    "arithmetic": lambda: K.format("int a = n;" + "a = a * a + a * n + threadIdx.x;" * 200 + "x[a] = 1;"),
    "nested_loops": lambda: K.format(
        "".join(f"for (int i{d} = 0; i{d} < 1 << 30; i{d} += i{d} + 1) " for d in range(60)) + "x[i0 * i59] = 1;"
    ),
    "switch": lambda: K.format("switch (n) {" + "".join(f"case {i}: x[{i}] = 1;" for i in range(20_000)) + "}"),
    "identifier": lambda: K.format(f"int {'a' * 1_000_000} = n; x[{'a' * 1_000_000}] = 1;"),
    "number": lambda: K.format(f"x[{'9' * 1_000_000}] = 1;"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_costs_its_own_file(name: str, tmp_path: Path) -> None:
    (tmp_path / "bomb.cu").write_text(BOMBS[name]())
    (tmp_path / "k.cu").write_text(STRIDED)
    done = coalint(tmp_path, "lint", ".", *LIMITS, seconds=400)
    assert FOUND in done.stdout, done.stderr
    assert done.returncode in (0, 1), done.stderr[-2000:]
    assert "internal error" not in done.stderr


FORMATS = ("full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "rdjson", "junit", "markdown", "html")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["launches", "kernels", "accesses"])
def test_reports_on_a_bomb_and_what_the_cache_keeps_of_it_are_bounded(name: str, tmp_path: Path) -> None:
    tree, cache = tmp_path / "tree", tmp_path / "cache"
    tree.mkdir()
    (tree / "bomb.cu").write_text(BOMBS[name]())
    (tree / "k.cu").write_text(STRIDED)
    for turn in ("cold", "warm"):
        outputs = [f"-o{kind}={tmp_path / turn}.{kind}" for kind in FORMATS]
        limits = ("--timeout-per-file=3", "--memory-per-file=1200", "-j2")
        done = forked.coalint(
            *("lint", ".", *limits, *outputs),
            folder=tree,
            megabytes=1536,
            seconds=300,
            environment={**os.environ, "COALINT_CACHE_DIR": str(cache)},
        )
        assert done.returncode in (1, 2), done.stderr
        assert "internal error" not in done.stderr
        assert FOUND in (tmp_path / f"{turn}.concise").read_text()
        assert all((tmp_path / f"{turn}.{kind}").stat().st_size < 64 << 20 for kind in FORMATS)
    assert sum(path.stat().st_size for path in cache.rglob("*")) < 256 << 20


PYTHON: dict[str, Callable[[], str]] = {
    "parentheses": lambda: "x = " + "(" * 100_000 + ")" * 100_000,
    "brackets": lambda: "x = " + "[" * 5_000,
    "sum": lambda: "x = " + "+".join(["'a'"] * 100_000),
    "powers": lambda: "x = 'a' * 10 ** 12\ny = '%s' * 99 % x",
    "repeated": lambda: "import cupy\ns = 'abc' * 10 ** 10\ncupy.RawKernel(s * 10 ** 9, 'k')",
    "doubling": lambda: (
        "import cupy\na0 = '__global__'\n"
        + "".join(f"a{i + 1} = a{i} + a{i}\n" for i in range(60))
        + "cupy.RawKernel(a60, 'k')"
    ),
    "indentation": lambda: "".join(" " * i + "if 1:\n" for i in range(2000)) + " " * 2000 + "pass",
    "minus": lambda: "x = " + "-" * 100_000 + "1",
}


@pytest.mark.parametrize("name", PYTHON)
def test_python_that_is_a_bomb_is_read_within_bounds(name: str, tmp_path: Path) -> None:
    (tmp_path / "host.py").write_text("# cupy RawKernel __global__\n" + PYTHON[name]() + "\n")
    (tmp_path / "k.cu").write_text(STRIDED)
    done = coalint(tmp_path, "lint", ".", *LIMITS)
    assert FOUND in done.stdout, done.stderr
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr


ENTRY = {"directory": ".", "file": "k.cu"}
DOCUMENTS: dict[str, tuple[str, Callable[[], str]]] = {
    "deep_toml": ("coalint.toml", lambda: "ignore = " + "[" * 5000 + "]" * 5000),
    "dotted_toml": ("coalint.toml", lambda: ".".join(["a"] * 20_000) + " = 1"),
    "keys": ("coalint.toml", lambda: "\n".join(f"k{i} = 1" for i in range(20_000))),
    "long_key": ("coalint.toml", lambda: "i" * 500_000 + " = 1"),
    "number": ("coalint.toml", lambda: "jobs = " + "9" * 100_000),
    "extends": ("coalint.toml", lambda: 'extend = "coalint.toml"'),
    "patterns": ("coalint.toml", lambda: f'exclude = ["{"*a" * 5000}", "{"**/a/" * 5000}b"]'),
    "assumption": ("coalint.toml", lambda: f'assume = ["{"(" * 50_000}n{")" * 50_000} == 1"]'),
    "deep_json": ("compile_commands.json", lambda: "[" * 1_000_000),
    "wide_json": ("compile_commands.json", lambda: json.dumps([{**ENTRY, "command": "c"}] * 100_000)),
    "quotes": ("compile_commands.json", lambda: json.dumps([{**ENTRY, "command": "nvcc " + '"' * 999_999}])),
    "flags": ("compile_commands.json", lambda: json.dumps([{**ENTRY, "command": "nvcc" + " -DA=1" * 200_000}])),
    "folders": ("compile_commands.json", lambda: json.dumps([{**ENTRY, "command": "nvcc" + " -I." * 20_000}])),
    "baseline": ("coalint-baseline.json", lambda: "[" * 1_000_000),
    "ignore": (".gitignore", lambda: "*a" * 50_000 + "\n" + "\n".join(["*a*b*c*d*e*f"] * 4000)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DOCUMENTS)
def test_planning_is_bounded_too(name: str, tmp_path: Path) -> None:
    file, text = DOCUMENTS[name]
    (tmp_path / file).write_text(text())
    (tmp_path / "k.cu").write_text(STRIDED)
    (tmp_path / ("a" * 200)).mkdir()
    (tmp_path / ("a" * 200) / ("a" * 200 + ".cu")).write_text(STRIDED.replace("k", "j"))
    options = ("--baseline", file) if name == "baseline" else ()
    begin = time.monotonic()
    done = coalint(tmp_path, "lint", ".", *LIMITS, *options)
    assert time.monotonic() - begin < 190, "the tests' own bound ends it at 200 s"
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    assert "internal error" not in done.stderr, done.stderr[-2000:]
    assert done.returncode in (1, 2)
    assert done.returncode == 2 or FOUND in done.stdout
    assert len(done.stderr) < 20_000 or name == "long_key"
