"""Digests and versions of the program: coalint itself, the rule packs, and the libraries below."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, entry_points, version
from importlib.util import find_spec

from coalint.core.source.reading import FileKind, read_bytes
from coalint.core.version import version as own_version

_LIBRARIES = ("libclang", "numpy", "sympy")
_OWN = "coalint"
_PACKS = "coalint.rules"


@cache
def code_digest(packages: Sequence[str] = ()) -> str:
    """Return a digest of the code of coalint and of rule packages, and of the versions of Python and the libraries.

    It covers the code itself: an editable installation changes without a new version.
    """
    parts = [
        own_version(),
        str(is_compiled()),
        sys.platform,
        *map(str, sys.version_info[:3]),
        *map(version, _LIBRARIES),
    ]
    parts += [f"{package} {_package_digest(package)}" for package in (_OWN, *sorted(packages))]
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=20).hexdigest()


def version_text() -> str:
    """Return the versions that a bug report should name, one per line; no rule pack is loaded."""
    packs = sorted(
        {(point.name, point.dist.name, point.dist.version) for point in entry_points(group=_PACKS) if point.dist}
    )
    lines = [f"coalint {own_version()}", f"libclang {version('libclang')}", f"Python {sys.version.split()[0]}"]
    lines.append("analysis compiled" if is_compiled() else "analysis interpreted")
    return "\n".join([*lines, *(f"rule pack {name} ({package} {of})" for name, package, of in packs)])


@cache
def is_compiled() -> bool:
    """Whether the analysis that is loaded is compiled: the package was built so, and `COALINT_PURE` is not set."""
    spec = find_spec("coalint.analysis.evaluate")
    return spec is not None and not str(spec.origin).endswith(".py")


@cache
def _package_digest(package: str) -> str:
    """Return a digest of all files of a package: of the hashes that its installer recorded, or of their contents."""
    digest = hashlib.blake2b(digest_size=20)
    record = _record() if package == _OWN else None
    if record is not None:
        digest.update(record.encode())
        return digest.hexdigest()
    for name, path in _files(package):
        digest.update(f"\0{name}\0".encode())
        digest.update(read_bytes(path, FileKind.PROGRAM))
    return digest.hexdigest()


def _record() -> str | None:
    """Return the hashes of coalint's files as its installer recorded them, None where the files are read elsewhere.

    The record of a wheel (PEP 376, RECORD) names each file with its SHA-256. That of an editable installation does not
    list the modules.
    """
    spec = find_spec(_OWN)
    if spec is None or spec.origin is None:
        return None
    try:
        installed = distribution(_OWN)
    except PackageNotFoundError:
        return None
    record = installed.read_text("RECORD")
    own = f"{_OWN}/__init__.py"
    if (
        record is None
        or f"\n{own},sha256=" not in f"\n{record}"
        or not os.path.samefile(str(installed.locate_file(own)), spec.origin)
    ):
        return None
    return record


def _files(package: str) -> Iterator[tuple[str, str]]:
    """Yield the files of an installed package or module: name within it, path."""
    spec = find_spec(package)
    if spec is None:
        return
    folders = spec.submodule_search_locations
    if not folders:
        yield "", spec.origin or ""
        return
    for folder in folders:
        for parent, names, files in os.walk(folder):
            names[:] = sorted(name for name in names if name != "__pycache__")
            for file in sorted(files):
                path = os.path.join(parent, file)
                yield path[len(folder) + 1 :].replace(os.sep, "/"), path
