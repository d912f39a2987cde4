"""What is installed is what the tree holds."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from checkout import ROOT, checkout, link_dependencies


def test_every_folder_of_modules_is_a_package_of_the_build() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    for name, folder in build["package-dir"].items():
        base = ROOT / folder
        inner = {path.parent.relative_to(base).parts for path in base.rglob("__init__.py")}
        found = {".".join((name, *parts)) for parts in inner}
        listed = {package for package in build["packages"] if (package + ".").startswith(name + ".")}
        assert found == {package for package in listed if name != "coalint" or package.split(".")[1:2] != ["rules"]}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    source = checkout(tmp_path_factory.mktemp("checkout"))
    out = source / "dist"
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index")
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", str(out), str(source)], check=True)
    (built,) = out.glob("*.whl")
    return zipfile.ZipFile(built)


@pytest.mark.slow
def test_the_wheel_holds_every_module_rule_and_bundled_header(wheel: zipfile.ZipFile) -> None:
    expected = {
        *(f"coalint/{path.relative_to(ROOT / 'src/coalint').as_posix()}" for path in modules(ROOT / "src/coalint")),
        *(f"coalint/rules/{path.relative_to(ROOT / 'rules')}" for path in (ROOT / "rules").rglob("*.py")),
        *(f"coalint/{path.relative_to(ROOT / 'src/coalint')}" for path in (ROOT / "src/coalint").rglob("*.pyi")),
        *(f"coalint/{path.relative_to(ROOT / 'src/coalint').as_posix()}" for path in headers()),
        *(f"coalint/reporters/html/{path.name}" for path in page_files()),
        "coalint/coalint.schema.json",
        "coalint/py.typed",
    }
    assert len(headers()) > 1
    assert {path.suffix for path in page_files()} == {".css", ".html", ".js"}
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert {name for name in held if ".data/" not in name} == expected


@pytest.mark.slow
def test_the_wheel_holds_the_module_for_cmake_where_find_package_looks(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if ".data/" in name)
    assert name.partition(".data/")[2] == "data/share/cmake/Coalint/CoalintConfig.cmake"


@pytest.mark.slow
def test_the_wheel_registers_the_command_and_the_rule_pack(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    text = wheel.read(name).decode()
    assert "coalint = coalint.cli.main:main" in text
    assert "[coalint.rules]\nbuiltin = coalint.rules" in text


def modules(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.py") if "__pycache__" not in path.parts]


def headers() -> list[Path]:
    return [path for path in (ROOT / "src/coalint/frontend/cuda/headers").rglob("*") if path.is_file()]


def page_files() -> list[Path]:
    return [path for path in (ROOT / "src/coalint/reporters/html").iterdir() if path.suffix not in (".py", "")]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["lenient", "strict"])
def test_an_editable_install_finds_the_rules(tmp_path: Path, mode: str) -> None:
    source = checkout(tmp_path / "checkout")
    environment = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    link_dependencies(next(environment.glob("lib/python*/site-packages")))
    python = environment / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "-e", str(source)]
    subprocess.run([*install, f"--config-settings=editable_mode={mode}"], check=True)
    code = "import coalint.rules as r; from coalint.engine.registry import load_rules as load"
    code += "; print(r.__file__); print(len(load().rules))"
    done = subprocess.run([str(python), "-c", code], check=True, capture_output=True, text=True, cwd=tmp_path)
    place, count = done.stdout.splitlines()
    assert Path(place).resolve().is_relative_to(source)
    modules = [path for path in (source / "rules").glob("*/[!_]*.py") if path.parent.name not in ("own", "support")]
    assert int(count) == len(modules)
