"""The digest of coalint's code, by which cached results are told from those of another version."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path

import coalint
from coalint.engine.execution.cache import versions


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


def test_the_record_of_an_installation_is_used_only_where_it_names_every_module() -> None:
    record = versions._record()
    package = Path(coalint.__file__).parent
    modules = {f"coalint/{path.relative_to(package).as_posix()}" for path in package.rglob("*.py")}
    hashed = {line.split(",")[0] for line in (distribution("coalint").read_text("RECORD") or "").splitlines()}
    assert (record is not None) == (modules <= hashed)


def test_other_code_has_another_digest(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    module = package / "__init__.py"
    digests = set()
    for text in ("", "rule = 1\n", "rule = 2\n"):
        module.write_text(text)
        versions._package_digest.cache_clear()
        with _importable(tmp_path):
            digests.add(versions._package_digest("pack"))
    assert len(digests) == 3
