"""The fixtures, analysed once for all tests of a run, in whatever process they are."""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
from functools import cache
from pathlib import Path

from project import SHARED, shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

ARCHITECTURE = architecture("sm_90")


@cache
def analysed(file: Path) -> FileResult:
    """Check a file with all rules for sm_90, and keep what was analysed; another process may have done it before."""
    key = hashlib.sha256(str(file).encode() + file.read_bytes()).hexdigest()[:24]
    kept = Path(os.environ[SHARED], "analysed") / key
    if kept.exists():
        result: FileResult = pickle.loads(kept.read_bytes())
        return result
    job = Job((), ARCHITECTURE, tuple(load_rules().rules), keep=True, headers=shared_headers())
    result = check_file(Source(str(file)), job)
    kept.parent.mkdir(exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as written:
        written.write(pickle.dumps(result))
    os.replace(written.name, kept)
    return result
