"""The GPU that a source is compiled for, as nvcc's options name it and as its macros tell the source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_BASE = "800"
"""The architecture that the front end's own arguments define."""


def macros(devices: Sequence[str], arch: str | None, default: str) -> Iterator[str]:
    """Yield what nvcc defines of the GPU, as flags; the arguments are those of `code`."""
    if arch is None and not devices:
        return
    named = code(devices, arch, default)
    number = f"{number_of(named)[0]}0"
    if number != _BASE:
        yield from ("-U__CUDA_ARCH__", f"-D__CUDA_ARCH__={number}")
    if named.endswith("a"):
        yield f"-D__CUDA_ARCH_FEAT_SM{number[:-1]}_ALL"
        yield f"-D__CUDA_ARCH_SPECIFIC__={number}"
    if named.endswith(("a", "f")):
        yield f"-D__CUDA_ARCH_FAMILY_SPECIFIC__={number}"
    if devices:
        yield f"-D__CUDA_ARCH_LIST__={','.join(sorted({f'{number_of(d)[0]}0' for d in devices}, key=int))}"


def code(devices: Sequence[str], arch: str | None, default: str) -> str:
    """Return which of the GPUs that a command names is meant.

    For `arch` the newest whose code runs there, else `arch` itself; without it the default if it is named, so that
    results do not change with a list that only grows, else the newest.
    """
    if arch is not None:
        return max((d for d in devices if number_of(d) <= number_of(arch)), key=number_of, default=arch)
    return default if default in devices else max(devices, key=number_of)


def number_of(device: str) -> tuple[int, bool]:
    """Return `sm_90a` as (90, True)."""
    return int("".join(filter(str.isdigit, device)) or 0), device[-1:] in "af"
