"""Where reports are written: stdout and files, each in its own format."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from coalint.core.records import record
from coalint.core.source.writing import is_replaceable, replace_file

FORMATS = ("full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "rdjson", "junit", "markdown", "html")
PICTURES = ("text", "json", "svg")
"""The formats of `show`."""
PROFILES = ("text", "json", "html")
"""The formats of `profile`."""
COUNTED = ("full", "concise", "json")
"""The formats that --statistics has."""
SUFFIXES = {
    ".html": ("html",),
    ".htm": ("html",),
    ".sarif": ("sarif",),
    ".json": ("json", "sarif", "gitlab", "rdjson"),
    ".jsonl": ("jsonl",),
    ".ndjson": ("jsonl",),
    ".md": ("markdown",),
    ".xml": ("junit",),
}
"""The formats that files of a suffix hold, the usual one first."""
WITH_MODELS = ("html",)
"""The formats that draw every access, and need models to recompute them."""
WITH_FORMULAS = ("json", "jsonl")
"""The formats that write formulas of what findings weigh; so does text with every detail."""
VARIABLE = "COALINT_OUTPUT_FORMAT"


class OutputError(Exception):
    """A report cannot be written; the text says why and what to do."""


@record(frozen=True)
class Output:
    """One report.

    Attributes:
        format: One of FORMATS or PICTURES.
        file: The file to write; None for stdout.
    """

    format: str
    file: str | None = None


def outputs(output_format: str, values: Sequence[str], *, is_named: bool = True) -> tuple[Output, ...]:
    """Return the reports for a format and the values of -o.

    `FORMAT=FILE` adds a report; `FILE` replaces the one on stdout. Where the format `is_named`
    by no option, the suffix of the file decides: `report.html`.
    """
    stdout = [Output(output_format)]
    files: list[Output] = []
    for value in values:
        named, equals, file = value.partition("=")
        if equals and named in FORMATS:
            files.append(Output(named, file))
        else:
            stdout = []
            files.append(Output(output_format if is_named else format_for(value, output_format), value))
    return (*stdout, *(Output(o.format) if o.file == "-" else o for o in files))


def format_for(file: str, otherwise: str) -> str:
    """Return the format that the suffix of a file names; `otherwise` where it fits, too, or there is no such suffix."""
    fitting = SUFFIXES.get(os.path.splitext(file)[1].lower(), ())
    return fitting[0] if fitting and otherwise not in fitting else otherwise


def by_suffix(output_format: str, files: Sequence[str], formats: Sequence[str]) -> tuple[Output, ...]:
    """Return where `show` and `profile` write, which have these `formats`: stdout or files.

    Without a named format the suffix of a file decides.
    """

    def chosen(file: str) -> str:
        suffix = os.path.splitext(file)[1].removeprefix(".")
        return output_format or (suffix if suffix in formats else formats[0])

    if not files:
        return (Output(output_format or formats[0]),)
    return tuple(Output(chosen(file), None if file == "-" else file) for file in files)


def format_in_environment(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the format that the environment names, or None. Raises OutputError for an unknown one."""
    named = environment.get(VARIABLE) or None
    if named is not None and named not in FORMATS:
        raise OutputError(f"{VARIABLE}: `{named}` is not a valid value: one of {', '.join(FORMATS)}")
    return named


def check(outputs: Sequence[Output], statistics: bool = False) -> None:
    """Raise OutputError for reports that cannot be written, before any work is done."""
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
        if real in taken and is_replaceable(real):
            raise OutputError(f"-o: {file} is named twice; give each report a file of its own")
        taken.add(real)


def write(text: str, file: str) -> None:
    """Write a report atomically: readers see the old file or the new one. Raises OutputError."""
    try:
        replace_file(file, text.encode(errors="replace"))
    except OSError as error:
        raise OutputError(f"-o: {file} cannot be written: {error.strerror or error}") from error
