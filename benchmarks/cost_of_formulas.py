"""What sympy's strides and conditions cost: seconds of the processor with and without them, and with stored answers.

python benchmarks/cost_of_formulas.py FILE_OR_FOLDER...    # one process for each row, no stored results
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASES = ("without", "first", "stored")


def seconds(path: str, case: str, folder: str, *, keep: bool) -> float:
    """Return the seconds of a process of its own."""
    command = [sys.executable, __file__, "--case", case, folder, str(int(keep)), path]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measure(case: str, folder: str, keep: bool, path: Path) -> float:
    """Check files in this process; return the seconds."""
    from coalint.analysis.formulas.open_addresses import OpenAddresses
    from coalint.engine.check.file import check_file
    from coalint.engine.check.limits import Limits
    from coalint.engine.check.records import Job, Source
    from coalint.engine.registry import load_rules
    from coalint.machine.architecture import architecture

    if case == "without":
        setattr(OpenAddresses, "described", lambda self, access, offset: access)  # noqa: B010
    rules = load_rules().rules
    job = Job((), architecture("sm_90"), rules, keep=keep, answers=folder, limits=Limits(seconds=60))
    files = sorted(path.rglob("*.cu")) if path.is_dir() else [path]
    begin = time.process_time()
    for file in files:
        check_file(Source(str(file)), job)
    return time.process_time() - begin


def main(paths: list[str]) -> None:
    """Print a row of seconds for each path, for `lint` and for `inspect`."""
    print("| source | command | without | first run | with stored answers |")
    print("|---|---|---:|---:|---:|")
    for path in paths:
        for keep in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                row = [seconds(path, case, folder, keep=keep) for case in CASES]
            texts = " | ".join(f"{number:.2f} s" for number in row)
            print(f"| {path} | {'inspect' if keep else 'lint'} | {texts} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--case"]:
        print(measure(sys.argv[2], sys.argv[3], sys.argv[4] == "1", Path(sys.argv[5])))
    elif len(sys.argv) < 2:
        sys.exit(__doc__)
    else:
        main(sys.argv[1:])
