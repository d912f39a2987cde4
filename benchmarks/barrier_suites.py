"""coalint's verdicts on barriers, and the races that it reports, against suites that others wrote.

    python benchmarks/barrier_suites.py TESTSUITE

TESTSUITE is the folder `testsuite` of mc-imperial/gpuverify. Each of its kernels states in its first lines whether it
verifies (`//pass`) or what fails, and the launch (`--blockDim=64 --gridDim=64`). What passes, or fails for another
reason that it names, has no divergent barrier; what fails without a reason may have one. What passes has no race in
shared memory, unless it takes warps in step (`--warp-sync`) to pass; of what fails, all that is reported is printed, to
be read. OpenCL kernels are read through `suites/opencl.h`.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from coalint.analysis.launches.assumptions import parse_assumption
from coalint.core.facts.synchronization import Verdict
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.registry import load_rules
from coalint.frontend.cuda.spelling import CUDA
from coalint.machine.architecture import architecture

_OPENCL = Path(__file__).parent / "suites" / "opencl.h"
_SIZE = re.compile(r"--(blockDim|gridDim|local_size|num_groups|global_size)=\[?([\d,]+)\]?")
_NAMES = {"blockDim": "blockDim", "local_size": "blockDim", "gridDim": "gridDim", "num_groups": "gridDim"}
_DIVERGES = re.compile(r"non-?uniform control flow|barrier divergence", re.IGNORECASE)
_OTHER = re.compile(r"race|null pointer|assert|out-of-bounds|invariant|precondition|postcondition", re.IGNORECASE)
_HEAD = 6  # lines


@dataclass(frozen=True)
class Test:
    """One kernel file of the suite: what it states of itself, and whether barriers diverge (None: not stated).

    `in_step`: it is verified under the supposition that the lanes of a warp run in step (`--warp-sync`).
    """

    path: Path
    states: str
    diverges: bool | None
    sizes: tuple[str, ...]
    in_step: bool

    @property
    def flags(self) -> tuple[str, ...]:
        """How libclang must read it."""
        return ("-include", str(_OPENCL)) if self.path.suffix == ".cl" else ()


def tests(folder: Path) -> Iterator[Test]:
    """The tests whose verdict speaks of kernels, not of the verifier's own command line."""
    for path in sorted([*folder.rglob("*.cu"), *folder.rglob("*.cl")]):
        head = [line.strip() for line in path.read_text(errors="replace").splitlines()[:_HEAD]]
        stated = head[0].lower() if head else ""
        if not stated.startswith(("//pass", "//xfail:not_all_verified")):
            continue
        comments = " ".join(line for line in head if line.startswith("//"))
        yield Test(
            path, head[0].lstrip("/"), _diverges(stated, comments), tuple(_sizes(comments)), "--warp-sync" in comments
        )


def _diverges(stated: str, comments: str) -> bool | None:
    if _DIVERGES.search(comments):
        return True
    return False if stated.startswith("//pass") or _OTHER.search(comments) else None


def _sizes(comments: str) -> Iterator[str]:
    """The launch as assumptions."""
    found = {option: [int(part) for part in value.split(",") if part] for option, value in _SIZE.findall(comments)}
    block = found.get("blockDim") or found.get("local_size")
    if "global_size" in found and block:
        found["num_groups"] = [size // local for size, local in zip(found["global_size"], block, strict=False)]
    for option, values in found.items():
        if option in _NAMES:
            for axis, value in zip("xyz", [*values, 1, 1], strict=False):
                yield f"{_NAMES[option]}.{axis} == {value}"


def main() -> None:
    """Print every disagreement and what fails for a reason to be read, then how the suite came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    counts: Counter[str] = Counter()
    rules = tuple(rule for rule in load_rules() if rule.name == "missing-barrier")
    for test in tests(parser.parse_args().folder):
        assumed = tuple(text for text in test.sizes if parse_assumption(text, CUDA))
        result = check_file(Source(str(test.path), test.flags), Job(assumed, architecture("sm_80"), rules, keep=True))
        barriers = [b for kernel in result.checked if kernel.analysis for b in kernel.analysis.barriers]
        block = [barrier for barrier in barriers if barrier.scope == "block"]
        divergent = [barrier for barrier in block if barrier.verdict is Verdict.DIVERGENT]
        races = [found.finding for kernel in result.checked for found in kernel.findings]
        passes = test.states.startswith("pass")
        counts["tests"] += 1
        kind = "races in tests that fail"
        if passes:
            kind = "races in tests that verify" + (" with warps in step" if test.in_step else "")
        counts[kind] += bool(races)
        for race in races:
            print(f"{test.path}: {test.states}; coalint, line {race.span.line}: {race.message}")
        counts["tests with block barriers"] += bool(block)
        counts["tests not read"] += not result.checked
        counts["barriers"] += len(block)
        counts["barriers unknown"] += sum(barrier.verdict is Verdict.UNKNOWN for barrier in block)
        if test.diverges is None and not block:
            counts["fails without a reason: no barrier"] += 1
        elif test.diverges is None:
            counts["fails without a reason: divergent" if divergent else "fails without a reason: uniform"] += 1
            print(f"{test.path}: fails without a reason; coalint: {divergent[0].because if divergent else 'uniform'}")
        elif bool(divergent) is test.diverges:
            counts["agree: divergent" if divergent else "agree: uniform"] += 1
        else:
            counts["disagree"] += 1
            print(f"{test.path}: {test.states}; coalint: {divergent[0].because if divergent else 'none diverges'}")
    for name, count in sorted(counts.items()):
        print(f"{count:5} {name}")


if __name__ == "__main__":
    main()
