"""What coalint makes of public CUDA repositories: coverage, time and memory, as docs/corpora.md shows them.

    python benchmarks/corpora.py NAME=FOLDER[,FOLDER...] ... [-o docs/data/corpora.json] [--jobs N]

Each repository is linted as `coalint lint FOLDER...` with an empty cache, then again with the filled one. Beside that
stands libclang's bare parse of the same files with the same flags, precompiled header included, in the same number of
processes, and how much memory each file took in a worker of its own. FOLDER may lie anywhere; where it is in a git
checkout, the commit is noted. With -o, the rows of other repositories in that file are kept.
"""

from __future__ import annotations

import compileall
import json
import multiprocessing
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from repositories import commit_of, repository_parser, with_row

import coalint
from coalint.engine.config.settings import Settings
from coalint.engine.units.discovery import discover
from coalint.engine.units.plan import plan

REASONS = 6


@dataclass(frozen=True)
class Row:
    """One repository. Times are seconds by the clock, `megabytes` peak memory at the 50th, 99th percentile and most.

    `lost` are files that the run could not check, by cause; `internal` counts coalint's own faults.
    """

    name: str
    commit: str
    files: int
    kernels: int
    analysed: int
    accesses: int
    exact: int
    symbolic: int
    data_dependent: int
    unknown: int
    reasons: dict[str, int]
    internal: int
    lost: dict[str, int]
    cold: float
    parse: float
    warm: float
    megabytes: tuple[float, float, float] | None


def with_bytecode() -> None:
    """Compile coalint's modules, as pip does when it installs them: else every run would do it anew."""
    compileall.compile_dir(Path(coalint.__file__).parent, quiet=2)


def measure(name: str, folders: Sequence[str], jobs: int, memory: bool) -> Row:
    """Lint and parse one repository."""
    with tempfile.TemporaryDirectory(prefix="coalint-") as cache:
        environment = {**os.environ, "COALINT_CACHE_DIR": cache}
        report, errors, cold = _lint(folders, jobs, environment)
        parse = bare_parse(discover(folders).files, jobs, os.path.join(cache, "headers"))
        _, _, warm = _lint(folders, jobs, environment)
    coverage = report["coverage"]
    reasons = dict(list(coverage["reasons"].items())[:REASONS])
    lost: dict[str, int] = {}
    for diagnostic in report["diagnostics"]:
        if diagnostic["message"].startswith("the file was not analysed: "):
            cause = diagnostic["message"].partition(": ")[2]
            lost[cause] = lost.get(cause, 0) + 1
    counts = {key: coverage[key] for key in ("kernels", "analysed", "accesses", "exact", "symbolic", "data_dependent")}
    return Row(
        name,
        commit_of(folders[0]),
        len(discover(folders).files),
        **counts,
        unknown=coverage["unknown"],
        reasons=reasons,
        internal=errors.count("internal error"),
        lost=lost,
        cold=round(cold, 2),
        parse=round(parse, 2),
        warm=round(warm, 2),
        megabytes=_memory(folders) if memory else None,
    )


def _lint(folders: Sequence[str], jobs: int, environment: dict[str, str]) -> tuple[dict[str, Any], str, float]:
    command = [sys.executable, "-m", "coalint", "lint", "--output-format=json", f"--jobs={jobs}", *folders]
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    return json.loads(done.stdout), done.stderr, time.perf_counter() - begin


def bare_parse(files: Sequence[str], jobs: int, headers: str) -> float:
    """Seconds of the bare parse: nothing but libclang, over files that take their turns in `jobs` processes."""
    sources = plan(files, Settings()).sources
    items = [(source.path, source.flags, headers) for source in sources]
    with multiprocessing.get_context("fork").Pool(jobs, _warm_up) as pool:
        begin = time.perf_counter()
        for _ in pool.imap_unordered(_parse_one, items):
            pass
        return time.perf_counter() - begin


def _warm_up() -> None:
    import coalint.frontend.cuda.libclang.parse  # noqa: F401


def _parse_one(item: tuple[str, tuple[str, ...], str]) -> None:
    from coalint.frontend.cuda.libclang.parse import parse
    from coalint.frontend.interface import FrontendError

    path, flags, headers = item
    with suppress(FrontendError):
        parse(path, flags, headers=headers)


def _memory(folders: Sequence[str]) -> tuple[float, float, float]:
    from resources import costs

    from coalint.engine.check.limits import Limits

    ordered = sorted(cost.megabytes for cost in costs(discover(folders).files, (), Limits()))
    middle, high, most = (round(ordered[int(share * (len(ordered) - 1))], 1) for share in (0.5, 0.99, 1))
    return middle, high, most


def main() -> None:
    """Measure the repositories named and print or keep their rows."""
    parser = repository_parser(__doc__, "NAME=FOLDER[,FOLDER...]")
    parser.add_argument("--memory", action="store_true", help="measure each file's memory too (checks all files again)")
    parser.add_argument("--commit", default="", help="the repository's commit, where the folder is no git checkout")
    options = parser.parse_args()
    with_bytecode()
    for repository in options.repositories:
        name, _, folders = repository.partition("=")
        row = measure(name, folders.split(","), options.jobs, options.memory)
        record = {**asdict(row), "commit": options.commit or row.commit, "jobs": options.jobs}
        print(json.dumps(record), flush=True)
        if options.output is not None:
            _keep(options.output, record)


def _keep(path: Path, record: dict[str, object]) -> None:
    data = json.loads(path.read_text()) if path.exists() else {"repositories": []}
    data["machine"] = f"{os.cpu_count()} cores, Python {platform.python_version()}"
    data["repositories"] = with_row(data["repositories"], record)
    path.write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    main()
