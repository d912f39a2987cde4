"""The processes of this machine."""

from __future__ import annotations

import os
from pathlib import Path


def in_session(leader: int) -> list[int]:
    """The processes of a session that are alive."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                words = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()
            except OSError:
                continue
            if int(words[3]) == leader and words[0] != b"Z":
                found.append(int(name))
    return found
