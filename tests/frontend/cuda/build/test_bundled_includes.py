"""Which headers of coalint's come before a file's first line: those that it includes whatever its macros are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coalint.engine.config.settings import Settings
from coalint.engine.units.plan import plan
from coalint.frontend.cuda.build.bundled_headers import brought
from coalint.frontend.cuda.build.include_folders import INCLUDE

THRUST = {"coalint/thrust.h", "coalint/cuda_std.h", "coalint/std_later.h", "coalint/std_values.h"}


def ahead(folder: Path, **texts: str) -> set[str]:
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text)
    (source,) = plan([str(folder / "k.cu")], Settings()).sources
    return set(source.ahead)


def test_what_every_file_has_is_not_brought() -> None:
    assert brought(["vector", "cuda_runtime.h", "stdio.h", "no/such.h"]) == frozenset()
    assert "coalint/std_random.h" in brought(["random"])
    assert brought(["thrust/sort.h"]) >= THRUST


def test_no_file_elsewhere_is_read(tmp_path: Path) -> None:
    elsewhere = tmp_path / "x.h"
    elsewhere.write_text('#include "coalint/thrust.h"\n')
    assert brought([str(elsewhere), os.path.relpath(elsewhere, INCLUDE)]) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "#include <random>\n",
        "// of src/*.cu\n#include <random>\n",
        'const char *all = "/*";\n#include <random>\n',
        "/* one */\n/* two\n#include <thrust/sort.h>\n*/\n#include <random>\n/*",
        '// a kernel\n#if N\n#endif\n  # include "random"\n',
        "#ifndef K_CU\n#define K_CU\n#include <random>\n#endif\n",
        "#if !defined(K_CU)\n#define K_CU\n#include <random>\n#endif\n",
        "#ifdef A\n#include <thrust/sort.h>\n#else\n#include <cub/cub.cuh>\n#endif\n#include <random>\n",
    ],
)
def test_an_include_outside_of_conditions_comes_ahead(tmp_path: Path, text: str) -> None:
    assert ahead(tmp_path, k_cu=text) == {"coalint/std_random.h"}


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef A\n#include <random>\n#endif\n",
        "#ifndef A\n#include <random>\n#define A\n#endif\n",
        "#if 1\n#elif B\n#include <random>\n#endif\n",
        "#ifndef K_CU\n#define K_CU\n#if A\n#include <random>\n#endif\n#endif\n",
        "#if A\n#define A\n#include <random>\n#endif\n",
        "// #include <random>\n",
        "/*\n#include <random>\n*/\n",
        '// "/*" and /* so on\n/* one */ char c = \'"\'; /*\n#include <random>\n',
    ],
)
def test_one_within_them_does_not(tmp_path: Path, text: str) -> None:
    assert ahead(tmp_path, k_cu=text) == set()


def test_headers_of_the_project_count_where_they_are_included_so(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert ahead(tmp_path, k_cu='#include "a.h"\n', a_h="#pragma once\n#include <random>\n") == {"coalint/std_random.h"}
    assert ahead(tmp_path, k_cu='#if A\n#include "a.h"\n#endif\n') == set()
    assert ahead(tmp_path, k_cu='#include "b.h"\n', b_h='#ifdef A\n#include "a.h"\n#endif\n') == set()


def test_a_file_of_the_project_is_none_of_coalints(tmp_path: Path) -> None:
    assert ahead(tmp_path, k_cu='#include "random"\n', random="int own;\n") == set()


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef THRUST_VERSION\n#endif\n",
        "#if !defined A && THRUST_VERSION > 1000\n#endif\n",
        "#if A\n#elif defined(THRUST_VERSION)\n#endif\n",
        "#if A && \\\n    THRUST_VERSION\n#endif\n",
        "#define THRUST_VERSION 200\n",
    ],
)
@pytest.mark.parametrize("before", [True, False])
def test_a_header_whose_macros_are_tested_or_defined_stays_where_it_is(tmp_path: Path, text: str, before: bool) -> None:
    include = "#include <thrust/sort.h>\n#include <random>\n"
    found = ahead(tmp_path, k_cu=text + include if before else include + text)
    assert found & {*THRUST, "coalint/std_random.h"} == {*THRUST, "coalint/std_random.h"} - {"coalint/thrust.h"}


def test_what_brings_such_a_header_stays_too() -> None:
    assert "coalint/torch.h" in brought(["torch/extension.h"])
    kept = frozenset({"coalint/std_values.h"})
    assert {"coalint/torch.h", "coalint/std_values.h"}.isdisjoint(brought(["torch/extension.h"], kept))


def test_a_macro_on_which_a_header_rests_keeps_it_in_place(tmp_path: Path) -> None:
    assert "coalint/glm.h" in ahead(tmp_path, k_cu="#include <glm/glm.hpp>\n")
    text = "#define GLM_FORCE_QUAT_DATA_WXYZ\n#include <glm/glm.hpp>\n"
    assert "coalint/glm.h" not in ahead(tmp_path, k_cu=text)
