"""What an access does, and to which memory."""

from __future__ import annotations

from enum import Enum


class Space(Enum):
    """The memory that an access goes to, in the names of the PTX state spaces."""

    GLOBAL = "global"
    SHARED = "shared"
    LOCAL = "local"
    CONSTANT = "constant"
    GENERIC = "generic"  # through a pointer of which it is not known where it points


class Operation(Enum):
    """What an access does."""

    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"
