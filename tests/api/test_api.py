"""`coalint.lint`, `inspect` and `render` do what the commands do, and importing the package costs nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from project import STRIDED, Project

import coalint
from coalint.cli.main import main

TEMPLATED = "__global__ void k(float *a) { a[STEP * threadIdx.x] = 0; }\n"


def test_importing_the_package_loads_nothing_of_it() -> None:
    code = "import sys; before = set(sys.modules); import coalint; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in loaded if "coalint" in name] == ["coalint"]
    assert not {"numpy", "rich", "clang", "pathlib", "importlib.metadata"} & set(loaded)


def test_every_name_that_is_promised_is_there() -> None:
    assert set(coalint.__all__) <= set(dir(coalint))
    for name in coalint.__all__:
        assert getattr(coalint, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'lnit'"):
        coalint.lnit  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("output_format", ["json", "concise", "sarif", "full", "markdown"])
def test_a_report_is_that_of_the_command(
    output_format: str, project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project.put("kernels/k.cu", STRIDED)
    monkeypatch.chdir(project.root)
    report = coalint.lint("kernels", arch="sm_90")
    assert [d.finding.code for d in report.diagnostics] == ["COA101"]
    assert main(["lint", "kernels", "--arch=sm_90", f"--output-format={output_format}"]) == report.exit_code(
        coalint.Severity.WARNING
    )
    assert coalint.render(report, output_format) == capsys.readouterr().out


def test_settings_say_how_sources_are_read_and_what_is_reported(project: Project) -> None:
    path = project.root / "k.cu"
    project.put("k.cu", TEMPLATED)
    assume = "blockDim.x == 64"
    (found,) = coalint.lint(path, defines=["STEP=8"], assume=assume).diagnostics
    assert "64 threads" in found.basis
    assert coalint.lint([path], defines="STEP=1").diagnostics == ()
    assert coalint.lint(path, flags=["-DSTEP=8"], ignore="COA101").diagnostics == ()
    assert coalint.lint(path, defines=["STEP=8"], select=["COA2"]).diagnostics == ()
    assert coalint.lint(project.root, defines=["STEP=8"], exclude=["k.*"]).files == 0


def test_configuration_files_count_unless_the_call_is_isolated(project: Project) -> None:
    project.put("k.cu", STRIDED)
    project.put("coalint.toml", 'ignore = ["COA101"]\n')
    project.put("other.toml", "")
    file = project.root / "k.cu"
    assert coalint.lint(file).diagnostics == ()
    assert len(coalint.lint(file, isolated=True).diagnostics) == 1
    assert len(coalint.lint(file, config=str(project.root / "other.toml")).diagnostics) == 1
    assert len(coalint.lint(file, extend_select=["COA101"]).diagnostics) == 1


def test_an_inspection_has_every_access(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.put("k.cu", STRIDED)
    monkeypatch.chdir(project.root)
    inspection = coalint.inspect(Path("k.cu"))
    (kernel,) = inspection.kernels
    costs = [(cost.count, cost.ideal) for cost in kernel.traffics if cost is not None]
    assert sorted(costs) == [(4, 4), (32, 4)]
    assert json.loads(coalint.render(inspection, "json"))["kernels"][0]["name"] == "k"
    assert "in[8 * i]" in coalint.render(inspection)


def test_the_html_page_needs_the_accesses(project: Project) -> None:
    project.put("k.cu", STRIDED)
    with pytest.raises(coalint.Error, match="accesses=True"):
        coalint.render(coalint.lint(project.root), "html")
    assert coalint.render(coalint.lint(project.root, accesses=True), "html").startswith("<!doctype html>")


def test_formulas_of_weights_are_there_where_they_are_asked_for(project: Project) -> None:
    body = "int i = blockIdx.x * 256 + threadIdx.x; if (i < n) a[8 * i] = 0;"
    launch = "void run(float *a, int n) { k<<<(n + 255) / 256, 256>>>(a, n); }"
    project.put("k.cu", f"__global__ void k(float *a, int n) {{ {body} }}\n{launch}\n")
    formulas = []
    for asked in (False, True):
        report = coalint.lint(project.root, formulas=asked)
        (finding,) = json.loads(coalint.render(report, "json"))["diagnostics"]
        formulas.append(finding["launch_cost"]["executed_formula"])
    assert formulas == [None, "ceil(n/32)"]


def test_a_baseline_leaves_out_what_is_known(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project.put("k.cu", STRIDED)
    monkeypatch.chdir(project.root)
    assert main(["baseline", "create", "k.cu"]) == 0
    capsys.readouterr()
    report = coalint.lint("k.cu", baseline="coalint-baseline.json")
    assert (report.diagnostics, report.hidden.baseline) == ((), 1)


def test_what_is_missing_is_a_failure_of_the_report(project: Project) -> None:
    report = coalint.lint(project.root / "missing.cu")
    assert [failure.message for failure in report.failures] == ["no such file or folder"]
    assert report.exit_code(coalint.Severity.WARNING) == 2


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"arch": "sm_1"}, "arch"),
        ({"select": ["COA9x"]}, "`COA9x` selects no rule"),
        ({"assume": ["blockDim.x =="]}, "is not a complete C expression"),
        ({"flags": ["-std=c++27"]}, "is no C++ standard"),
        ({"baseline": "missing.json"}, "missing.json"),
        ({"config": "missing.toml"}, "missing.toml"),
    ],
)
def test_a_wrong_setting_is_an_error_that_says_why(settings: dict[str, object], said: str, project: Project) -> None:
    project.put("k.cu", STRIDED)
    with pytest.raises(coalint.Error) as caught:
        coalint.lint(project.root, **settings)  # type: ignore[arg-type]
    assert said in str(caught.value)


def test_a_misspelt_setting_and_a_format_that_there_is_not_are_named(project: Project) -> None:
    with pytest.raises(TypeError, match="there is no setting `selct`; did you mean `select`?"):
        coalint.lint(project.root, selct=["COA1"])  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="there is no setting `select`"):
        coalint.inspect(project.root, select=["COA1"])  # type: ignore[call-arg]
    with pytest.raises(coalint.Error, match="there is no format `xyz`: one of text, json"):
        coalint.render(coalint.inspect(project.root), "xyz")


@pytest.mark.slow
def test_a_script_without_a_guard_and_with_threads_may_lint(project: Project) -> None:
    project.put("k.cu", STRIDED)
    project.put(
        "script.py",
        "import threading, time, coalint\n"
        "threading.Thread(target=time.sleep, args=(5,), daemon=True).start()\n"
        "print(len(coalint.lint('k.cu', cache=False).diagnostics))\n",
    )
    done = subprocess.run([sys.executable, "script.py"], cwd=project.root, capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("1\n", "")
