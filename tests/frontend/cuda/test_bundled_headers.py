"""The bundled CUDA headers: they parse without a word and hold the vocabulary that kernels use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bundled_headers import FORCED, complaints, headers

from coalint.frontend.cuda.build.include_folders import INCLUDE

_CUDA = re.compile(r"\bcuda[A-Z]\w*")


VOCABULARY = Path(__file__).with_name("vocabulary")

CASES = {path.stem: path.read_text() for path in sorted(VOCABULARY.glob("*.cu"))}


def test_forced_include_parses_in_silence() -> None:
    assert complaints("", *FORCED) == []


@pytest.mark.parametrize("standard", ["c++14", "c++17", "c++20"])
def test_forced_include_parses_in_other_standards(standard: str) -> None:
    assert complaints("", *FORCED, f"-std={standard}") == []


@pytest.mark.parametrize("arch", ["sm_60", "sm_75", "sm_90"])
def test_forced_include_parses_for_other_architectures(arch: str) -> None:
    assert complaints("", *FORCED, f"--cuda-gpu-arch={arch}") == []


@pytest.mark.slow
def test_every_header_parses_twice_in_silence() -> None:
    bad = {h: found for h in headers() if (found := complaints(f"#include <{h}>\n#include <{h}>\n"))}
    assert bad == {}


def test_all_headers_together_parse_twice_in_silence() -> None:
    assert complaints("".join(f"#include <{h}>\n" for h in [*headers(), *headers()])) == []


@pytest.mark.parametrize("family", CASES)
def test_vocabulary(family: str) -> None:
    flags = (*FORCED, "-std=c++20") if family == "concepts" else ()
    assert complaints(CASES[family], *flags) == []


def test_hip_has_a_name_for_each_of_the_runtime() -> None:
    folder = INCLUDE / "coalint"
    names = {
        name
        for file in ("runtime.h", "runtime_calls.h", "texture.h", "cuda_async.h")
        for name in _CUDA.findall((folder / file).read_text())
    }
    named = re.findall(r"^#define hip\w+ (cuda\w+)$", (folder / "hip.h").read_text(), re.MULTILINE)
    assert names - set(named) == set()
