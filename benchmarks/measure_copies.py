"""Counts on the GPU of this machine what asynchronous copies cost, for many ways to place a warp's chunks.

    PYTHONPATH=src python benchmarks/measure_copies.py [OUTPUT.json]

Each copy is one `cp.async` of some lanes of one warp: the chunks (of `size` bytes) that they read and write, and the
sectors and wavefronts that Nsight Compute counted. Of one that is `filled` all lanes write: what they read, or zeros
where they are not of the group. Needs an NVIDIA GPU, nvcc, ncu and compute-sanitizer.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from measure_counters import Source, StepFailed, machine
from measuring import write_measured

from coalint.core.facts.access import Space
from coalint.engine.verification.export.errors import ExportError

SCHEMA = "coalint-copies/2"
COPIES = 64  # instructions of one launch
SHARED_CHUNKS = 3000
Copy = tuple[list[int], list[int]]  # the chunks that the lanes read, and those that they write
PREFETCHES = ("", ".L2::64B", ".L2::128B", ".L2::256B")
FILLED = (("cg", 16), ("ca", 16), ("ca", 8), ("ca", 4))  # caches, and bytes of a lane
EVERY = tuple(range(32))

# The other lanes leave first: the counters lose lanes of a copy that a predicate guards.
PROGRAM = """\
#define KERNEL(name, prefetch) \\
    __global__ void name(const char *from, int launch, unsigned lanes) { \\
        extern __shared__ __align__(1024) char to[]; \\
        int lane = threadIdx.x; \\
        if (!(lanes >> lane & 1)) \\
            return; \\
        _Pragma("unroll") for (int i = 0; i < COPIES; i++) { \\
            const char *source = from + 16 * chunks[launch][i][0][lane]; \\
            char *target = to + 16 * chunks[launch][i][1][lane]; \\
            asm volatile("cp.async.cg.shared.global" prefetch " [%0], [%1], 16;" ::"r"( \\
                             (unsigned)__cvta_generic_to_shared(target)), \\
                         "l"(source) : "memory"); \\
        } \\
        asm volatile("cp.async.wait_all;" ::: "memory"); \\
    }
#define FILLED(name, cache, size) \\
    __global__ void name(const char *from, int launch, unsigned lanes) { \\
        extern __shared__ __align__(1024) char to[]; \\
        int lane = threadIdx.x, read = lanes >> lane & 1 ? size : 0; \\
        _Pragma("unroll") for (int i = 0; i < COPIES; i++) { \\
            const char *source = from + size * chunks[launch][i][0][lane]; \\
            char *target = to + size * chunks[launch][i][1][lane]; \\
            asm volatile("cp.async." cache ".shared.global [%0], [%1], %2, %3;" ::"r"( \\
                             (unsigned)__cvta_generic_to_shared(target)), \\
                         "l"(source), "n"(size), "r"(read) : "memory"); \\
        } \\
        asm volatile("cp.async.wait_all;" ::: "memory"); \\
    }
"""


@dataclass(frozen=True)
class Group:
    """The copies of one launch, all by the same lanes; where zeros are filled in, `copies` have the chunks of all."""

    prefetch: str
    lanes: tuple[int, ...]
    copies: tuple[Copy, ...]
    cache: str = "cg"
    size: int = 16
    filled: bool = False

    @property
    def kernel(self) -> str:
        """The kernel that carries them out."""
        return f"filled_{self.cache}_{self.size}" if self.filled else f"copies_{PREFETCHES.index(self.prefetch)}"

    @property
    def active(self) -> tuple[int, ...]:
        """The lanes that carry out the instruction."""
        return EVERY if self.filled else self.lanes


def groups() -> list[Group]:
    """What is measured: rows to a padded tile in every alignment, and chunks at random."""
    random = Random(16)
    every = EVERY
    chosen = [every[:count] for count in (2, 3, 4, 6, 8, 12, 16, 24, 31)]
    chosen += [tuple(sorted(random.sample(every, random.randint(2, 31)))) for _ in range(10)]
    plain = [Group("", lanes, _copies(random, lanes)) for lanes in [*chosen, *[every] * 12]]
    plain += [Group(prefetch, every, _copies(random, every)) for prefetch in PREFETCHES[1:]]
    some = [every[:4], every[8:24], every[::2], tuple(sorted(random.sample(every, 13))), (), every]
    return plain + [
        Group("", lanes, _copies(random, every), cache, size, filled=True) for cache, size in FILLED for lanes in some
    ]


def _copies(random: Random, lanes: Sequence[int]) -> tuple[Copy, ...]:
    kinds = (_rows, _rows, _rows, _scattered, _sectors, _repeated)
    return tuple(random.choice(kinds)(random, lanes) for _ in range(COPIES))


def _rows(random: Random, lanes: Sequence[int]) -> Copy:
    """Rows of an array go to the rows of a tile; the lanes in order, or shuffled."""
    width = random.choice([1, 2, 4, 8, 16, 32])
    pitch = random.choice([width, width + 1, width + 2, 64, 64, 65, 66, 68, random.randint(1, 64)])
    padded = width + random.choice([0, 1, 1, 1, 2, 3, 4, 5, 17])
    read, written = random.choice([0, 0, 0, 1, 2, 3, 5]), random.choice([0, 0, 1, 2, 3, 4])
    order = list(range(32))
    if random.random() < 0.2:
        random.shuffle(order)
    places = [divmod(order[lane], width) for lane in lanes]
    return [read + row * pitch + k for row, k in places], [written + row * padded + k for row, k in places]


def _scattered(random: Random, lanes: Sequence[int]) -> Copy:
    ends = [random.sample(range(max(len(lanes), random.choice([8, 16, 32, 64, 256]))), len(lanes)) for _ in range(2)]
    return ends[0], ends[1]


def _sectors(random: Random, lanes: Sequence[int]) -> Copy:
    """Whole sectors, which change places, and in some copies their halves too."""
    count = (len(lanes) + 1) // 2
    ends = [random.sample(range(max(count, random.choice([4, 8, 16, 32]))), count) for _ in range(2)]
    turned = [random.choice([0, 1]) for _ in range(count)] if random.random() < 0.5 else [0] * count
    read = [2 * sector + half for sector in ends[0] for half in (0, 1)]
    written = [2 * sector + (half ^ turn) for sector, turn in zip(ends[1], turned, strict=True) for half in (0, 1)]
    return read[: len(lanes)], written[: len(lanes)]


def _repeated(random: Random, lanes: Sequence[int]) -> Copy:
    """Chunks that are read by several lanes."""
    few = random.choice([1, 2, 4, 8, 16, 32])
    return [random.randrange(few) for _ in lanes], random.sample(range(64), len(lanes))


def program(found: Sequence[Group]) -> str:
    """The CUDA source that carries out the copies, one launch for each group."""
    tables = []
    for group in found:
        rows = []
        for ends in group.copies:
            at = [dict(zip(group.active, chunks, strict=True)) for chunks in ends]
            assert max(ends[1]) < SHARED_CHUNKS
            rows.append("{" + ",".join("{" + ",".join(str(end.get(k, 0)) for k in range(32)) + "}" for end in at) + "}")
        tables.append("{" + ",\n".join(rows) + "}")
    table = f"__device__ const int chunks[{len(found)}][{COPIES}][2][32] = {{\n" + ",\n".join(tables) + "};\n"
    kernels = "".join(f'KERNEL(copies_{k}, "{prefetch}")\n' for k, prefetch in enumerate(PREFETCHES))
    kernels += "".join(f'FILLED(filled_{cache}_{size}, "{cache}", {size})\n' for cache, size in FILLED)
    launches = "".join(
        f"    {group.kernel}<<<1, 32, {16 * SHARED_CHUNKS}>>>"
        f"(from, {number}, {sum(1 << lane for lane in group.lanes)}u);\n"
        for number, group in enumerate(found)
    )
    farthest = 16 * (max(max(read) for group in found for read, _ in group.copies) + 1)
    main = f"int main() {{\n    char *from;\n    cudaMalloc(&from, {farthest});\n    cudaMemset(from, 0, {farthest});\n"
    end = "    return cudaDeviceSynchronize() != cudaSuccess;\n}\n"
    return f"#define COPIES {COPIES}\n{table}{PROGRAM}{kernels}{main}{launches}{end}"


def measure(arch: str) -> str:
    """The file's text."""
    found = groups()
    with tempfile.TemporaryDirectory() as made:
        file = Path(made) / "copies.cu"
        file.write_text(program(found), encoding="utf-8")
        source = Source(file, Path(made))
        source.build(arch)
        source.check()
        source.profile()
        source.export()
        launches = source.launches()
    texts = []
    for group, launch in zip(found, launches, strict=True):
        counts = []
        for space in (Space.GLOBAL, Space.SHARED):
            counted = [i for i in launch.instructions if i.opcode.startswith("LDGSTS") and i.space is space]
            if [i.threads for i in counted] != [len(group.active)] * COPIES:
                raise StepFailed(f"{launch.kernel}: not {COPIES} copies by {len(group.active)} lanes")
            counts.append([i.cost for i in counted])
        copies = ",\n".join(
            "      " + json.dumps([*ends, sectors, wavefronts], separators=(",", ":"))
            for ends, sectors, wavefronts in zip(group.copies, *counts, strict=True)
        )
        how = {"cache": group.cache, "size": group.size, "filled": group.filled}
        head = json.dumps({"prefetch": group.prefetch, **how, "lanes": group.lanes})
        texts.append(f'    {head[:-1]}, "copies": [\n{copies}\n    ]}}')
    head = "\n".join(f"  {json.dumps(k)}: {json.dumps(v)}," for k, v in asdict(machine(arch)).items())
    return f'{{\n  "schema": "{SCHEMA}",\n{head}\n  "groups": [\n' + ",\n".join(texts) + "\n  ]\n}\n"


def main() -> int:
    """Measure and write; returns the exit code."""
    return write_measured(
        "Count what asynchronous copies cost, on this machine's GPU.", "copies", measure, (StepFailed, ExportError)
    )


if __name__ == "__main__":
    sys.exit(main())
