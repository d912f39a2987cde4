"""The parser's complaints about names that nothing declares, by their wording."""

from __future__ import annotations

import re
from typing import NamedTuple

from coalint.frontend.cuda.repair.scopes import ScopeKind

EXAMPLES = 8  # places of one complaint that are looked at

_NAME = r"'([A-Za-z_]\w*)'"
PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), what)
    for pattern, what in (
        (rf"unknown type name {_NAME}", "type"),
        (rf"unknown class name {_NAME}", "type"),
        (rf"use of undeclared identifier {_NAME}", "any"),
        (rf"use of undeclared template name {_NAME}", "template"),
        (rf"no template named {_NAME}(?: in (?:namespace )?'([^']+)')?", "template"),
        (rf"no type named {_NAME} in (?:namespace )?'([^']+)'", "type"),
        (rf"no member named {_NAME} in (?:namespace )?'([^']+)'", "any"),
        (rf"no member named {_NAME} in the global namespace", "any"),
        (r"'([A-Za-z_]\w*)' is not a class, namespace, or enumeration", "scope"),
    )
)
LIBRARY = re.compile(r"use of undeclared identifier '(at|c10|torch)'")
HEADERS = dict.fromkeys(("at", "c10", "torch"), "coalint/torch.h")
"""Bundled headers, by the namespaces that they declare, for sources that somebody else completes, as PyTorch's
`load_inline` does."""
PLACED: tuple[tuple[str, str], ...] = (
    ("expected namespace name", "namespace"),
    ("expected class name", "base"),
    ("a type specifier is required for all declarations", "macro"),
    ("an attribute list cannot appear here", "macro"),
    ("variable has incomplete type", "macro"),
    ("expected unqualified-id", "macro"),
    ("expected parameter declarator", "macro"),
    ("expected ';'", "macro"),
    ("expected ')'", "macro"),
)
MISTAKEN: tuple[tuple[re.Pattern[str], ScopeKind], ...] = (
    (re.compile(rf"{_NAME} does not refer to a value"), ScopeKind.VALUE),
    (re.compile(rf"unexpected type name {_NAME}: expected expression"), ScopeKind.VALUE),
    (re.compile(r"called object type 'int' is not a function"), ScopeKind.FUNCTION),
    (re.compile(r"member reference (?:base )?type 'int' is not a (?:structure|pointer)"), ScopeKind.OBJECT),
    (re.compile(r"subscripted value is not an array"), ScopeKind.OBJECT),
)
NO_PARAMETER = re.compile(
    r"a non-type template parameter cannot have type '(?:\w+::)*(\w+)'"
    r"|type '(?:\w+::)*(\w+)' of non-type template parameter is not a structural type"
)
ALIASED = re.compile(r"redefinition with different types \('[^']*' vs '(?:\w+::)*(\w+)'")
"""The text names a type anew, as another than the one that was declared for it: that is the second."""
OTHER_PARAMETERS = re.compile(
    r"template parameter (?:pack )?(?:conflicts with previous|has a different)|template parameters in template redecl"
)
"""A template has other parameters than the one that was declared for it."""
REDEFINED = re.compile(
    r"(?:(?:typedef )?redefinition|redeclaration|reference to|conflicting types for)\D*?'(?:\w+::)*(\w+)'"
)


class Complaint(NamedTuple):
    """One error of libclang: what it says, the file's text, and the offset in it (None: not there).

    `instance` says that an instance of a template lacks the name, not the template.
    """

    message: str
    text: str
    offset: int | None
    instance: bool = False


def says_namespace(message: str) -> bool:
    """Whether a complaint says that the owner of the name is a namespace."""
    return " in namespace '" in message
