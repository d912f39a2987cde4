"""A rule pack, installed for real: what commands make of it, of one with the same rule, and of a broken one."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

import pytest
from checkout import LEFT_OUT, ROOT, link_dependencies

ACME = ROOT / "tests" / "packs" / "acme"
KERNEL = """\
__global__ void k(float *total, const float *in, int n) {
    for (int i = 0; i < n; ++i)
        atomicAdd(&total[threadIdx.x], in[i * blockDim.x + threadIdx.x]);
}
void run(float *a) { k<<<4, 256>>>(a, a, 16); }
"""


@dataclass(frozen=True)
class Environment:
    """A virtual environment with coalint, and a folder to work in."""

    python: Path
    root: Path

    def pip(self, *arguments: str) -> None:
        subprocess.run([str(self.python), "-m", "pip", *arguments], check=True, capture_output=True)

    def install(self, source: Path) -> None:
        self.pip("install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", str(source))

    @contextmanager
    def holding(self, source: Path, name: str) -> Iterator[None]:
        self.install(source)
        yield
        self.pip("uninstall", "--quiet", "--yes", name)

    def coalint(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.python), "-m", "coalint", *arguments]
        return subprocess.run(command, cwd=self.root, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """coalint and the pack, which pip installs without a network."""
    root = tmp_path_factory.mktemp("packs")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(root / "venv")], check=True)
    made = Environment(root / "venv" / "bin" / "python", root)
    site = next((root / "venv").glob("lib/python*/site-packages"))
    link_dependencies(site)
    put_coalint(site)
    made.install(Path(shutil.copytree(ACME, root / "acme")))
    (root / "k.cu").write_text(KERNEL)
    return made


def put_coalint(site: Path) -> None:
    """coalint as its wheel holds it (test_packaging builds that), with the metadata that it is installed with here."""
    shutil.copytree(ROOT / "src" / "coalint", site / "coalint", ignore=LEFT_OUT)
    shutil.copytree(ROOT / "rules", site / "coalint" / "rules", ignore=LEFT_OUT)
    installed = distribution("coalint")
    metadata = site / f"coalint-{installed.version}.dist-info"
    metadata.mkdir()
    for name, text in (
        ("METADATA", installed.read_text("METADATA") or installed.read_text("PKG-INFO")),
        ("entry_points.txt", installed.read_text("entry_points.txt")),
    ):
        (metadata / name).write_text(text or "")


def variant(environment: Environment, name: str, old: str, new: str) -> Path:
    """Another distribution like the example, under another name, with a change in its rule."""
    folder = Path(shutil.copytree(ACME, environment.root / name))
    (folder / "acme_coalint").rename(folder / name)
    project = folder / "pyproject.toml"
    project.write_text(project.read_text().replace("acme_coalint", name).replace("acme", name))
    rule = folder / name / "atomic_in_loop.py"
    assert old in rule.read_text()
    rule.write_text(rule.read_text().replace(old, new))
    return folder


def test_the_rule_is_listed_and_explained(environment: Environment) -> None:
    assert re.search(r"ACME001\s+atomic-in-loop", environment.coalint("rule").stdout)
    page = environment.coalint("rule", "atomic-in-loop")
    assert page.returncode == 0
    assert "where a register would do until the loop ends" in page.stdout


def test_the_version_names_the_pack(environment: Environment) -> None:
    assert "rule pack acme (acme-coalint 1.2)" in environment.coalint("--version").stdout.splitlines()


def test_the_rule_runs_beside_the_others(environment: Environment) -> None:
    done = environment.coalint("lint", "--output-format", "concise", "k.cu")
    assert done.returncode == 1, done.stderr
    assert re.match(r"k.cu:3:9: warning\[atomic-in-loop\] `atomicAdd\(", done.stdout)


@pytest.mark.slow
def test_the_rule_is_selected_ignored_and_hidden_like_any_other(environment: Environment) -> None:
    assert environment.coalint("lint", "--ignore", "ACME", "k.cu").returncode == 0
    assert environment.coalint("lint", "--select", "COA", "k.cu").returncode == 0
    hidden = KERNEL.replace("        atomicAdd", "        // coalint: ignore[atomic-in-loop] few\n        atomicAdd")
    (environment.root / "hidden.cu").write_text(hidden)
    assert environment.coalint("lint", "hidden.cu").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", [("lint", "k.cu"), ("rule",)])
def test_a_second_rule_of_the_same_name_is_refused(environment: Environment, command: tuple[str, ...]) -> None:
    source = variant(environment, f"twin{len(command)}", "ACME001", "ACME002")
    with environment.holding(source, f"twin{len(command)}-coalint"):
        done = environment.coalint(*command)
    assert done.returncode == 2
    assert "two rules are called `atomic-in-loop`" in done.stderr
    assert "acme_coalint.atomic_in_loop.AtomicInLoop" in done.stderr
    assert f"twin{len(command)}.atomic_in_loop.AtomicInLoop" in done.stderr


@pytest.mark.slow
def test_a_broken_pack_is_named(environment: Environment) -> None:
    source = variant(environment, "broken", "from coalint.rule import", "from coalint.no_such_module import")
    with environment.holding(source, "broken-coalint"):
        done = environment.coalint("lint", "k.cu")
        assert environment.coalint("--version").returncode == 0
    assert done.returncode == 2
    assert "the rule pack `broken` (broken) cannot be loaded: ModuleNotFoundError" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_page_shows_the_rule_as_it_is() -> None:
    page = (ROOT / "docs" / "packs.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    head, body = shown.split('    ...\n    """\n')
    source = (ACME / "acme_coalint" / "atomic_in_loop.py").read_text(encoding="utf-8")
    assert head in source
    assert body in source
    assert 'acme = "acme_coalint"' in page
    assert 'acme = "acme_coalint"' in (ACME / "pyproject.toml").read_text(encoding="utf-8")
