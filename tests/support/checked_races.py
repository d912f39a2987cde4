"""Programs checked by the rule of missing barriers alone."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

RULES = tuple(rule for rule in load_rules().rules if rule.code == "COA304")


def checked(text: str, arch: str = "sm_90", assume: tuple[str, ...] = ()) -> FileResult:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "k.cu"
        path.write_text(text)
        result = check_file(
            Source(str(path)), Job(assume, architecture(arch), RULES, keep=True, headers=shared_headers())
        )
    assert not result.failures, result.failures
    problems = [problem.message for problem in result.problems]
    assert all(message.endswith(": inline PTX is not analysed") for message in problems), problems
    return result
