"""Takes apart names in exports: signatures of kernels, paths of source files."""

from __future__ import annotations

import re
from pathlib import PurePosixPath, PureWindowsPath

_CAST = re.compile(r"\((?:unsigned |signed )?(?:bool|char|short|int|long|long long|unsigned)\)(?=-?\d)")


def base_name(kernel: str) -> str:
    """Return the kernel's own name in a signature: `scale` in `void ns::scale<(int)8>(float *, T1)`."""
    return split_signature(kernel)[0]


def split_signature(kernel: str) -> tuple[str, tuple[str, ...]]:
    """Return the name, without namespaces, and the template arguments of a signature: `("scale", ("8",))`.

    The name begins after the last space or `::` outside of all brackets, and ends at the first bracket after it.
    """
    depth, begin, end, argument_begin = 0, 0, len(kernel), len(kernel)
    text = kernel.replace("(anonymous namespace)::", "").replace("<unnamed>::", "")
    arguments: list[str] = []
    for index, letter in enumerate(text):
        if letter in "<([{":
            if depth == 0 and letter == "(" and index > begin:
                end = min(end, index)
                break
            if depth == 0 and letter == "<":
                end, argument_begin = index, index + 1
            elif depth == 0 and letter == "[" and index > begin:
                end = min(end, index)  # a tag of the ABI, as Numba's names have them
            depth += 1
        elif letter in ">)]}":
            depth -= 1
            if depth == 0 and letter == ">":
                arguments.append(text[argument_begin:index])
        elif depth == 1 and letter == "," and argument_begin <= index:
            arguments.append(text[argument_begin:index])
            argument_begin = index + 1
        elif depth == 0 and (letter == " " or text[index - 1 : index + 1] == "::"):
            begin, end, arguments = index + 1, len(text), []
    return text[begin:end], tuple(_CAST.sub("", argument).strip() for argument in arguments)


def file_name(path: str) -> str:
    """Return the last component of a POSIX or Windows path: exports come from other machines."""
    return PureWindowsPath(path).name if "\\" in path else PurePosixPath(path).name
