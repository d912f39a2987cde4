"""Converts the texts of options to values; a wrong text raises ArgumentTypeError with a message for the user."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from difflib import get_close_matches

from coalint.core.findings import Severity


def one_of(*words: str) -> Callable[[str], str]:
    """Return a converter that accepts these words; its attribute `words` lists them for shell completion."""

    def convert(text: str) -> str:
        if text in words:
            return text
        near = get_close_matches(text.lower(), words, 1, 0.5)
        hint = f"did you mean `{near[0]}`?" if near else f"one of {', '.join(words)}"
        raise argparse.ArgumentTypeError(f"`{text}` is not a valid value: {hint}")

    convert.words = words  # type: ignore[attr-defined]  # for completion
    return convert


def severity(text: str) -> Severity:
    """Return the severity with this label."""
    return Severity[one_of(*severity.words)(text).upper()]  # type: ignore[attr-defined]


severity.words = [severity.label for severity in Severity]  # type: ignore[attr-defined]


def count(text: str) -> int:
    """Return a number of processes; 0 for one per core."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of processes; 0 means one per core")
    return int(text)


def number_of_findings(text: str) -> int:
    """Return a number of findings; 0 for all."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of findings; 0 means all")
    return int(text)


def toolkit(text: str) -> str:
    """Return the absolute path of a folder of headers, or `auto` or `none`."""
    if text in ("", "auto", "none"):
        return text
    if not os.path.isdir(text):
        raise argparse.ArgumentTypeError(
            f"`{text}` is no folder; give a CUDA toolkit or a folder of headers, or `none`"
        )
    return os.path.abspath(text)


def seconds(text: str) -> float:
    """Return a number of seconds; 0 for no limit."""
    if not re.fullmatch(r"\d+(\.\d+)?", text):
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds; 0 means no limit")
    return float(text)


def megabytes(text: str) -> int:
    """Return a number of megabytes; 0 for no limit."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number of megabytes; 0 means no limit")
    return int(text)


def warp(text: str) -> int:
    """Return the number of a warp, from 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"`{text}` is not a warp number; warps are counted from 0")
    return int(text)


def equation(text: str) -> tuple[str, int]:
    """Return the name and the number in `pitch=100`."""
    name, equals, number = (part.strip() for part in text.partition("="))
    if not equals or not name or not re.fullmatch(r"-?(\d+|0x[0-9a-fA-F]+)", number):
        raise argparse.ArgumentTypeError(f"`{text}` is not NAME=NUMBER, such as pitch=100")
    return name, int(number, 16 if "x" in number else 10)


def block_shape(text: str) -> tuple[int, int, int]:
    """Return the threads of a block in x, y and z, given as `32,8` or `32x8`."""
    parts = re.split(r"[,x]", text)
    if len(parts) > 3 or not all(part.isdecimal() and int(part) for part in parts):
        raise argparse.ArgumentTypeError(f"`{text}` is not a block shape such as 32,8")
    x, y, z = (*map(int, parts), *[1] * (3 - len(parts)))
    if x * y * z > 1024:
        raise argparse.ArgumentTypeError(f"`{text}`: a block has 1024 threads at most, not {x * y * z}")
    return x, y, z


def lane_list(text: str) -> tuple[int, ...]:
    """Return the lanes in `0-7,16`, or all 32 for `all`."""
    if text == "all":
        return tuple(range(32))
    lanes: dict[int, None] = {}
    for part in text.split(","):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", part.strip())
        if match is None or int(match[2] or match[1]) > 31 or int(match[2] or match[1]) < int(match[1]):
            raise argparse.ArgumentTypeError(
                f"`{text}` is neither a list of lanes from 0 to 31, such as 0-7,16, nor `all`"
            )
        lanes |= dict.fromkeys(range(int(match[1]), int(match[2] or match[1]) + 1))
    return tuple(lanes)
