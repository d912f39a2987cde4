"""Draws the measured curves beside the model, and writes curves.md beside this file.

    python docs/make_curves.py

Reads data/curves.sm_90.json and data/paddings.sm_90.json (benchmarks/measure_curves.py and measure_paddings.py write
them). The predictions are computed here by the same functions that coalint judges accesses with.
"""

from __future__ import annotations

import math
import textwrap
from pathlib import Path

from measured_curves import (
    Curves,
    conflict_wavefronts,
    read,
    slope_ns,
    strided_sectors,
    transpose_prediction,
)
from svg_figures import Frame, axes, bar, dots, legend, line, path, picture, text, x_ticks

ROOT = Path(__file__).resolve().parent.parent
KERNELS = {"copy": "copy", "naive": "naive", "tile": "tile[32][32]", "padded": "tile[32][33]"}


def stride_picture(curves: Curves) -> str:
    """Bandwidth against stride, out of DRAM and out of the L2 cache, relative to stride 1."""
    frame = Frame(84, 84, 652, 300, (0.5, 32.5), (1 / 32, 1), log=True)
    strides = range(1, 33)
    parts = list(axes(frame, _fractions(), "stride (floats of 4 bytes)", "effective bandwidth (stride 1 = 1)"))
    parts += x_ticks(frame, (1, *range(4, 33, 4)))
    model = [(s, strided_sectors(4) / strided_sectors(4 * s)) for s in strides]
    entries = []
    for kind, source, name in (("s0", "dram", "DRAM"), ("s1", "l2", "L2")):
        first = curves.strided(source, 1)
        measured = [(s, curves.strided(source, s) / first) for s in strides]
        parts += dots(frame, measured, kind)
        entries.append((kind, f"{name}: {first:.1f} TB/s at stride 1"))
    parts.append(path(frame, model, "model"))
    parts += legend(84, 62, [*entries, ("model", "predicted: 4 / sectors")])
    return picture("Bandwidth against stride", 446, parts)


def _fractions() -> list[tuple[float, str]]:
    return [(1 / 2**k, f"1/{2**k}" if k else "1") for k in range(6)]


def records_picture(curves: Curves) -> str:
    """Array of structs against struct of arrays: one field read, and all of them."""
    sizes = (12, 16, 24, 32)
    parts: list[str] = []
    for left, used, name in ((84.0, "one", "one field of each record"), (428.0, "all", "all fields of each record")):
        frame = Frame(left, 106, 308, 280, (0, 4), (0, 5))
        ticks = [(value, str(value)) for value in range(6)]
        parts += axes(frame, ticks, "record (bytes)", "effective bandwidth (TB/s)" if used == "one" else "")
        parts.append(text(left + 154, 92, name, "middle"))
        for index, size in enumerate(sizes):
            structs, arrays = (
                curves.bandwidth("records", layout=layout, used=used, record_bytes=size) for layout in ("aos", "soa")
            )
            x = frame.x(index) + 8
            parts += bar(frame, x, 30, structs, "s1")
            parts += bar(frame, x + 32, 30, arrays, "s0")
            predicted = frame.y(arrays * strided_sectors(4) / strided_sectors(size))
            parts.append(line(x - 3, predicted, x + 33, predicted, "mark"))
            parts.append(text(frame.x(index + 0.5), frame.top + frame.height + 20, str(size), "middle"))
    entries = [("s1", "array of structs"), ("s0", "struct of arrays"), ("mark", "predicted: the arrays' × 4 / sectors")]
    parts += legend(84, 62, entries)
    return picture("Array of structs against struct of arrays", 448, parts)


def transpose_picture(curves: Curves) -> str:
    """Transposes of four sizes beside a copy."""
    sizes = (1024, 2048, 4096, 8192)
    highest = max(p["bytes"] / p["ms"] / 1e9 for p in curves.points("transpose"))
    frame = Frame(84, 84, 652, 300, (0, 4), (0, math.ceil(highest)))
    ticks = [(value, str(value)) for value in range(math.ceil(highest) + 1)]
    parts = list(axes(frame, ticks, "matrix (n × n floats)", "bytes read and written (TB/s)"))
    for index, n in enumerate(sizes):
        x = frame.x(index) + 14
        for kind, kernel in (("s3", "copy"), ("s1", "naive"), ("s2", "tile"), ("s0", "padded")):
            value = curves.bandwidth("transpose", kernel=kernel, n=n)
            parts += bar(frame, x, 31, value, kind)
            if kernel != "copy":
                predicted = frame.y(transpose_prediction(curves, kernel, n))
                parts.append(line(x - 1, predicted, x + 32, predicted, "mark"))
            x += 34
        parts.append(text(frame.x(index + 0.5), frame.top + frame.height + 20, str(n), "middle"))
    bars = [(kind, KERNELS[kernel]) for kind, kernel in (("s3", "copy"), ("s1", "naive"), ("s2", "tile"))]
    parts += legend(84, 62, [*bars, ("s0", KERNELS["padded"]), ("mark", "predicted")])
    return picture("Matrix transpose", 446, parts)


def conflicts_picture(curves: Curves) -> str:
    """The time of a load from shared memory against the ways of its conflict."""
    frame = Frame(84, 84, 652, 300, (0, 33), (0, 18))
    ways = range(1, 33)
    ticks = [(value, str(value)) for value in range(0, 19, 3)]
    label = "time per warp load (ns per multiprocessor)"
    parts = list(axes(frame, ticks, "lanes that need different words of one bank (ways)", label))
    parts += x_ticks(frame, (1, *range(4, 33, 4)))
    parts += dots(frame, [(w, curves.load_ns(w)) for w in ways], "s0")
    first = curves.load_ns(1)
    parts.append(path(frame, [(w, first * conflict_wavefronts(w)) for w in ways], "model"))
    parts += legend(84, 62, [("s0", "measured"), ("model", "predicted: wavefronts × the time without conflict")])
    return picture("Bank conflicts in shared memory", 446, parts)


def pictures(root: Path) -> dict[str, str]:
    """The text of every picture by its file name."""
    curves = read(root, "curves")
    return {
        "stride.svg": stride_picture(curves),
        "records.svg": records_picture(curves),
        "transpose.svg": transpose_picture(curves),
        "conflicts.svg": conflicts_picture(curves),
    }


# ---- The page.


def page_text(root: Path) -> str:
    """The page in Markdown."""
    curves, paddings = read(root, "curves"), read(root, "paddings")
    parts = (_introduction(curves), _strides(curves), _records(curves), _transposes(curves), _conflicts(curves))
    blocks = "\n".join([*parts, _paddings(paddings)]).strip("\n").split("\n\n")
    return "\n\n".join(block if block.startswith("|") else _wrapped(block) for block in blocks) + "\n"


def _wrapped(paragraph: str) -> str:
    return textwrap.fill(paragraph, 120, break_long_words=False, break_on_hyphens=False)


def _introduction(curves: Curves) -> str:
    return f"""\
# The classic curves, measured

coalint counts sectors and wavefronts; it does not predict time. These curves show how well the counts explain the time
on one GPU, and where something else dominates. Every dot and bar was measured. Every dashed line or horizontal mark
follows from the counts that coalint predicts for the same access.

Measured on {curves.machine}: the best of 50 runs after a warm-up, timed with CUDA events. The sources are in
[benchmarks/curves/curves.cu](../benchmarks/curves/curves.cu), the numbers in
[data/curves.sm_90.json](data/curves.sm_90.json). `benchmarks/measure_curves.py` takes the measurements,
`docs/make_curves.py` draws the pictures and writes this page.
"""


def _strides(curves: Curves) -> str:
    def slower(source: str, stride: int) -> float:
        return curves.strided(source, 1) / curves.strided(source, stride)

    return f"""\
## Stride

![Bandwidth against stride](curves/stride.svg)

Each lane loads one float; each thread makes eight independent loads. The data is in DRAM (537 MB of useful floats) or
in the L2 cache (131072 floats, read repeatedly, bypassing the L1 cache).

The prediction is that time grows with the number of sectors: 8 times as long at a stride of 8 floats, where every lane
has a sector to itself, and no longer beyond that. From DRAM the measured factor is {slower("dram", 8):.1f} at stride 8.
**Beyond that, the model is too optimistic**: {slower("dram", 16):.1f} at stride 16 and {slower("dram", 32):.1f} at
stride 32. Up to 16 floats the time follows the stride itself, as if DRAM were read in units of 64 bytes; coalint counts
32-byte sectors, the unit in which data moves between the caches. Why the time keeps growing slowly beyond 16 was not
investigated.

From L2 the factor is {slower("l2", 8):.1f} at stride 8, and it stays level up to stride 16 ({slower("l2", 16):.1f}), as
the sectors do. Then it grows ({slower("l2", 32):.1f} at 32), while the 32 sectors of a request spread over 16 to 32
lines of 128 bytes: lines seem to have a cost of their own, which sectors do not show. With smaller or larger working
sets the factor at stride 32 was between 15 and 27, so take this curve as one example.
"""


def _records(curves: Curves) -> str:
    def ratio(used: str, size: int) -> float:
        structs, arrays = (
            curves.bandwidth("records", layout=layout, used=used, record_bytes=size) for layout in ("aos", "soa")
        )
        return arrays / structs

    def predicted(size: int) -> float:
        return strided_sectors(size) / strided_sectors(4)

    one = ", ".join(f"{ratio('one', s):.1f} ({predicted(s):.0f}) for {s} bytes" for s in (12, 16, 24, 32))
    every = ", ".join(f"{ratio('all', s):.2f}" for s in (12, 16, 24, 32))
    return f"""\
## Array of structs against struct of arrays

![Array of structs against struct of arrays](curves/records.svg)

67 million records of 3, 4, 6 or 8 floats, read from DRAM. If a kernel needs one field, the array of structs takes this
many times as long as the struct of arrays (the prediction in brackets): {one}. Why 12 bytes cost more than predicted
was not investigated; reading all three fields, which are the same bytes of DRAM, is faster.

If it needs **all** fields, the two layouts take about the same time ({every}), although each load still counts as many
sectors: what one load brings into the L1 cache serves the loads of the other fields. The prediction is made per
instruction and does not see that, so the marks in the right half are wrong as times. The sectors per request are still
what the profiler shows.
"""


def _transposes(curves: Curves) -> str:
    rows = []
    for n in (1024, 2048, 4096, 8192):
        copied = curves.bandwidth("transpose", kernel="copy", n=n)
        cells = []
        for kernel in ("naive", "tile", "padded"):
            measured = copied / curves.bandwidth("transpose", kernel=kernel, n=n)
            cells.append(f"{measured:.1f} ({copied / transpose_prediction(curves, kernel, n):.1f})")
        rows.append(f"| {n} | {copied:.2f} TB/s | {' | '.join(cells)} |")
    table = "\n".join(rows)
    return f"""\
## Transpose

![Matrix transpose](curves/transpose.svg)

32×8 threads transpose a tile of 32×32 elements. In the naive kernel each warp stores a column: 32 sectors instead of 4.
The tile in shared memory avoids that, but its column is read with a 32-way bank conflict; with padding the read takes
one wavefront. The table gives the time as a multiple of a copy of the same matrix, with the prediction in brackets. The
prediction follows from the sectors; for the tiles it is at least the time of the wavefronts, {slope_ns(curves):.2f} ns
each (the slope of the last picture).

| n | copy | naive | tile[32][32] | tile[32][33] |
| ---: | ---: | ---: | ---: | ---: |
{table}

The order is as predicted; the size of the steps is not. The naive kernel is slower than its sectors suggest, and the
tile with conflicts takes longer than the larger of its two costs, as it would if loads, stores and wavefronts did not
fully overlap. The model gives a lower bound. At 1024 and 2048 both matrices fit into the L2 cache together, and at 1024
the launch overhead is noticeable.
"""


def _conflicts(curves: Curves) -> str:
    first, last = curves.load_ns(1), curves.load_ns(32)
    return f"""\
## Bank conflicts

![Bank conflicts in shared memory](curves/conflicts.svg)

32 warps per multiprocessor load from shared memory as fast as they can. A load takes {first:.2f} ns without a conflict
and {last:.2f} ns with a 32-way conflict: {last / first:.1f} times as long, predicted {conflict_wavefronts(32):.0f}
times. The points lie on a straight line of {slope_ns(curves):.3f} ns per wavefront plus
{first - slope_ns(curves):.3f} ns, the share of the launch and the kernel's prologue.
"""


def _paddings(paddings: Curves) -> str:
    rows = []
    for tile in paddings.value["tiles"]:
        if any(after > before for before, after in (a["promised"] for a in tile["accesses"])):
            continue  # measured, but suggested no more
        block = "×".join(str(n) for n in tile["block"]).removesuffix("×1").removesuffix("×1")
        cells = []
        for key in ("promised", "counted"):
            numbers = [a[key] for a in tile["accesses"]]
            effects = dict.fromkeys(
                f"{a['operation']} {b:g} → {c:g}" for a, (b, c) in zip(tile["accesses"], numbers, strict=True)
            )
            cells.append(", ".join(effects))
        rows.append(f"| `{tile['declared']}` | {block} | `{tile['suggested']}` | {' | '.join(cells)} |")
    table = "\n".join(rows)
    version = f"{paddings.machine}, with Nsight Compute {paddings.value['ncu']}"
    return f"""\
## Suggested paddings

coalint suggests the row pitch at which all accesses of a tile together take the fewest wavefronts and no access takes
more than before. For the tiles in [benchmarks/paddings/tiles.cu](../benchmarks/paddings/tiles.cu) the suggestion was
written into the declaration, and the wavefronts per request were counted before and after.
`tests/machine/test_paddings_measured.py` checks that every count is the predicted one. Counted on {version}.

| declared | block | suggested | predicted | counted |
| --- | --- | --- | --- | --- |
{table}
"""


if __name__ == "__main__":
    folder = ROOT / "docs" / "curves"
    folder.mkdir(exist_ok=True)
    for name, drawn in pictures(ROOT).items():
        (folder / name).write_text(drawn, encoding="utf-8")
    (ROOT / "docs" / "curves.md").write_text(page_text(ROOT), encoding="utf-8")
