"""The action, the problem matcher and the snippets of docs/ci.md: valid by the schemas of their services, and run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from coalint.cli.arguments.parsing import parse
from coalint.core.findings import Severity

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / ".github" / "actions" / "coalint"
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
KERNELS = """\
__global__ void wide(float *a) { a[32 * threadIdx.x] = 0; }
__global__ void shifted(float *a) { a[threadIdx.x + 1] = 0; }
__global__ void stuck() { if (threadIdx.x < 7) __syncthreads(); }
void launch(float *a) { shifted<<<1, 256>>>(a); }
"""
FILES = ("my kernels/bank 宽.cu", "kernels/a:1:2: b.cu")


def snippets() -> dict[str, str]:
    """The YAML files that the page shows, by the names that they give themselves."""
    return dict(re.findall(r"```yaml\n# (\S+)\n(.*?)```", PAGE, re.DOTALL))


SCHEMAS = {
    "vendor.github-workflows": [name for name in snippets() if name.startswith(".github/workflows/")],
    "vendor.gitlab-ci": [".gitlab-ci.yml"],
}


def checked(schema: str, file: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("schema", "name"), [(schema, name) for schema, names in SCHEMAS.items() for name in names])
def test_the_snippets_are_valid(schema: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "snippet.yml").write_text(snippets()[name])
    checked(schema, tmp_path / "snippet.yml")


def test_the_page_shows_what_it_should() -> None:
    assert len(SCHEMAS["vendor.github-workflows"]) == 2
    assert {".pre-commit-config.yaml", ".gitlab-ci.yml"} <= set(snippets())


def test_pre_commit_takes_its_snippet_and_the_hooks(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(snippets()[".pre-commit-config.yaml"])
    for command in (
        ["validate-config", str(tmp_path / "config.yaml")],
        ["validate-manifest", ".pre-commit-hooks.yaml"],
    ):
        subprocess.run([sys.executable, "-m", "pre_commit", *command], cwd=ROOT, check=True)
    hooks = {hook["id"] for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    (repo,) = yaml.safe_load(snippets()[".pre-commit-config.yaml"])["repos"]
    assert {hook["id"] for hook in repo["hooks"]} == hooks


def test_every_command_of_the_page_is_one_that_coalint_takes() -> None:
    commands = re.findall(r"coalint (lint kernels/[^|`'\n]*)", PAGE)
    assert len(commands) >= 4
    for command in commands:
        assert parse(shlex.split(command)).paths == ("kernels/",)


def test_the_action_and_the_workflow_are_valid() -> None:
    checked("vendor.github-actions", ACTION / "action.yml")
    checked("vendor.github-workflows", ROOT / ".github" / "workflows" / "ci.yml")


def test_the_action_takes_the_inputs_of_the_snippet_and_brings_all_of_coalint() -> None:
    steps = yaml.safe_load(snippets()[".github/workflows/coalint.yml"])["jobs"]["lint"]["steps"]
    (given,) = (step["with"] for step in steps if "coalint@" in step["uses"])
    action = yaml.safe_load((ACTION / "action.yml").read_text())
    assert set(given) <= set(action["inputs"])
    install = next(step["run"] for step in action["runs"]["steps"] if "pip install" in step.get("run", ""))
    assert "$ACTION_PATH/../../.." in install
    assert (ACTION / "../../.." / "pyproject.toml").resolve() == ROOT / "pyproject.toml"


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """Files whose names have spaces, characters outside ASCII and what looks like a place."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(KERNELS)
    return tmp_path


@pytest.mark.parametrize(("summary", "fail_on", "code"), [("true", "", 1), ("false", "--fail-on=error", 1)])
def test_the_step_of_the_action_runs(kernels: Path, summary: str, fail_on: str, code: int) -> None:
    steps = yaml.safe_load((ACTION / "action.yml").read_text())["runs"]["steps"]
    script = next(step["run"] for step in steps if step.get("id") == "lint")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PATHS": "kernels\nmy kernels\n",
        "ARGS": f"--arch=sm_90\n{fail_on}\n",
        "SARIF_FILE": "a report.sarif",
        "SUMMARY": summary,
        "RUNNER_TEMP": str(kernels),
        "GITHUB_STEP_SUMMARY": str(kernels / "summary.md"),
        "GITHUB_OUTPUT": str(kernels / "output"),
    }
    bash = [shutil.which("bash") or "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
    done = subprocess.run(bash, cwd=kernels, env=environment, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert (kernels / "output").read_text() == f"exit-code={code}\n"
    assert [line.split(" ")[0] for line in done.stdout.splitlines()] == ["::error"] * 2 + ["::warning"] * 2 + [
        "::notice"
    ] * 2
    assert len(json.loads((kernels / "a report.sarif").read_text())["runs"][0]["results"]) == 6
    assert (kernels / "summary.md").exists() == (summary == "true")


def test_the_problem_matchers_read_every_concise_line(kernels: Path) -> None:
    command = [sys.executable, "-m", "coalint", "lint", "kernels", FILES[0], "--output-format", "concise"]
    lines = subprocess.run(command, cwd=kernels, capture_output=True, text=True).stdout.splitlines()
    matchers = json.loads((ACTION / "problem-matcher.json").read_text())["problemMatcher"]
    assert len({matcher["owner"] for matcher in matchers}) == len(matchers)
    seen = set()
    for line in lines:
        ((matcher, found),) = (
            (m, match) for m in matchers if (match := re.search(m["pattern"][0]["regexp"], line)) is not None
        )
        (pattern,) = matcher["pattern"]
        severity = found[pattern["severity"]] if "severity" in pattern else matcher["severity"]
        seen.add((found[pattern["file"]], int(found[pattern["line"]]), severity, found[pattern["code"]]))
        assert line.endswith(found[pattern["message"]])
        assert int(found[pattern["column"]]) > 0
    expected = {(1, "warning", "uncoalesced-global-access"), (2, "notice", "misaligned-global-access")}
    expected.add((3, "error", "divergent-barrier"))
    assert seen >= {(FILES[0], *rest) for rest in expected}
    assert len(lines) == 2 * len(Severity)


@pytest.mark.parametrize("file", ["C:\\src\\k.cu", "D:/a b/k.cu"])
def test_the_problem_matcher_reads_windows_paths(file: str) -> None:
    (first, _) = json.loads((ACTION / "problem-matcher.json").read_text())["problemMatcher"]
    found = re.search(first["pattern"][0]["regexp"], f"{file}:12:7: warning[aos-field-access] x: 1:2: error[y] z")
    assert found is not None
    assert (found[1], found[2], found[3], found[5]) == (file, "12", "7", "aos-field-access")
