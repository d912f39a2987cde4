"""The figures of fuzz runs: one line of JSON for each batch in a file, to go on from and to sum up.

    python benchmarks/fuzz_figures.py LOG...

prints the sums of all batches as a row of the table in SECURITY.md.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Batch:
    """What became of the inputs from `first` to before `end` of a seed.

    Attributes:
        seed: The seed.
        first: The number of the first input.
        end: The number after the last one.
        compared: How many were checked by one process and by one of two.
        failed: How many made coalint fail: an internal error, a file written, or two results.
        kernels: How many kernels were analysed.
        lost: How many were lost to a limit or to a crash of libclang, by cause.
        seconds: Wall time.
    """

    seed: int
    first: int
    end: int
    compared: int = 0
    failed: int = 0
    kernels: int = 0
    lost: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def inputs(self) -> int:
        """How many inputs there were."""
        return self.end - self.first


def append(path: Path, batch: Batch) -> None:
    """Append a batch to a log."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(asdict(batch)) + "\n")


def batches(path: Path) -> list[Batch]:
    """The batches of a log; none where there is no file. A line that a kill cut short counts for nothing."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Batch(**json.loads(line)) for line in lines if line.endswith("}")]


def next_number(path: Path, seed: int) -> int:
    """The number of the first input of a seed that a log does not have yet."""
    return max((batch.end for batch in batches(path) if batch.seed == seed), default=0)


def summary(found: Iterable[Batch]) -> str:
    """The row of the table in SECURITY.md: inputs, compared, failed, lost by cause, kernels."""
    found = list(found)
    lost: Counter[str] = Counter()
    for batch in found:
        lost.update(batch.lost)
    causes = ", ".join(f"{cause}: {count}" for cause, count in lost.most_common()) or "none"
    sums = (sum(getattr(batch, name) for batch in found) for name in ("inputs", "compared", "failed", "kernels"))
    return f"| {' | '.join(f'{number:,}' for number in sums)} | {causes} |"


if __name__ == "__main__":
    print(summary(batch for name in sys.argv[1:] for batch in batches(Path(name))))
