"""What libclang says of a file with given flags: its errors with their places, and the kernels that come out."""

from __future__ import annotations

from coalint.core.source.boundary import is_shown
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.errors import MISSING, errors
from coalint.frontend.cuda.libclang.parse import parse
from coalint.frontend.cuda.load import requested
from coalint.frontend.cuda.source_text import read_source
from coalint.frontend.interface import FLAGS, LoadRequest, ParseExplanation, ParserMessage


def explain(request: LoadRequest) -> ParseExplanation:
    """Return libclang's errors over the text as it stands, and the module. Raises FrontEndError, as `load` does."""
    text = read_source(request.path)
    unit = parse(request.path, request.arguments, text, request.headers, ahead=request.ahead)
    messages = []
    for diagnostic in errors(unit):
        location = diagnostic.location
        file = location.file.name if location.file else FLAGS
        line, column = (max(1, location.line), max(1, location.column)) if location.file else (1, 1)
        missing = MISSING.search(diagnostic.spelling)
        span = Span(file, line, column, line, column + 1)
        if is_shown(file) or file == FLAGS:
            messages.append(ParserMessage(diagnostic.spelling, span, missing[1] if missing else None))
        else:
            messages.append(ParserMessage("an error in this header, which is outside of the repository", span))
    return ParseExplanation(messages=tuple(messages), module=requested(request))
