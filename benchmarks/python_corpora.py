"""What coalint makes of public repositories with kernels in Python, as docs/python.md shows it.

    python benchmarks/python_corpora.py NAME[@COMMIT]=FOLDER[,FOLDER...] ... [-o docs/data/python_corpora.json]

Each repository is linted as `coalint lint FOLDER...`, without a cache and without its CUDA files: what is counted is in
Python files and notebooks. With -o, the rows of other repositories in that file are kept, and so is what a reader wrote
into a row: `read`, the warnings that were read against the source, and `verdict`. `python docs/make_python.py` writes
the table.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from repositories import commit_of, repository_parser, with_row


def measure(name: str, folders: Sequence[str], jobs: int) -> dict[str, Any]:
    """Lint a repository and count what was read and what is said of it."""
    begin = time.perf_counter()
    options = ["--output-format=json", "--no-cache", f"--jobs={jobs}", "--arch=sm_90", "--isolated"]
    left_out = [f"--exclude=*{suffix}" for suffix in (".cu", ".cuh", ".cpp", ".h", ".hpp")]
    command = [sys.executable, "-m", "coalint", "lint", *options, *left_out, *folders]
    done = subprocess.run(command, capture_output=True, text=True)
    report = json.loads(done.stdout)
    coverage = report["coverage"]
    severities = Counter(finding["severity"] for finding in report["diagnostics"])
    counted = ("kernels", "accesses", "exact", "symbolic", "data_dependent", "unknown")
    return {
        "name": name,
        "commit": commit_of(folders[0]),
        **{key: coverage[key] for key in counted},
        **{f"{severity}s": severities[severity] for severity in ("error", "warning", "info")},
        "rules": dict(sorted(Counter(f["name"] for f in report["diagnostics"] if f["severity"] != "info").items())),
        "lost": sum(f["message"].startswith("the file was not analysed") for f in report["diagnostics"]),
        "seconds": round(time.perf_counter() - begin, 1),
    }


def main() -> None:
    """Measure the repositories named and print or keep their rows."""
    options = repository_parser(__doc__, "NAME[@COMMIT]=FOLDER[,FOLDER...]").parse_args()
    for repository in options.repositories:
        name, _, folders = repository.partition("=")
        name, _, commit = name.partition("@")
        row = measure(name, folders.split(","), options.jobs)
        row["commit"] = commit or row["commit"]
        print(json.dumps(row), flush=True)
        if options.output is not None:
            _keep(options.output, row)


def _keep(path: Path, row: dict[str, Any]) -> None:
    rows: list[dict[str, Any]] = json.loads(path.read_text())["repositories"] if path.exists() else []
    before = next((other for other in rows if other["name"] == row["name"]), {})
    row |= {"read": before.get("read", 0), "verdict": before.get("verdict", "")}
    path.write_text(json.dumps({"repositories": with_row(rows, row)}, indent=1) + "\n")


if __name__ == "__main__":
    main()
