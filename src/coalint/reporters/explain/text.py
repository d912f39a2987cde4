"""Prints how files are compiled, for people: a block per file, a section per question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.text import Text

from coalint.engine.units.compilation import Compilation, Why
from coalint.engine.units.display_names import Names
from coalint.engine.units.explanation import Explanation, Explanations, shown
from coalint.frontend.cuda.build.compiler_options import Drop
from coalint.reporters.shared.console import wrap

LABEL = 11
MOST_ERRORS = 12


def print_explanations(explained: Explanations, console: Console) -> None:
    """Print every file."""
    for number, item in enumerate(explained.files):
        if number:
            console.print()
        console.print(Text(item.compilation.path, "coalint.title"))
        for label, lines in _sections(item, explained.names, console.width - LABEL - 2):
            for index, line in enumerate(lines):
                text = Text("  ")
                text.append(f"{'' if index else label:<{LABEL}}", "coalint.place")
                text.append(line)
                console.print(text)


def _sections(item: Explanation, names: Names, width: int) -> Iterator[tuple[str, list[str]]]:
    compilation = item.compilation
    yield "command", [line for text in _command(compilation) for line in _wrap(text, width)]
    if compilation.translation is not None and compilation.translation.architectures:
        listed = ", ".join(compilation.translation.architectures)
        counted = compilation.architecture
        yield "GPUs", _wrap(listed + (f"; counted for {counted}" if counted else "; --arch decides"), width)
    flags = _arguments(compilation)
    yield "arguments", [line for flag in flags for line in _wrap(flag, width)] or ["none"]
    dropped = list(_dropped(compilation, width))
    if dropped:
        yield "dropped", dropped
    located = [line for text in _located(compilation, names) for line in _wrap(text, width)]
    if located:
        yield "headers", located
    if item.failure is not None:
        yield "libclang", _wrap(item.failure.message, width)
        return
    yield "libclang", [line for text in _clang_messages(item, names) for line in _wrap(text, width)]
    if item.supposed:
        options = " ".join(f"-D{macro}" for macro in item.supposed)
        yield "supposed", _wrap(f"{options}: declares what the file would lack; -U keeps it undefined", width)
    if item.installed:
        read = ", ".join(f"{header.name} ({header.folder})" for header in item.installed)
        yield "installed", _wrap(f"{read}: coalint's own headers lack them; --toolkit none leaves them out", width)
    if item.undeclared:
        yield "undeclared", _wrap(", ".join(item.undeclared), width)
    yield "kernels", _wrap(", ".join(dict.fromkeys(_kernels(item))) or "none", width)


def _wrap(text: str, width: int) -> list[str]:
    return wrap(text, width, "", "  ")


def _command(compilation: Compilation) -> Iterator[str]:
    entry, translation = compilation.entry, compilation.translation
    if entry is None or translation is None:
        yield "none: no compile_commands.json has one for this file (-p names one)"
        if compilation.build_files:
            yield f"{compilation.why.value}: {', '.join(map(shown, compilation.build_files))}"
        return
    of = f", the first of {compilation.entries} for this file" if compilation.entries > 1 else ""
    yield f"{shown(entry.database)}, entry {entry.index}{of}"
    if compilation.why is not Why.EXACT:
        yield f"{compilation.why.value}: {shown(entry.file)}"
    yield f"in {shown(entry.directory)}, by {translation.compiler}"
    if not translation.device:
        yield "it does not compile for a GPU"


def _arguments(compilation: Compilation) -> list[str]:
    """Return one line per argument, with its value."""
    lines: list[str] = []
    valued = False
    for flag in compilation.flags:
        if valued:
            lines[-1] = _shortened(f"{lines[-1]} {flag}")
            valued = False
        else:
            lines.append(f"-I {shown(flag[2:])}" if flag.startswith("-I") else flag)
            valued = flag in ("-isystem", "-iquote", "-idirafter", "-include", "-imacros")
    return lines


def _dropped(compilation: Compilation, width: int) -> Iterator[str]:
    """Yield the arguments that are not passed on, grouped by reason."""
    groups: dict[str, list[str]] = {}
    for dropped in compilation.dropped:
        reason = dropped.reason if dropped.drop is not Drop.INPUT else "is another input file"
        groups.setdefault(reason, []).append(_shortened(dropped.argument))
    for reason, arguments in groups.items():
        yield from _wrap("; ".join(dict.fromkeys(arguments)), width)
        yield from wrap(reason, width, "    ", "    ")


def _shortened(argument: str) -> str:
    """Return an option with its path relative to the working directory where it lies below that."""
    option, space, value = argument.partition(" ")
    return f"{option} {shown(value)}" if space and value.startswith("/") else argument


def _located(compilation: Compilation, names: Names) -> Iterator[str]:
    """Yield the includes that were looked for in the repository, and what was found."""
    for located in compilation.includes.located:
        place = f"{names.file(located.includer)}:{located.include.line}"
        include = f"<{located.include.name}>" if located.include.angled else f'"{located.include.name}"'
        if located.folder is not None:
            others = len(located.files) - 1
            nearest = f", the nearest of {others + 1}" if others else ""
            yield f"{include} of {place}: found in {shown(located.folder)}{nearest}"
        elif located.files:
            files = ", ".join(map(shown, located.files[:4])) + (" and others" if len(located.files) > 4 else "")
            yield f"{include} of {place}: ambiguous between {files}"


def _clang_messages(item: Explanation, names: Names) -> Iterator[str]:
    missing = [error for error in item.errors if error.include is not None]
    errors = [error for error in item.errors if error.include is None]
    yield f"{_count(len(errors), 'error')}, {_count(len(missing), 'include')} not found"
    groups: dict[str, list[str]] = {}
    for error in (*missing, *errors):
        place = f"{names.file(error.span.file)}:{error.span.line}:{error.span.column}"
        groups.setdefault(error.message, []).append(place)
    for message, places in list(groups.items())[:MOST_ERRORS]:
        times = f" (and {len(places) - 1} more like it)" if len(places) > 1 else ""
        yield f"{places[0]}: {message}{times}"
    if len(groups) > MOST_ERRORS:
        yield f"{len(groups) - MOST_ERRORS} more are listed by --output-format json"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _kernels(item: Explanation) -> Iterable[str]:
    for kernel in item.kernels:
        arguments = ", ".join(kernel.template_arguments)
        place = str(kernel.line) if kernel.file == item.compilation.path else f"{kernel.file}:{kernel.line}"
        yield f"{kernel.name}{f'<{arguments}>' if arguments else ''} ({place})"
