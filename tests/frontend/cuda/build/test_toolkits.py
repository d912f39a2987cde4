"""Where installed headers are looked for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coalint.frontend.cuda.build.toolkits import header_folders


def folder(path: Path) -> str:
    """Make a folder; return its real path."""
    path.mkdir(parents=True, exist_ok=True)
    return os.path.realpath(path)


def test_of_a_named_toolkit_its_include_folders_are_searched(tmp_path: Path) -> None:
    include, libraries = folder(tmp_path / "cuda" / "include"), folder(tmp_path / "cuda" / "include" / "cccl")
    assert header_folders(str(tmp_path / "cuda"), {}) == (include, libraries)


def test_a_folder_without_any_is_searched_itself(tmp_path: Path) -> None:
    headers = folder(tmp_path / "headers")
    assert header_folders(headers, {}) == (headers,)


def test_none_names_none(tmp_path: Path) -> None:
    folder(tmp_path / "include")
    assert header_folders("none", {"CUDA_HOME": str(tmp_path)}) == ()
    assert header_folders("", {"CUDA_HOME": str(tmp_path), "COALINT_TOOLKIT": "none"}) == ()


def test_what_the_command_line_says_wins_over_the_environment(tmp_path: Path) -> None:
    one, other = folder(tmp_path / "one"), folder(tmp_path / "other")
    assert header_folders(one, {"COALINT_TOOLKIT": other}) == (one,)
    assert header_folders("", {"COALINT_TOOLKIT": other}) == (other,)


def test_the_environment_comes_before_what_is_installed(tmp_path: Path) -> None:
    toolkit = folder(tmp_path / "cuda" / "include")
    packages = tmp_path / "venv" / "lib" / "python3.12" / "site-packages"
    cudnn, cutlass = (
        folder(packages / "nvidia" / "cudnn" / "include"),
        folder(packages / "cutlass_library/source/include"),
    )
    found = header_folders("auto", {"CUDA_HOME": str(tmp_path / "cuda"), "VIRTUAL_ENV": str(tmp_path / "venv")})
    assert found[:3] == (toolkit, cudnn, cutlass)


def test_packages_of_conda_are_searched_and_not_all_of_its_headers(tmp_path: Path) -> None:
    folder(tmp_path / "include")
    toolkit = folder(tmp_path / "targets" / "x86_64-linux" / "include")
    found = header_folders("auto", {"CONDA_PREFIX": str(tmp_path)})
    assert toolkit in found
    assert os.path.realpath(tmp_path / "include") not in found


@pytest.mark.parametrize("name", ["[a]", "a*"])
def test_names_with_signs_of_patterns_are_names(tmp_path: Path, name: str) -> None:
    include = folder(tmp_path / name / "include")
    assert header_folders(str(tmp_path / name), {}) == (include,)
