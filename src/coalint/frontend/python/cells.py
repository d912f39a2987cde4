"""Parses the code of a notebook cell by cell: magics and shell lines are no Python, and a bad cell costs itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from coalint.core.records import record
from coalint.frontend.python.notebooks import SEPARATOR

_STATEMENTS = frozenset({"time", "timeit", "prun", "memit", "mprun", "lprun"})
"""Magics that run the Python after them."""
_OVER_PYTHON = _STATEMENTS | {"capture", "debug", "snakeviz", "scalene", "heat", "pyinstrument", "notify", "wandb"}
"""Magics for whole cells of Python. What other cells hold is no Python for the notebook's own process."""
_FLAGS = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
_LINE = re.compile(r"(?P<indent>[ \t]*)(?:(?P<command>[%!?].*)|(?P<help>[\w.*]+\?{1,2})[ \t]*$)")
_ASSIGNED = re.compile(r"(?P<target>[ \t]*[\w., \t\[\]()'\"]+=[ \t]*)(?P<command>(?:%(?=[a-zA-Z])|!).*)")
_MEASURED = re.compile(r"%(?P<name>\w+)(?:[ \t]+-\w(?:[ \t]*\d+)?(?=[ \t]|$))*[ \t]*")
_TOKEN = re.compile(
    r"""(?P<string>\"""|'''|"(?:[^"\\\n]|\\.)*+(?:"|$)|'(?:[^'\\\n]|\\.)*+(?:'|$))"""
    r"|(?P<comment>\#.*)|(?P<open>[(\[{])|(?P<close>[)\]}])",
    re.DOTALL,
)


@record(frozen=True, slots=True)
class CellError:
    """A cell that could not be parsed: the line in the text of all cells, and why."""

    line: int
    reason: str


@record(frozen=True, slots=True)
class ParsedCells:
    """All cells as one module. `text` is what was parsed, with blanks in place of what is no Python."""

    tree: ast.Module
    text: str
    errors: tuple[CellError, ...]


def parse_cells(text: str) -> ParsedCells:
    """Parse the text of a notebook; each character keeps its place. Raises RecursionError and MemoryError."""
    statements: list[ast.stmt] = []
    errors: list[CellError] = []
    texts: list[str] = []
    line = 1
    for cell in text.split(SEPARATOR):
        python = without_magics(cell)
        try:
            tree = compile(python, "<cell>", "exec", _FLAGS, dont_inherit=True)
            assert isinstance(tree, ast.Module)
            ast.increment_lineno(tree, line - 1)
            statements += tree.body
        except SyntaxError as error:
            errors.append(CellError(line - 1 + (error.lineno or 1), error.msg))
            python = re.sub(r"[^\n]", " ", python)
        except ValueError as error:  # null bytes
            errors.append(CellError(line, str(error)))
            python = re.sub(r"[^\n]", " ", python)
        texts.append(python)
        line += cell.count("\n")
    return ParsedCells(ast.Module(body=statements, type_ignores=[]), SEPARATOR.join(texts), tuple(errors))


def without_magics(cell: str) -> str:
    """Return the text of a cell with blanks in place of what is no Python, of the same length."""
    magic = _CELL_MAGIC.match(cell)
    if magic is not None and magic[1] not in _OVER_PYTHON:
        return re.sub(r"[^\n]", " ", cell)
    if not any(sign in cell for sign in "%!?"):
        return cell
    return "".join(_lines(cell))


def _lines(cell: str) -> Iterator[str]:
    state, continues = _State(), False
    for written in cell.splitlines(keepends=True):
        end = "\n" if written.endswith("\n") else ""
        line = written.removesuffix("\n")
        if continues:  # a shell line that a backslash continues
            continues = line.rstrip().endswith("\\")
            yield " " * len(line) + end
            continue
        if state.is_at_statement:
            python = _python(line)
            if python != line:
                continues = line.rstrip().endswith("\\")
                line = python
        state.read(line)
        yield line + end


def _python(line: str) -> str:
    """Return a line at which a statement may begin, with blanks in place of what is no Python."""
    match = _LINE.match(line)
    if match is not None and match["command"] is not None and not match["command"].startswith("%%"):
        measured = _MEASURED.match(match["command"])
        if measured is not None and measured["name"] in _STATEMENTS:
            rest = match["command"][measured.end() :]
            if _is_python(rest):
                return (match["indent"] + "0;").ljust(len(line) - len(rest)) + rest
    if match is not None:
        return _at(match["indent"] + "0", len(line))
    assigned = _ASSIGNED.fullmatch(line)
    if assigned is not None and _is_python(assigned["target"].strip() + " 0"):
        return _at(assigned["target"] + "_", len(line))
    return line


def _at(text: str, length: int) -> str:
    return text.ljust(length)[:length]


def _is_python(text: str) -> bool:
    try:
        compile(text.strip(), "<line>", "exec", _FLAGS, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return bool(text.strip())


class _State:
    """Whether brackets or a string of several lines are open where a line ends."""

    def __init__(self) -> None:
        self.depth = 0
        self.quote = ""
        self.is_continued = False

    @property
    def is_at_statement(self) -> bool:
        return not (self.depth or self.quote or self.is_continued)

    def read(self, line: str) -> None:
        position = 0
        while position < len(line):
            if self.quote:
                position = self._closed(line, position)
                continue
            match = _TOKEN.search(line, position)
            if match is None:
                break
            position = match.end()
            if match["string"] in ('"""', "'''"):
                self.quote = match["string"]
            elif match["open"]:
                self.depth += 1
            elif match["close"]:
                self.depth = max(0, self.depth - 1)
            elif match["comment"]:
                break
        self.is_continued = not self.quote and line.rstrip().endswith("\\")

    def _closed(self, line: str, position: int) -> int:
        """Return where the string ends that is open; the end of the line where it does not."""
        while position < len(line):
            if line[position] == "\\":
                position += 2
            elif line.startswith(self.quote, position):
                position += len(self.quote)
                self.quote = ""
                return position
            else:
                position += 1
        return len(line)
