"""Runs that are ended, disks that are full, caches that lie: no orphan, no half report, no wrong result later."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import forked
import pytest
from processes import in_session
from project import STRIDED

from coalint.cli.main import main

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of Linux's processes")
FILES = 5
STEPS = 2
"""At how many moments of a run it is ended."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    (folder / "src").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "src/step.h").write_text("#define STEP 8\n")
    for number in range(FILES):
        text = re.sub(r"\bk\b", f"k{number}", STRIDED).replace("8 *", "STEP *")
        (folder / f"src/k{number}.cu").write_text('#include "step.h"\n' + text)
    return folder


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "coalint", "lint", *arguments]


def begun(*arguments: str, folder: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    """A run in a session of its own that has entered `main`: an interrupt before is answered by Python itself."""
    code = "import sys, coalint.cli.main as cli; print('begun', flush=True); sys.exit(cli.main())"
    run = subprocess.Popen(
        [sys.executable, "-c", code, "lint", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert run.stdout is not None
    assert run.stdout.readline() == b"begun\n"
    return run


def report(folder: Path, cache: Path, *arguments: str, cwd: Path | None = None) -> str:
    """The report in JSON of a whole run."""
    done = forked.coalint(
        *("lint", "--output-format=json", *(arguments or (str(folder),))),
        folder=cwd or folder,
        environment={**os.environ, "COALINT_CACHE_DIR": str(cache)},
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr == ""
    return done.stdout


def reported_by_a_new_python(folder: Path, cache: Path) -> str:
    """The report in JSON of a whole run."""
    environment = {**os.environ, "COALINT_CACHE_DIR": str(cache)}
    call = command("--output-format=json", str(folder))
    return subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, timeout=300).stdout


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_ended_leaves_nothing_and_harms_no_later_one(
    ending: signal.Signals, tree: Path, tmp_path: Path
) -> None:
    right = report(tree, tmp_path / "fresh")
    cache, out = tmp_path / "cache", tmp_path / "out"
    out.mkdir()
    environment = {**os.environ, "COALINT_CACHE_DIR": str(cache)}
    begin = time.monotonic()
    subprocess.run(command("-j2", "."), cwd=tree, env=environment, capture_output=True, timeout=300)
    whole = time.monotonic() - begin
    for step in range(STEPS):
        if step % 2:
            subprocess.run(["rm", "-rf", str(cache)], check=True)
        written = out / "report.json"
        run = begun("-j2", "--output-format=json", "-o", str(written), ".", folder=tree, environment=environment)
        time.sleep(whole * (step + 0.5) / STEPS)
        run.send_signal(ending)
        _, err = run.communicate(timeout=60)
        for _ in range(100):
            if not in_session(run.pid):
                break
            time.sleep(0.05)
        assert in_session(run.pid) == []
        assert b"Traceback" not in err
        if written.exists():
            json.loads(written.read_bytes())
            written.unlink()
        assert report(tree, cache) == right


STAGES = (
    "coalint.cli.commands.lint.discover_files",
    "coalint.engine.linter.plan",
    "coalint.engine.execution.workers.pool._Pool._assign",
    "coalint.engine.execution.cache.stored_results.write_entry",
    "coalint.engine.linter.gather",
    "coalint.reporters.rendering.report_text",
    "coalint.core.source.writing._mode",
)
"""What the parent calls, in this order: the last when a report is written and not yet in its place."""


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_ended_in_a_stage_leaves_nothing(ending: signal.Signals, tree: Path, tmp_path: Path) -> None:
    right = report(tree, tmp_path / "fresh")
    cache, out, mark = tmp_path / "cache", tmp_path / "out", tmp_path / "leader"
    out.mkdir()

    def ended(*_: object, **__: object) -> None:
        mark.write_text(str(os.getpid()))
        os.kill(os.getpid(), ending)
        time.sleep(5)

    for stage in STAGES:
        (tree / "src/step.h").write_text(f"#define STEP 8 // {stage}\n")  # nothing stored fits
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(stage, ended)
            done = forked.coalint(
                *("lint", ".", "-j2", "--output-format=json", f"-o={out / 'report.json'}"),
                folder=tree,
                environment={**os.environ, "COALINT_CACHE_DIR": str(cache)},
            )
        assert done.returncode == (130 if ending == signal.SIGINT else -ending), (stage, done.stderr)
        assert "Traceback" not in done.stderr, stage
        for _ in range(100):
            if not in_session(int(mark.read_text())):
                break
            time.sleep(0.05)
        assert in_session(int(mark.read_text())) == [], stage
        assert not (out / "report.json").exists(), stage
        mark.unlink()
    (tree / "src/step.h").write_text("#define STEP 8\n")
    assert report(tree, cache) == right
    assert list(out.iterdir()) == []


@pytest.mark.slow
def test_the_bytes_are_the_same_however_the_run_is_made(tree: Path, tmp_path: Path) -> None:
    right = reported_by_a_new_python(tree, tmp_path / "first")  # whose hashes are others
    cache, other = tmp_path / "cache", tmp_path / "other"
    files = sorted(str(path) for path in (tree / "src").glob("*.cu"))
    assert report(tree, cache, "-j1", str(tree)) == right
    assert report(tree, cache, "-j8", *reversed(files), cwd=tmp_path) == right
    assert report(tree, other, "-j8", files[3], str(tree / "src"), cwd=Path("/")) == right
    assert report(tree, other, "-j1", files[4], str(tree), *files[:2], cwd=tree / "src") == right
    assert report(tree, cache, "-j8", "--no-cache", *reversed(files), cwd=tree / "src") == right


@pytest.mark.slow
def test_reports_for_other_programs_are_the_same_from_any_folder(tree: Path, tmp_path: Path) -> None:
    formats = ("sarif", "github", "gitlab", "rdjson", "markdown", "junit")
    written = []
    for number, folder in enumerate((tree, tree / "src", tmp_path, Path("/"))):
        outputs = [f"-o{name}={tmp_path}/{name}{number}" for name in formats]
        report(tree, tmp_path / "cache", "-j1", *outputs, str(tree), cwd=folder)
        written.append([(tmp_path / f"{name}{number}").read_text() for name in formats])
    assert [name for name, *texts in zip(formats, *written, strict=True) if len(set(texts)) > 1] == []


def test_a_full_disk_leaves_the_old_report_and_says_so(tree: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    out.write_text("old")
    done = forked.coalint(
        *("lint", "-j1", "--output-format=json", "-o", str(out), "src/k0.cu"),
        folder=tree,
        environment={**os.environ, "COALINT_CACHE_DIR": str(tmp_path / "cache")},
        largest_file=300,
    )
    assert done.returncode == 2
    assert f"{out} cannot be written: File too large" in done.stderr
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "report.json", "tree"]


@pytest.mark.parametrize("output_format", ["full", "json"])
def test_stdout_on_a_full_disk_is_told(output_format: str, tree: Path) -> None:
    done = forked.coalint(
        "lint", "-j1", "src/k0.cu", f"--output-format={output_format}", folder=tree, stdout="/dev/full"
    )
    assert (done.returncode, done.stderr) == (2, "coalint: error: stdout cannot be written: No space left on device\n")


def test_a_closed_stdout_is_no_error_of_coalint(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["lint", "-j1", str(tree / "src/k0.cu")]) == 1


LIES = ("zero", "pipe", "folder", "garbage", "empty", "other", "sparse", "link")


@pytest.mark.slow
def test_a_cache_that_lies_is_not_believed(tree: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    right = report(tree, cache)
    shutil.copytree(cache, tmp_path / "kept")
    names = sorted(path.relative_to(cache) for path in cache.rglob("*") if path.suffix in (".json", ".pch"))
    contents = [(cache / name).read_bytes() for name in names]
    assert {name.suffix for name in names} == {".json", ".pch"}
    for turn in range(0, len(LIES), 3):  # each entry lies in three ways
        shutil.rmtree(cache)
        shutil.copytree(tmp_path / "kept", cache)
        for number, name in enumerate(names):
            lie = LIES[(turn + number) % len(LIES)]
            _lie(cache / name, lie, contents[number - 1])
        assert report(tree, cache) == right, turn


def _lie(path: Path, lie: str, other: bytes) -> None:
    path.unlink()
    if lie == "zero":
        path.symlink_to("/dev/zero")
    elif lie == "pipe":
        os.mkfifo(path)
    elif lie == "folder":
        path.mkdir()
    elif lie == "link":
        path.symlink_to(path.name)
    elif lie == "sparse":
        with path.open("wb") as file:
            file.truncate(1 << 40)
    else:
        path.write_bytes({"garbage": b"\xff" * 100, "empty": b"", "other": other}[lie])
