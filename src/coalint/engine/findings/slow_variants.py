"""Kernels that are slow on purpose, beside others that do the same faster, or run once: what they cost is no warning.

Their names, or those of their files, say so: `transposeNaive` beside `transposeCoalesced`, and `sum_v0` to `sum_v3`.
What is called `reference_gemm` computes what others are compared with; a kernel called `warmup` only warms the device
up, and one called `init_centers` or `repack_weights` runs once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from coalint.core.findings import Note
from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.frontend.registry import front_ends

_SLOW = frozenset({"naive", "unoptimized", "unoptimised"})
_SLOW_AT_THE_END = frozenset({"base", "basic", "baseline", "reference", "slow"})
_WARMS_UP = frozenset({"warmup", "warmingup"})
_COMPARED = frozenset({"reference", "golden"})
_DATA = frozenset("frame image point points pose count counts state states".split())
"""What a reference is where it is no kernel."""
_SETS_UP = frozenset("init initialize initialise initialization setup repack prepack".split())
_EMPTY = frozenset({"kernel", "kernels", "gpu", "cuda", "cu", "global", "device"})
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VERSION = re.compile(r"(.+?)_?[vV](\d+)")
_LEAST_VERSIONS = 3
_MOST_MORE = 3  # words by which a name that says the same is longer


def without_slow_variants(result: FileResult) -> FileResult:
    """Return the result of a file, with warnings of what such kernels cost as infos."""
    if not any(item.finding.is_of_cost for one in result.checked for item in one.findings):
        return result
    names = {name for name, _ in result.kernels}
    return replace(result, checked=tuple(_judged(one, names) for one in result.checked))


def _judged(checked: CheckedKernel, names: Iterable[str]) -> CheckedKernel:
    if not any(item.finding.is_of_cost for item in checked.findings):
        return checked
    other = next(_faster(checked.kernel, names), None)
    if _warms_up(checked.kernel):
        note = Note("by its name the kernel only warms the device up: what it costs matters little")
    elif _is_compared(checked.kernel):
        note = Note("by its name the kernel is a reference that others are compared with: what it costs matters little")
    elif not _SETS_UP.isdisjoint(_words(checked.kernel)):
        note = Note("by its name the kernel sets something up: what it costs matters little where it runs once")
    elif other is not None:
        note = Note(f"by its name the kernel is the plain variant beside `{other}`: what it costs matters little")
    else:
        file = next(_faster_files(checked.span.file), None)
        if file is None:
            return checked
        note = Note(f"by its name the file holds the plain variant beside {file}: what it costs matters little")
    items = (item.as_info(note) if item.finding.is_of_cost else item for item in checked.findings)
    return replace(checked, findings=tuple(items))


def _faster(name: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the names of variants that are no plain ones where a name says that it is one."""
    others = sorted(set(names) - {name})
    stem = _stem(name)
    if stem:
        yield from (other for other in others if not _is_plain(other) and _has_stem(other, stem))
    version = _VERSION.fullmatch(name)
    if version is not None:
        series = {int(m[2]): m[0] for m in map(_VERSION.fullmatch, (name, *others)) if m and m[1] == version[1]}
        if len(series) >= _LEAST_VERSIONS and int(version[2]) < max(series):
            yield series[max(series)]


def _faster_files(path: str) -> Iterator[str]:
    """Yield the names of files beside one that hold other variants, where its name says that it holds a plain one."""
    folder, file = os.path.split(os.path.realpath(path))
    stem = _stem(os.path.splitext(file)[0])
    if stem:
        for other in _sources(folder):
            name = os.path.splitext(other)[0]
            if other != file and not _is_plain(name) and _has_stem(name, stem):
                yield other


@lru_cache(maxsize=64)
def _sources(folder: str) -> tuple[str, ...]:
    suffixes = tuple(s for front_end in front_ends() for s in (*front_end.suffixes, *front_end.header_suffixes))
    try:
        return tuple(sorted(name for name in os.listdir(folder) if name.endswith(suffixes)))
    except OSError:
        return ()


def _words(name: str) -> tuple[str, ...]:
    return tuple(word for word in (found.lower() for found in _WORD.findall(name)) if word not in _EMPTY)


def _is_plain(name: str) -> bool:
    words = _words(name)
    return any(word in _SLOW for word in words) or (bool(words) and words[-1] in _SLOW_AT_THE_END)


def _warms_up(name: str) -> bool:
    return "".join(word for word in _words(name) if not word.isdigit()) in _WARMS_UP


def _is_compared(name: str) -> bool:
    words = _words(name)
    return bool(words) and words[0] in _COMPARED and _DATA.isdisjoint(words[1:2])


def _stem(name: str) -> tuple[str, ...]:
    """Return what the name of a plain variant says beside that; nothing for any other name."""
    words = _words(name)
    if not _is_plain(name):
        return ()
    return tuple(word for word in words if word not in _SLOW | _SLOW_AT_THE_END and not word.isdigit())


def _has_stem(name: str, stem: tuple[str, ...]) -> bool:
    """Whether a name has the words of a stem, in their order, and a few more or none."""
    words = iter(_words(name))
    return all(word in words for word in stem) and len(_words(name)) <= len(stem) + _MOST_MORE
