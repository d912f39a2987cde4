"""Where reports go: to stdout and to files, each in its own format."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

FORMATS = ("full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "rdjson", "junit", "markdown", "html")
PICTURES = ("text", "json", "svg")
"""The formats of `show`."""
COUNTED = ("full", "concise", "json")
"""The formats in which --statistics can be had."""
WITH_MODELS = ("html",)
"""The formats that show every access and compute it anew."""
VARIABLE = "COALINT_OUTPUT_FORMAT"


class OutputError(Exception):
    """A report cannot be written where it was to go; the text says why and what to do."""


@dataclass(frozen=True)
class Output:
    """One report: its format, and its file; without one it goes to stdout."""

    format: str
    file: str | None = None


def outputs(output_format: str, values: Sequence[str]) -> tuple[Output, ...]:
    """What `--output-format` and the values of `-o` ask for: `FORMAT=FILE` beside stdout, `FILE` in its place."""
    stdout = [Output(output_format)]
    files: list[Output] = []
    for value in values:
        named, equals, file = value.partition("=")
        if equals and named in FORMATS:
            files.append(Output(named, file))
        else:
            stdout = []
            files.append(Output(output_format, value))
    return (*stdout, *(Output(o.format) if o.file == "-" else o for o in files))


def pictures(output_format: str, files: Sequence[str]) -> tuple[Output, ...]:
    """Where the pictures of `show` go: to stdout, or to files, in the format of a file's suffix where none is named."""

    def chosen(file: str) -> str:
        suffix = os.path.splitext(file)[1].removeprefix(".")
        return output_format or (suffix if suffix in PICTURES else PICTURES[0])

    if not files:
        return (Output(output_format or PICTURES[0]),)
    return tuple(Output(chosen(file), None if file == "-" else file) for file in files)


def format_in_environment(environment: Mapping[str, str] = os.environ) -> str | None:
    """The format that the environment asks for, if any; OutputError where there is none of that name."""
    named = environment.get(VARIABLE) or None
    if named is not None and named not in FORMATS:
        raise OutputError(f"{VARIABLE}: `{named}` is none of its values: one of {', '.join(FORMATS)}")
    return named


def check(outputs: Sequence[Output], statistics: bool = False) -> None:
    """Refuse what cannot be written, before any work is done; OutputError."""
    taken: set[str] = set()
    for output in outputs:
        if statistics and output.format not in COUNTED:
            raise OutputError(f"--statistics has no format `{output.format}`: one of {', '.join(COUNTED)}")
        if output.file is None:
            continue
        file, real = output.file, os.path.realpath(output.file)
        folder = os.path.dirname(real)
        if not file:
            raise OutputError(f"-o {output.format}=: no file is named; write `-o {output.format}=FILE`")
        if os.path.isdir(real):
            raise OutputError(f"-o: {file} is a folder; name a file in it")
        if not os.path.isdir(folder):
            raise OutputError(f"-o: {file} cannot be written: there is no folder {folder}; create it first")
        if real in taken and _replaceable(real):
            raise OutputError(f"-o: {file} is named twice; give each report a file of its own")
        taken.add(real)


def write(text: str, file: str) -> None:
    """Write a report in one step: whoever reads the file sees the old one or the new one, whole. OutputError."""
    data = text.encode(errors="replace")
    real = os.path.realpath(file)
    try:
        if not _replaceable(real):
            with open(real, "wb") as stream:
                stream.write(data)
            return
        handle, temporary = tempfile.mkstemp(dir=os.path.dirname(real), prefix=".coalint-", suffix=".tmp")
        try:
            with open(handle, "wb") as stream:
                stream.write(data)
            os.chmod(temporary, _mode(real))
            os.replace(temporary, real)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise OutputError(f"-o: {file} cannot be written: {error.strerror or error}") from error


def _replaceable(path: str) -> bool:
    """Whether a path is a file or free; a pipe or device is written to as it is."""
    return not os.path.exists(path) or os.path.isfile(path)


def _mode(path: str) -> int:
    """The permissions of the file that is replaced, else what a new file would get."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
