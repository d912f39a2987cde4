"""The front end of Numba's kernels in Python files. What it needs is imported when the first file is loaded."""

from __future__ import annotations

from collections.abc import Collection

from coalint.frontend.cuda.source_text import read_source
from coalint.frontend.interface import FrontEnd, Loaded, LoadRequest, ParseExplanation, ParserMessage
from coalint.frontend.python.notebooks import SUFFIX
from coalint.frontend.python.numba import marks
from coalint.frontend.python.numba.spelling import NUMBA


class NumbaFrontEnd(FrontEnd):
    """Python files and notebooks with functions under `@cuda.jit`.

    Of a notebook, the engine hands over the code as a file below its name: see `coalint.frontend.python.notebooks`.
    """

    marked_suffixes = (".py", SUFFIX)
    suffixes = ()
    spelling = NUMBA

    def load(self, request: LoadRequest) -> Loaded:
        """Parse and lower one file."""
        from coalint.frontend.python.numba.load import load

        return load(request.path, _text(request.path))

    def explain(self, request: LoadRequest) -> ParseExplanation:
        """Return what Python's parser says, and the module."""
        module = self.load(request).module
        messages = tuple(ParserMessage(problem.message, problem.span) for problem in module.problems)
        return ParseExplanation(messages=messages, module=module)

    def prepare(self, arguments: Collection[tuple[str, ...]], headers: str | None) -> None:
        """Import the lowering."""
        import coalint.frontend.python.numba.load  # noqa: F401

    def may_hold_kernels(self, text: str) -> bool:
        """Whether a text names a module and a decorator that make kernels of functions."""
        return marks.may_hold_kernels(text.encode(errors="replace"))


def _text(path: str) -> str:
    return read_source(path).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
