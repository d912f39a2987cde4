"""Draws docs/maps/: what a warp touches in lines of the fixtures, for the pages on the rules (make_rules.py).

python docs/make_maps.py && python docs/make_rules.py
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from coalint.engine.config.settings import Settings
from coalint.engine.inspection.maps import show
from coalint.engine.inspection.requests import Request, Spot
from coalint.engine.linter import inspect
from coalint.engine.request import RunRequest
from coalint.reporters.show.svg import showing_text

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "maps"
SETTINGS = Settings(arch="sm_90", jobs=1)


@dataclass(frozen=True)
class Drawn:
    """An access of a fixture: the first with this text in this kernel, in one iteration of a loop around it."""

    file: str
    kernel: str
    text: str
    iteration: tuple[tuple[str, int], ...] = ()


# The picture under a rule's example, and the one under what to use instead.
DRAWN = {
    "COA101-example": Drawn("uncoalesced-global-access/strided.cu", "copy_stride_2", "in[2 * i]"),
    "COA101-instead": Drawn("uncoalesced-global-access/strided.cu", "copy_stride_1", "in["),
    "COA102-example": Drawn("aos-field-access/points.cu", "scale_points_aos", "points[i].x"),
    "COA102-instead": Drawn("aos-field-access/points.cu", "scale_points_soa", "points.x[i]"),
    "COA103-example": Drawn("swapped-thread-axes/naive_transpose.cu", "copy_matrix_swapped", "in[row * width + col]"),
    "COA103-instead": Drawn("swapped-thread-axes/naive_transpose.cu", "copy_matrix", "in[row * width + col]"),
    "COA105-example": Drawn("misaligned-global-access/offsets.cu", "copy_from_one", "in[i + 1]"),
    "COA105-instead": Drawn("misaligned-global-access/offsets.cu", "copy_from_eight", "from[i]"),
    "COA106-example": Drawn("thread-contiguous-chunk/chunks.cu", "sum_chunks", "in[j]"),
    "COA106-instead": Drawn("thread-contiguous-chunk/chunks.cu", "sum_interleaved", "in[j * threads + id]"),
    "COA107-example": Drawn("narrow-block-rows/images.cu", "brighten_4x64", "in[row * width + col]"),
    "COA107-instead": Drawn("narrow-block-rows/images.cu", "brighten_32x8", "in[row * width + col]"),
    "COA108-example": Drawn("split-vector-copy/particles.cu", "copy_particles", "in[i]"),
    "COA108-instead": Drawn("split-vector-copy/particles.cu", "copy_aligned_particles", "in[i]"),
    "COA109-example": Drawn("contended-atomic/shared_totals.cu", "block_total", "atomicAdd(&total, value)"),
    "COA109-instead": Drawn("contended-atomic/shared_totals.cu", "block_total_of_warps", "atomicAdd(&total, value)"),
    "COA201-example": Drawn(
        "unpadded-tile-column/tiled_transpose.cu", "transpose_unpadded", "tile[threadIdx.x][threadIdx.y]"
    ),
    "COA201-instead": Drawn(
        "unpadded-tile-column/tiled_transpose.cu", "transpose_padded", "tile[threadIdx.x][threadIdx.y]"
    ),
    "COA202-example": Drawn(
        "shared-bank-conflict/reductions.cu", "reduce_interleaved", "s[index + step]", (("step", 2),)
    ),
    "COA202-instead": Drawn("shared-bank-conflict/reductions.cu", "reduce_sequential", "sdata[tid + s]", (("s", 2),)),
    "COA203-example": Drawn(
        "ineffective-padding/padded_tiles.cu", "two_rows_to_a_warp", "tile[threadIdx.x][threadIdx.y]"
    ),
    "COA203-instead": Drawn("ineffective-padding/padded_tiles.cu", "padded_by_one", "tile[threadIdx.x][threadIdx.y]"),
    "COA402-example": Drawn("misaligned-vector-access/views.cu", "overlapping", "*(const float4 *)(in + i)"),
    "COA402-instead": Drawn(
        "misaligned-vector-access/views.cu", "one_by_one", "reinterpret_cast<const float4 *>(in)[i]"
    ),
}


def spot(drawn: Drawn) -> Spot:
    """Where it stands, from the root of the repository."""
    name = f"fixtures/{drawn.file}"
    inside = False
    for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1):
        inside |= f" {drawn.kernel}(" in line
        code = line.partition("//")[0]
        if inside and drawn.text in code:
            return Spot(name, number, code.index(drawn.text) + 1)
    raise ValueError(f"{name} has no `{drawn.text}` in {drawn.kernel}")


def pictures() -> dict[str, str]:
    """Every picture by its file's name. The working directory is the repository's root while they are drawn."""
    before = os.getcwd()
    os.chdir(ROOT)
    try:
        return {f"{name}.svg": _picture(drawn) for name, drawn in DRAWN.items()}
    finally:
        os.chdir(before)


def _picture(drawn: Drawn) -> str:
    at = spot(drawn)
    request = Request(at, iteration=drawn.iteration)
    return showing_text(
        show(request, lambda given: inspect(RunRequest(files=[at.path], settings=SETTINGS, given=given)))
    )


def main() -> None:
    """Write the pictures, and remove those that are drawn no more."""
    FOLDER.mkdir(exist_ok=True)
    wanted = pictures()
    for old in FOLDER.glob("*.svg"):
        if old.name not in wanted:
            old.unlink()
    for name, text in wanted.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
