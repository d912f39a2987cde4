"""Holds what coalint says that nvcc merges into vector instructions against the machine code of random kernels.

    python benchmarks/vector_joins.py [--first 1] [--files 3] [--kernels 100]

Needs g++ and the CUDA compiler of the `dev` extra, no GPU. Prints each kernel that differs and counts, by what the
accesses are: `equal`, the widths are the machine code's; `in part`, the machine code has them and others beside them
(a loop's rest); `scalar`, coalint does not see a vector; `vector`, it sees one that is not there.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from cuda_compiler import find_compiler  # noqa: E402
from merging_kernels import Widths, predicted, program, written  # noqa: E402

VERDICTS = ("equal", "in part", "scalar", "vector")


def verdict(says: Widths, has: Widths) -> str:
    """How the widths that coalint says lie to those of the machine code."""
    if says == has:
        return "equal"
    pairs = [(says.get(op, frozenset()), has.get(op, frozenset())) for op in {*says, *has}]
    if all(mine <= its for mine, its in pairs):
        return "in part" if any(max(mine, default=0) > 4 for mine, _ in pairs) else "scalar"
    return "vector" if any(max(mine, default=0) > max(its, default=0) for mine, its in pairs) else "scalar"


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--files", type=int, default=3)
    parser.add_argument("--kernels", type=int, default=100)
    options = parser.parse_args()
    compiler, counts, sure_of = find_compiler(), Counter[tuple[str, str]](), Counter[tuple[str, bool]]()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.first, options.first + options.files):
            text, shapes = program(seed, options.kernels)
            path = Path(folder) / f"kernels_{seed}.cu"
            path.write_text(text)
            has, says = written(compiler, path, shapes), predicted(path, shapes, None)
            for shape in shapes:
                widths, sure = says.get(shape.name, ({}, True))
                came = verdict(widths, has[shape.name])
                kind = next(f"{name} {value}" for name, value in shape.features if name in ("loop", "straight"))
                counts[(kind, came)] += 1
                sure_of[(came, sure)] += 1
                if came != "equal":
                    said, made = (
                        {op: sorted(sizes) for op, sizes in each.items()} for each in (widths, has[shape.name])
                    )
                    print(
                        f"{came}: {seed}/{shape.name} {shape.title}: {said}, {'sure' if sure else 'supposed'}: {made}"
                    )
    print(f"| accesses | {' | '.join(VERDICTS)} |\n|---|{'---|' * len(VERDICTS)}")
    for kind in sorted({kind for kind, _ in counts}):
        print(f"| {kind} | {' | '.join(str(counts[(kind, each)]) for each in VERDICTS)} |")
    print("sure:", {each: sure_of[(each, True)] for each in VERDICTS})


if __name__ == "__main__":
    main()
