"""The front end of Numba's kernels in Python files. What it needs is imported when the first file is loaded."""

from __future__ import annotations

from pathlib import Path

from coalint.core.source.overlay import text_of
from coalint.frontend.interface import FrontEnd, FrontendError, Loaded, LoadRequest, ParseExplanation, ParserMessage
from coalint.frontend.python.numba import marks
from coalint.frontend.python.numba.spelling import NUMBA


class NumbaFrontEnd(FrontEnd):
    """Python files with functions under `@cuda.jit`."""

    marked_suffixes = (".py",)
    suffixes = ()
    spelling = NUMBA

    def load(self, request: LoadRequest) -> Loaded:
        """Parse and lower one file."""
        from coalint.frontend.python.numba.load import load

        return Loaded(module=load(request.path, _text(request.path)), opened=(request.path,))

    def explain(self, request: LoadRequest) -> ParseExplanation:
        """Return what Python's parser says, and the module."""
        module = self.load(request).module
        messages = tuple(ParserMessage(problem.message, problem.span) for problem in module.problems)
        return ParseExplanation(messages=messages, module=module)

    def prepare(self) -> None:
        """Import the lowering."""
        import coalint.frontend.python.numba.load  # noqa: F401

    def may_hold_kernels(self, text: str) -> bool:
        """Whether a text names a module and a decorator that make kernels of functions."""
        return marks.may_hold_kernels(text.encode(errors="replace"))


def _text(path: str) -> str:
    changed = text_of(path)
    if changed is None:
        try:
            changed = Path(path).read_bytes().decode("utf-8", errors="replace")
        except OSError as error:
            reason = error.strerror or str(error)
            raise FrontendError(
                f"{path}: cannot be read: {reason}", "check that it exists and that you may read it"
            ) from None
    return changed.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
