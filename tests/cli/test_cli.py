"""The command line: what is accepted, what is refused and how, and the exit codes."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from coalint import __version__
from coalint.cli.arguments.parsing import parse
from coalint.cli.main import main
from coalint.core.findings import Severity


def refused(arguments: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a wrong command line says on stderr; it ends with code 2 and prints nothing else."""
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else -1
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    return err


def test_clang_flags_keep_their_order_and_spelling() -> None:
    options = parse(["lint", "-Iinc", "-D", "N=4", "k.cu", "-std=c++20", "-U", "M", "--", "-isystem", "x", "--lint"])
    assert options.settings.flags == ("-Iinc", "-DN=4", "-std=c++20", "-UM", "-isystem", "x", "--lint")
    assert options.paths == ("k.cu",)


def test_paths_may_stand_among_the_options() -> None:
    options = parse(["lint", ".", "-I", "inc", "more.cu", "--jobs", "2", "last.cu"])
    assert options.paths == (".", "more.cu", "last.cu")
    assert (options.settings.flags, options.settings.jobs) == (("-Iinc",), 2)


def test_selectors_are_repeatable_and_comma_separated() -> None:
    options = parse(["lint", "k.cu", "--select", "COA1, COA201", "--select=divergent-barrier", "--ignore", "COA105"])
    assert options.settings.select == ("COA1", "COA201", "divergent-barrier")
    assert options.settings.ignore == ("COA105",)


def test_findings_fail_from_warning_on_unless_told_otherwise() -> None:
    assert parse(["lint", "k.cu"]).settings.fail_on is Severity.WARNING
    assert parse(["lint", "k.cu", "--fail-on", "info"]).settings.fail_on is Severity.INFO


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["lnit", "k.cu"], "there is no command `lnit`; did you mean `coalint lint`?"),
        (["kernels/"], "there is no command `kernels/`; to lint files: `coalint lint kernels/`"),
        (["lint", "k.cu", "--fail-on", "warn"], "`warn` is not a valid value: did you mean `warning`?"),
        (["lint", "k.cu", "--output-format", "xyz"], "one of full, concise, json"),
        (["lint", "k.cu", "--fial-on=info"], "`coalint lint` has no option `--fial-on`; did you mean `--fail-on`?"),
        (["lint", "k.cu", "-fopenmp"], "arguments for clang go after `--`"),
        (["lint", "k.cu", "--jobs", "many"], "`many` is not a number of processes"),
        (["inspect"], "the following arguments are required: PATH"),
        (["rule", "coa90"], "there is no rule `coa90`; did you mean"),
        (["lint", ".", "--select", "no-such-rule"], "--select: `no-such-rule` selects no rule"),
        (["lint", ".", "--ignore", "not-analyzed"], "--ignore: `not-analyzed` selects no rule; did you mean"),
    ],
)
def test_a_wrong_command_line_is_refused_with_a_remedy(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused(arguments, capsys)


def test_rule_prints_the_docstring(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "COA902"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("# translation-unit-error (COA902)\n")
    assert "## What it does" in out
    assert "coalint lint kernels/ -I third_party/include" in out


def test_rule_without_a_name_lists_every_rule_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule"]) == 0
    lines = capsys.readouterr().out.splitlines()
    codes = [line.split()[0] for line in lines]
    assert len(set(codes)) == len(codes)
    assert {"COA902", "COA903"} <= set(codes)


def coalint(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program as users do."""
    command = [sys.executable, "-m", "coalint", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=120)


def test_version_and_help_load_neither_sympy_nor_clang_nor_rich(tmp_path: Path) -> None:
    code = "import sys\nfrom coalint.cli.main import main\nmain(['--version'])\nprint(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    version, libclang, python, analysis, pack, modules = out.splitlines()
    assert version == f"coalint {__version__}"
    assert libclang == "libclang 18.1.1"
    assert python.startswith("Python 3.")
    assert analysis in ("analysis compiled", "analysis interpreted")
    assert pack == f"rule pack builtin (coalint {__version__})"
    assert not {"sympy", "numpy", "clang", "rich", "pathspec", "pycparser", "shtab"} & set(modules.split())
    assert not {"coalint.cli.arguments.parsing", "coalint.core.findings"} & set(modules.split())


def test_before_an_interrupt_is_answered_nothing_is_loaded_that_takes_time() -> None:
    code = "import sys; before = set(sys.modules); import coalint.cli.main; print(*sorted({*sys.modules} - before))"
    out = subprocess.run([sys.executable, "-Ic", code], capture_output=True, text=True, check=True).stdout
    assert {*out.split()} - {"__future__"} == {"coalint", "coalint.cli", "coalint.cli.main"}


@pytest.mark.slow
def test_a_run_that_finds_everything_in_its_cache_loads_neither_the_ir_nor_numpy(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k(float *a) { a[threadIdx.x * 2] = 0; }\n")
    code = "import sys\nfrom coalint.cli.main import main\nmain(['lint', 'k.cu', '--cache-dir', 'cache'])"
    code += "\nprint(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", code]
    for _ in range(3):  # a file that has only just been written is not kept
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    loaded = set(done.stderr.split("\n")[-2].split())
    assert "COA101" in done.stdout
    assert {"coalint.core.ir.names", "numpy.linalg", "clang", "multiprocessing"} & loaded == set()


def test_python_m_coalint_passes_the_exit_code_on(tmp_path: Path) -> None:
    done = coalint("lint", "missing.cu", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("coalint: error: missing.cu: no such file or folder\n")


def test_a_fault_that_strikes_many_kernels_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from coalint.analysis import evaluate

    def fails(*_: object, **__: object) -> None:
        raise AttributeError("no such thing")

    monkeypatch.setattr(evaluate, "analyse", fails)  # workers are forked from here
    kernels = "".join(f"__global__ void k{number}(float *a) {{ a[threadIdx.x] = 0; }}\n" for number in range(5))
    (tmp_path / "k.cu").write_text(kernels)
    assert main(["lint", "--no-cache", str(tmp_path / "k.cu")]) == 2
    err = capsys.readouterr().err
    assert err.count("AttributeError") == 1
    assert err.endswith("\n  the same happened 4 more times\n")


@pytest.mark.slow
def test_a_progress_bar_shows_on_a_terminal_when_a_run_takes_long_and_vanishes(tmp_path: Path) -> None:
    outside = tmp_path.with_name(f"{tmp_path.name}-pipe")  # in the folder itself nothing waits for it
    os.mkfifo(outside)
    (tmp_path / "pipe.h").symlink_to(outside)
    # It waits until the limit, since nobody writes to the pipe.
    (tmp_path / "waits.cu").write_text('#define PIPE "pipe.h"\n#include PIPE\n')
    (tmp_path / "other.cu").write_text("__global__ void k(float *x) { x[threadIdx.x] = 0; }\n")

    def told(*arguments: str) -> tuple[str, str]:
        """What is printed to stdout and to a terminal on stderr."""
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "coalint", "lint", "--no-cache", "--output-format=concise", *arguments]
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
        run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment, cwd=tmp_path)
        os.close(theirs)
        shown = b""
        while True:
            try:
                shown += os.read(ours, 4096)
            except OSError:  # nobody has the other end open any more
                break
        out, _ = run.communicate(timeout=100)
        os.close(ours)
        return out, shown.decode()

    out, shown = told("--timeout-per-file=4", ".")
    assert out.startswith("waits.cu:1:1: warning[translation-unit-error] the file was not analysed: it took longer")
    assert "checking" in shown
    assert "1/2 files" in re.sub("\x1b\\[[?0-9;]*[a-zA-Z]", "", shown)
    assert shown.rstrip("\r\n").endswith("\x1b[2K"), "the last thing written clears the line"
    assert told("missing.cu")[1].count("checking") == 0


@pytest.mark.parametrize(
    ("words", "code"), [(["--version"], 0), (["--help"], 0), (["rule", "COA101"], 0), (["lint", "k.cu"], 1)]
)
def test_a_reader_that_has_enough_is_no_error(words: list[str], code: int, tmp_path: Path) -> None:
    """As `head` is that closes the pipe before anything is written; a finding is one still."""
    (tmp_path / "k.cu").write_text("__global__ void k(float *p) { p[2 * threadIdx.x] = 0; }")
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-c", "import sys; from coalint.cli.main import main; sys.exit(main())", *words]
    run = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False)
    os.close(writing)
    assert (run.returncode, run.stderr) == (code, "")
