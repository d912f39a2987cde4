"""What an editor sends, in bounded pieces: a message of absurd size is passed over, and the server goes on."""

from __future__ import annotations

from typing import BinaryIO

LARGEST = 256 << 20
"""The most bytes of one message; a text that is open in an editor is part of one."""
_LONGEST = 1024
"""The most bytes of one line of a message's head."""
_PIECE = 1 << 20
_NO_MESSAGE = b"0"


class BoundedInput:
    """A stream that holds no more than it was sent, whatever sizes the heads of messages announce."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """Return the next line, or a part of one that is too long to be a head; nothing at the end."""
        return self._stream.readline(_LONGEST)

    def read(self, size: int) -> bytes:
        """Return so many bytes, fewer at the end; what is no message in the place of one that is too large."""
        pieces: list[bytes] = []
        left = size
        while left > 0 and (piece := self._stream.read(min(left, _PIECE))):
            left -= len(piece)
            if size <= LARGEST:
                pieces.append(piece)
        if size > LARGEST:
            return b"" if left else _NO_MESSAGE
        return b"".join(pieces)
