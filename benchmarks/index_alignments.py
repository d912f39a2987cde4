"""Holds what coalint says of four neighbours at random indices in shared memory against the machine code of nvcc.

    python benchmarks/index_alignments.py [--first 1] [--files 8] [--kernels 120]

Needs g++ and the CUDA compiler of the `dev` extra, no GPU. Prints each kernel of which coalint is sure and wrong, and
counts: `equal`, `wrong`, and those that rest on a supposition, `supposed`, with those of them that are equal.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from cuda_compiler import compile_to_cubin, disassemble, find_compiler  # noqa: E402
from expectations import Space as Written  # noqa: E402
from known_alignments import ARRAY, LINE, POOL, kernel, launches  # noqa: E402

from coalint.core.facts.access import Operation, Space  # noqa: E402
from coalint.engine.check.file import check_file  # noqa: E402
from coalint.engine.check.records import Job, Source  # noqa: E402
from coalint.machine.architecture import architecture  # noqa: E402

_LEAVES = "t t t u n m blockDim.x blockIdx.x threadIdx.y 2*t 4*t 8*t 4*n 4*u 8*n".split()
_NUMBERS = "1 2 3 4 4 8 8 12 16 32 64".split()
_CONDITIONS = ("n > 2", "n < 2", "t < 64", "blockDim.x > 64", "threadIdx.y == 0", "n > 2 && t > 3")
_TYPES = ("short", "unsigned char", "unsigned", "int", "long long", "unsigned short")


def expression(chance: random.Random, depth: int) -> str:
    """An index of so many levels at most."""
    if depth == 0 or chance.random() < 0.15:
        return chance.choice(_LEAVES)
    one, other, number = expression(chance, depth - 1), expression(chance, depth - 1), chance.choice(_NUMBERS)
    shapes = [f"({one} + {other})"] * 4 + [f"({one} * {number})"] * 2
    shapes += [f"({one} * {other})", f"({one} - {other})", f"({one} % {number})", f"({one} / {number})"]
    shapes += [f"({one} {chance.choice(('<<', '>>'))} {chance.choice('123')})"] * 2
    shapes += [f"({one} {chance.choice('&|^')} {chance.choice((number, other, '~3', '511', '~7', '124'))})"]
    shapes += [f"({chance.choice(_CONDITIONS)} ? {one} : {other})", f"({chance.choice(_TYPES)})({one})"]
    shapes += [f"{chance.choice(('min', 'max'))}((int)({one}), (int)({other}))"]
    shapes += [f"{chance.choice(('__mul24', '__umul24'))}({one}, {other})"]
    return chance.choice(shapes)


def start(chance: random.Random) -> str:
    """Statements that make `i`."""
    factor = chance.choice((1, 2, 4, 4, 4, 8, 12))
    index = f"{factor} * ({expression(chance, 2)})" if chance.random() < 0.6 else expression(chance, 3)
    other, condition = f"{chance.choice((2, 4, 4, 8))} * ({expression(chance, 2)})", chance.choice(_CONDITIONS)
    shape = chance.randrange(10)
    if shape < 5:
        return f"{chance.choice(('int', 'int', 'unsigned'))} i = {index};"
    if shape < 7:
        return f"int i; if ({condition}) i = {index}; else i = {other};"
    if shape < 8:
        return f"int i = {index}; if ({condition}) i += {chance.choice(('4', '1', '8', 'n', '4 * n', '4 * t'))};"
    if shape < 9:
        return f"int i; switch (n) {{ case 1: i = {other}; break; case 3: i = {index}; break; default: i = 16 * t; }}"
    return f"int i = {index}; for (int q = 0; q < n; ++q) i += {chance.choice(('4', '8', '1', 'n', '4 * n'))};"


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--kernels", type=int, default=120)
    options = parser.parse_args()
    counts = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.files):
            file = Path(folder) / f"kernels_{seed}.cu"
            for text, has, says in compared(file, random.Random(seed), options.kernels):
                widths, is_sure = {width for width, _ in says}, all(sure for _, sure in says)
                kind = ("equal" if widths == has else "wrong") if is_sure else "supposed"
                counts[kind] += 1
                counts["supposed, equal"] += kind == "supposed" and widths == has
                if kind == "wrong":
                    print(f"{seed}: {text} {sorted(widths)}: {sorted(has)}")
    print(dict(counts))


def compared(
    file: Path, chance: random.Random, count: int
) -> list[tuple[str, frozenset[int], frozenset[tuple[int, bool]]]]:
    """Where each kernel begins, the widths of its loads in machine code, and what coalint says, with its sureness."""
    text, starts, lines = POOL, [start(chance) for _ in range(count)], dict[int, int]()
    for number, begins in enumerate(starts):
        lines[text.count("\n") + LINE + 1] = number
        text += kernel(f"k{number}", begins, chance.choice((ARRAY, "float *s = pool;")))
    numbers = f"{chance.choice((3, 4, 7, 8))}, {chance.choice((4, 5, 16))}"
    file.write_text(text + launches((f"k{number}" for number in range(count)), numbers))
    compiler, cubin = find_compiler(), file.with_suffix(".cubin")
    compile_to_cubin(compiler, file, cubin, ("-w",))
    has: list[set[int]] = [set() for _ in starts]
    for instruction in disassemble(compiler, cubin, file):
        if instruction.line in lines:
            has[lines[instruction.line]] |= {w for space, _, w in instruction.accesses if space is Written.SHARED}
    says: list[set[tuple[int, bool]]] = [set() for _ in starts]
    for checked in check_file(Source(str(file)), Job((), architecture("sm_90"), (), keep=True, headers=None)).checked:
        for made in checked.instructions:
            access, at = made.written, lines.get(made.written.span.line)
            if at is not None and access.space is Space.SHARED and access.op is Operation.LOAD:
                says[at].add((made.access.bytes, made.access.result.exact))
    rows = zip(starts, has, says, strict=True)
    return [(begins, frozenset(widths), frozenset(told)) for begins, widths, told in rows if told]


if __name__ == "__main__":
    main()
