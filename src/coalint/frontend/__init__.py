"""CUDA source to IR: libclang in, `coalint.ir` out."""

from coalint.frontend.clang import FrontendError
from coalint.frontend.load import Scope, load

__all__ = ["FrontendError", "Scope", "load"]
