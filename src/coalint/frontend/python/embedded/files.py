"""The CUDA source in a Python file or in the cells of a notebook."""

from __future__ import annotations

import ast
import warnings
from dataclasses import replace

from coalint.frontend.python.cells import parse_cells
from coalint.frontend.python.embedded.finder import Finder
from coalint.frontend.python.embedded.sources import Gap, PythonFile
from coalint.frontend.python.embedded.string_literals import Text
from coalint.frontend.python.embedded.strings import TOO_DEEP
from coalint.frontend.python.embedded.takers import may_hold_cuda
from coalint.frontend.python.notebooks import Notebook


def python_file(data: bytes) -> PythonFile:
    """Return the CUDA source in a Python file."""
    text = data.decode("utf-8", errors="replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not may_hold_cuda(data):
        return PythonFile(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python does not know
            tree = ast.parse(text)
        return Finder(Text(text), tree).content()
    except SyntaxError as error:
        return PythonFile(text, error=(error.lineno or 1, error.msg))
    except ValueError as error:  # null bytes
        return PythonFile(text, error=(1, str(error)))
    except (RecursionError, MemoryError):
        return PythonFile(text, error=(1, TOO_DEEP))


def cells_with_cuda(notebook: Notebook) -> PythonFile:
    """Return the CUDA source in the Python of a notebook, with offsets in its JSON; `text` and `error` are left out."""
    if not may_hold_cuda(notebook.text.encode(errors="replace")):
        return PythonFile("")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cells = parse_cells(notebook.text)
        content = Finder(Text(cells.text), cells.tree).content()
    except (RecursionError, MemoryError):
        return PythonFile("", gaps=(Gap(f"the notebook was not analysed: {TOO_DEEP}", 0, 1),))
    gaps = tuple(
        Gap(gap.message, notebook.begins[gap.begin], notebook.ends[max(gap.begin, gap.end - 1)]) for gap in content.gaps
    )
    sources = (
        replace(
            source,
            parts=tuple(part.within(notebook.begins, notebook.ends) for part in source.parts),
            launches=tuple(
                replace(launch, begin=notebook.begins[launch.begin], end=notebook.ends[launch.end - 1])
                for launch in source.launches
            ),
        )
        for source in content.sources
    )
    return PythonFile("", tuple(sources), gaps)
