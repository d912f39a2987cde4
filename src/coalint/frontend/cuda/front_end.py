"""The front end of CUDA C++ and HIP. What libclang needs is imported when the first file is loaded."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from coalint.core.source.spans import Span
from coalint.frontend.cuda.build import kernel_marks
from coalint.frontend.cuda.build.include_folders import INCLUDE
from coalint.frontend.cuda.spelling import CUDA
from coalint.frontend.interface import FrontEnd, Loaded, LoadRequest, ParseExplanation

MOST_PREPARED = 4
"""Sets of flags whose precompiled header is looked for before workers are forked."""


class CudaFrontEnd(FrontEnd):
    """CUDA C++, parsed by libclang with bundled headers."""

    suffixes = (".cu", ".cuh")
    spelling = CUDA
    header_suffixes = (".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".tpp", ".impl")
    included_suffixes = (".cuh",)
    takes_flags = True
    bundled = os.path.join(INCLUDE, "")

    def load(self, request: LoadRequest) -> Loaded:
        """Parse and lower one file, and note the files that libclang opened."""
        from coalint.frontend.cuda.libclang.opened_files import recorded
        from coalint.frontend.cuda.load import requested

        with recorded() as opened:
            module = requested(request)
        return Loaded(
            module=module,
            opened=tuple(opened.names),
            missing=frozenset(opened.missing),
            sought=tuple(opened.sought),
        )

    def explain(self, request: LoadRequest) -> ParseExplanation:
        """Return libclang's errors and the module."""
        from coalint.frontend.cuda.explanation import explain

        return explain(request)

    def command_line(self, arguments: Sequence[str]) -> tuple[str, ...]:
        """Return libclang's whole command line, without precompiled headers."""
        from coalint.frontend.cuda.libclang.parse import arguments as command_line

        return tuple(command_line(arguments))

    def prepare(self, arguments: Collection[tuple[str, ...]], headers: str | None) -> None:
        """Load libclang, and look for the precompiled headers of most files."""
        import coalint.frontend.cuda.load  # noqa: F401
        from coalint.frontend.cuda.libclang.bindings import library
        from coalint.frontend.cuda.libclang.precompiled import find

        library()
        if headers is not None:
            for flags, _ in Counter(arguments).most_common(MOST_PREPARED):
                find(flags, headers)

    def may_hold_kernels(self, text: str) -> bool:
        """Whether a text names what marks a kernel or a launch, or a macro that may stand for it."""
        return kernel_marks.may_hold_kernels(text)

    def computes_with(self, macro: str, texts: Iterable[str]) -> bool:
        """Whether a macro stands in sources beside their conditions."""
        from coalint.frontend.cuda.repair.switches import is_option

        return not is_option(macro, texts)

    def written_kernels(self, text: str, file: str) -> Iterator[tuple[str, Span]]:
        """Yield name and place of each `__global__ ... name(...) {` of a text."""
        from coalint.frontend.cuda.repair.missing_kernels import defined_kernels

        return defined_kernels(text, file)
