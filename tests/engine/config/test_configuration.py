"""Configuration files: which one counts, what wins, what is refused, what is shown."""

from __future__ import annotations

import importlib.util
import json
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema
import pytest
from project import STRIDED, Project

from coalint.engine.config.schema import FILE, schema_text
from coalint.engine.config.settings import keys

ROOT = Path(__file__).resolve().parents[3]


def refused(project: Project, *arguments: str) -> str:
    done = project.coalint("lint", *(arguments or (".",)))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("coalint: error: ")
    return done.err.removeprefix("coalint: error: ")


# --- which file counts


def test_the_nearest_configuration_counts_for_each_file(project: Project) -> None:
    project.put("a.cu", STRIDED)
    project.put("sub/b.cu", STRIDED)
    project.put("sub/deep/c.cu", STRIDED)
    project.put("coalint.toml", 'ignore = ["COA101"]')
    project.put("sub/coalint.toml", 'fail-on = "error"')
    assert project.lint(".").places == [("sub/b.cu", "COA101", 3), ("sub/deep/c.cu", "COA101", 3)]
    assert project.lint("--isolated", "a.cu").codes == ["COA101"]


@pytest.mark.parametrize("name", [".coalint.toml", "coalint.toml", "pyproject.toml"])
def test_each_of_the_three_names_is_read(project: Project, name: str) -> None:
    project.put("k.cu", STRIDED)
    header = "[tool.coalint]\n" if name == "pyproject.toml" else ""
    project.put(name, header + 'ignore = ["uncoalesced-global-access"]')
    assert project.lint("k.cu").codes == []


def test_of_two_in_a_folder_the_first_by_name_is_read_and_a_warning_names_the_other(project: Project) -> None:
    project.put("k.cu", STRIDED)
    project.put("pyproject.toml", '[tool.coalint]\nignore = ["ALL"]')
    project.put("coalint.toml", 'ignore = ["ALL"]')
    project.put(".coalint.toml", "")
    done = project.lint("k.cu")
    assert done.codes == ["COA101"]
    assert "coalint: warning: coalint.toml is not read, because .coalint.toml is in the same folder\n" in done.err
    assert "coalint: warning: pyproject.toml is not read, because .coalint.toml is in the same folder\n" in done.err


def test_a_pyproject_without_the_section_or_broken_is_passed_over(project: Project) -> None:
    project.put("coalint.toml", 'ignore = ["ALL"]')
    project.put("a/pyproject.toml", "[tool.ruff]\n# coalint\n")
    project.put("b/pyproject.toml", "[tool.coalint\n")
    project.put("a/k.cu", STRIDED)
    project.put("b/k.cu", STRIDED)
    assert project.lint(".").codes == []


def test_what_holds_for_a_run_is_the_working_directorys(project: Project) -> None:
    project.put("sub/k.cu", STRIDED)
    project.put("sub/coalint.toml", 'fail-on = "error"\njobs = 1')
    assert project.lint("sub").code == 1
    shown = project.coalint("config", "sub").out
    assert "# fail-on of sub/coalint.toml has no effect here: it applies to a run" in shown


# --- extend


def test_extend_replaces_keys_joins_tables_and_adds_ignores(project: Project) -> None:
    project.put(
        "base/base.toml",
        'ignore = ["COA105"]\nassume = ["n == 1"]\ninclude-dirs = ["inc"]\n[severity]\nCOA1 = "info"\nCOA2 = "error"\n',
    )
    project.put(
        "coalint.toml",
        'extend = "base/base.toml"\nignore = ["COA101"]\nassume = ["n == 2"]\n[severity]\nCOA2 = "info"\n',
    )
    settings = json.loads(project.coalint("config", "--output-format=json").out)["paths"][0]["settings"]
    assert settings["ignore"] == {"value": ["COA105", "COA101"], "origins": ["base/base.toml", "coalint.toml"]}
    assert settings["assume"] == {"value": ["n == 2"], "origins": ["coalint.toml"]}
    assert settings["include-dirs"] == {"value": [str(project.root / "base/inc")], "origins": ["base/base.toml"]}
    assert settings["severity"]["value"] == {"COA1": "info", "COA2": "info"}
    assert settings["jobs"] == {"value": 0, "origins": ["default"]}


def test_extending_in_a_circle_is_an_error_that_shows_it(project: Project) -> None:
    project.put("coalint.toml", 'extend = "a/one.toml"')
    project.put("a/one.toml", '\nextend = "../coalint.toml"')
    said = refused(project)
    assert said.startswith("a/one.toml:2: `extend`: extends itself: coalint.toml -> a/one.toml -> coalint.toml;")


def test_extending_what_is_not_there_names_the_place(project: Project) -> None:
    project.put("coalint.toml", 'extend = "gone.toml"')
    assert refused(project) == "coalint.toml:1: `extend`: there is no file gone.toml\n"


# --- what is refused


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('\nselct = ["COA1"]', "coalint.toml:2: `selct` is not a key of coalint; did you mean `select`?"),
        ("fail_on = 'error'", "coalint.toml:1: `fail_on` is not a key of coalint; did you mean `fail-on`?"),
        ("colour = 3", "coalint.toml:1: `colour` is not a key of coalint; `coalint config` lists them"),
        ("cache-dir = 'x'", "coalint.toml:1: `cache-dir` is not a key"),
        (
            'select = "COA1"',
            '`select` must be a list of rules (codes, prefixes of codes, names or ALL), not the string "COA1"',
        ),
        ("jobs = true", "`jobs` must be a whole number, at least 0, not `true`"),
        ("jobs = -1", "`jobs` must be a whole number, at least 0, not the number -1"),
        ("jobs = 1.5", "`jobs` must be a whole number, at least 0, not the number 1.5"),
        ("timeout-per-file = nan", "`timeout-per-file` must be a number, at least 0"),
        ("preview = 1", "`preview` must be true or false, not the number 1"),
        (
            'fail-on = "warn"',
            '`fail-on` must be one of "info", "warning", "error", not "warn"; did you mean "warning"?',
        ),
        ('[severity]\nCOA101 = "bad"', 'coalint.toml:1: `severity` entry `COA101`: must be one of "info", "warning"'),
        ("[per-file-ignores]\n'*.cu' = 'COA1'", "`per-file-ignores` entry `*.cu`: must be a list of rules"),
        ('ignore = ["COA9x"]', "coalint.toml:1: `ignore`: `COA9x` selects no rule; did you mean"),
        ('severity = { coalesced = "info" }', "coalint.toml:1: `severity`: `coalesced` selects no rule"),
        ('[per-file-ignores]\nx = ["nope"]', "coalint.toml:1: `per-file-ignores`: `nope` selects no rule"),
        ('arch = "sm_8o"', "coalint.toml:1: `arch`: "),
        ('assume = ["blockDim.x =="]', "coalint.toml:1: `assume`: "),
        ("select = [", "coalint.toml: is not valid TOML: "),
        ('std = "c++27"', "the flag `-std=c++27` of the configuration (std) is not passed to libclang: it is no C++"),
        ('extra-args = ["-std=c++27"]', "of the configuration (extra-args) is not passed to libclang: it is no C++"),
        ('extra-args = ["-o", "x"]', "of the configuration (extra-args) is not passed to libclang"),
    ],
)
def test_a_wrong_configuration_is_refused_with_place_and_remedy(project: Project, text: str, said: str) -> None:
    project.put("k.cu", STRIDED)
    project.put("coalint.toml", text)
    assert said in refused(project)


def test_the_line_of_a_key_in_pyproject_is_found(project: Project) -> None:
    project.put("k.cu", STRIDED)
    project.put("pyproject.toml", '[project]\njobs = 3\n\n[tool.coalint]\nselect = []\n"jobs" = "many"\n')
    assert refused(project).startswith("pyproject.toml:6: `jobs` must be a whole number")


def test_a_file_that_is_not_utf8_is_refused(project: Project) -> None:
    project.put("k.cu", STRIDED)
    project.put("coalint.toml", b'arch = "\xff"')
    assert refused(project).startswith("coalint.toml: is not UTF-8")


# --- the command line


def test_the_command_line_wins(project: Project) -> None:
    project.put("k.cu", STRIDED)
    project.put("coalint.toml", 'select = ["COA2"]\nfail-on = "error"\noutput-format = "concise"')
    assert project.coalint("lint", "k.cu").out.startswith("no findings") is False
    assert project.lint("k.cu").codes == []
    assert project.lint("k.cu", "--select=COA101").codes == ["COA101"]
    assert project.lint("k.cu", "--extend-select=COA101").codes == ["COA101"]
    assert project.lint("k.cu", "--select=COA101").code == 0
    assert project.lint("k.cu", "--select=COA101", "--fail-on=warning").code == 1


def test_the_output_format_comes_from_the_file(project: Project) -> None:
    project.put("k.cu", STRIDED)
    project.put("coalint.toml", 'output-format = "concise"')
    assert project.coalint("lint", "k.cu").out.startswith("k.cu:3:14: warning[")
    assert project.coalint("lint", "k.cu", "--output-format=json").report["schema"] == "coalint-report/1"


def test_config_takes_a_file_or_a_key(project: Project) -> None:
    project.put("k.cu", STRIDED)
    project.put("coalint.toml", 'ignore = ["ALL"]')
    project.put("other.toml", '[severity]\nCOA101 = "info"')
    (found,) = project.lint("k.cu", "--config", "other.toml").report["diagnostics"]
    assert found["severity"] == "info"
    (found,) = project.lint("k.cu", "--isolated", "--config", 'severity.COA101 = "error"').report["diagnostics"]
    assert found["severity"] == "error"
    assert "neither a file nor TOML" in refused(project, "k.cu", "--config", "arch=sm_90")
    assert "`arhc` is not a key of coalint; did you mean `arch`?" in refused(
        project, "k.cu", "--config", 'arhc="sm_90"'
    )
    assert "there is no file gone.toml" in refused(project, "k.cu", "--config", "gone.toml")
    assert "--isolated reads no file" in refused(project, "k.cu", "--isolated", "--config", "other.toml")


# --- what keys do


def test_of_two_selectors_the_more_exact_one_decides_and_a_later_select_begins_anew(project: Project) -> None:
    project.put("k.cu", STRIDED)
    project.put("coalint.toml", 'select = ["uncoalesced-global-access"]\nignore = ["COA1"]')
    assert project.lint("k.cu").codes == ["COA101"]
    project.put("coalint.toml", 'select = ["ALL"]\nignore = ["COA101"]')
    assert project.lint("k.cu").codes == []
    assert project.lint("k.cu", "--extend-select", "COA1").codes == ["COA101"]
    assert project.lint("k.cu", "--select", "COA1", "--ignore", "COA10").codes == []


def test_per_file_ignores_match_from_the_configurations_folder_and_can_be_negated(project: Project) -> None:
    for name in ("tests/a.cu", "src/tests/b.cu", "src/c.cu"):
        project.put(name, STRIDED)
    project.put("coalint.toml", 'per-file-ignores = { "/tests/" = ["ALL"] }')
    assert [file for file, _, _ in project.lint(".").places] == ["src/c.cu", "src/tests/b.cu"]
    project.put("coalint.toml", 'per-file-ignores = { "!src/" = ["COA1"], "c.cu" = ["COA101"] }')
    assert [file for file, _, _ in project.lint(".").places] == ["src/tests/b.cu"]


@pytest.mark.slow
def test_flags_assumptions_and_architecture_differ_by_folder_within_one_run(project: Project) -> None:
    source = "__global__ void k(float *p) { p[STEP * (blockIdx.x * blockDim.x + threadIdx.x)] = 0; }\n"
    project.put("a/k.cu", source)
    project.put("b/k.cu", '#include "step.h"\n' + source)
    project.put("a/coalint.toml", 'defines = ["STEP=8"]\nassume = ["blockDim.x == 64"]\nstd = "c++20"')
    project.put("b/coalint.toml", 'include-dirs = ["inc"]\narch = "sm_90"\nextra-args = ["-Imore"]')
    project.put("b/more/step.h", "#define STEP (__CUDA_ARCH__ / 100)\n")
    messages = sorted(_strided(project.lint(".").report))
    assert [file for file, _ in messages] == ["a/k.cu", "b/k.cu"]
    assert ["32 sectors" in messages[0][1], "32 sectors" in messages[1][1]] == [True, True]
    kernels = json.loads(project.coalint("inspect", "--output-format=json", ".").out)["kernels"]
    assert [kernel["launch"]["block"] for kernel in kernels] == [[64, 1, 1], [256, 1, 1]]
    assert [kernel["accesses"][0]["stride"] for kernel in kernels] == ["32", "36"]
    assert sorted(_strided(project.lint(".").report)) == messages


def _strided(report: dict[str, Any]) -> list[tuple[str, str]]:
    """The file and the message of each finding of COA101."""
    return [(at["file"], at["message"]) for d in report["diagnostics"] if d["code"] == "COA101" for at in d["places"]]


def test_results_kept_under_one_configuration_do_not_serve_another(project: Project) -> None:
    project.put("k.cu", "__global__ void k(float *p) { p[STEP * threadIdx.x] = 0; }\n")
    for step, codes in ((8, ["COA101"]), (1, []), (8, ["COA101"])):
        project.put("coalint.toml", f'defines = ["STEP={step}"]')
        assert project.lint("k.cu").codes == codes
    for block in (32, 64):
        project.put("coalint.toml", f'defines = ["STEP=8"]\nassume = ["blockDim.x == {block}"]')
        (found,) = project.lint("k.cu").report["diagnostics"]
        assert any(f"{block} threads" in note["message"] for note in found["notes"])


def test_the_command_lines_flags_and_facts_beat_those_of_the_file(project: Project) -> None:
    project.put("k.cu", '#include "step.h"\n__global__ void k(float *p) { p[STEP * threadIdx.x] = N; }\n')
    project.put("one/step.h", "#define STEP 1\n")
    project.put("eight/step.h", "#define STEP 8\n")
    project.put("coalint.toml", 'include-dirs = ["one"]\nassume = ["blockDim.x == 32"]\ndefines = ["N=1"]')
    assert project.lint("k.cu").codes == []
    (found,) = project.lint("k.cu", "-Ieight", "-DN=2", "--assume", "blockDim.x == 64").report["diagnostics"]
    assert (found["code"], found["line"]) == ("COA101", 2)
    assert any("64 threads" in note["message"] for note in found["notes"])


def test_a_header_is_analysed_under_its_includers_settings_and_filtered_by_its_own(project: Project) -> None:
    project.put("lib/k.cuh", "__global__ void k(float *p) { p[STEP * threadIdx.x] = 0; }\n")
    project.put("app/main.cu", '#include "../lib/k.cuh"\nvoid run(float *p) { k<<<1, 64>>>(p); }\n')
    project.put("app/coalint.toml", 'defines = ["STEP=8"]\nignore = ["ALL"]')
    assert project.lint("app", "lib").places == [("lib/k.cuh", "COA101", 1)]
    project.put("lib/coalint.toml", 'severity = { COA101 = "error" }')
    (found,) = project.lint("app", "lib").report["diagnostics"]
    assert found["severity"] == "error"
    project.put("lib/coalint.toml", 'ignore = ["COA101"]')
    assert project.lint("app", "lib").places == []


def test_excludes_are_relative_to_their_file_and_take_folders_back_in(project: Project) -> None:
    for name in ("build/gen.cu", "sub/third/x.cu", "sub/y.cu", "third/z.cu"):
        project.put(name, STRIDED)
    assert [file for file, _, _ in project.lint(".").places] == ["sub/third/x.cu", "sub/y.cu", "third/z.cu"]
    project.put("sub/coalint.toml", 'exclude = ["/third/"]')
    project.put("coalint.toml", 'exclude = ["!build/"]')
    assert [file for file, _, _ in project.lint(".").places] == ["build/gen.cu", "sub/y.cu", "third/z.cu"]
    project.put("coalint.toml", 'exclude = ["third"]')
    done = project.lint("third/z.cu", "sub/y.cu")
    assert [file for file, _, _ in done.places] == ["sub/y.cu"]
    assert [file for file, _, _ in project.lint(".", "--exclude=y.cu").places] == []


def test_severity_is_replaced_and_what_a_rule_lowered_stays_lowered(project: Project) -> None:
    guessed = "template <int S> __global__ void t(float *p) { p[8 * threadIdx.x] = 0; }\n"
    project.put("k.cu", STRIDED)
    project.put("t.cu", guessed)
    project.put("coalint.toml", 'severity = { COA1 = "warning", COA101 = "error" }')
    found = {d["file"]: d["severity"] for d in project.lint(".").report["diagnostics"] if d["code"] == "COA101"}
    assert found == {"k.cu": "error", "t.cu": "info"}
    assert project.lint("k.cu", "--fail-on=error").code == 1


def test_a_compilation_database_is_named_relative_to_the_file_and_an_error_names_the_key(project: Project) -> None:
    project.put("sub/k.cu", STRIDED.replace("8 * i", "STEP * i"))
    project.put("sub/coalint.toml", '\ncompile-commands = "out/ci"')
    said = refused(project)
    assert said.startswith("sub/coalint.toml:2: `compile-commands`: ")
    assert "no such file or folder" in said
    command = {"directory": str(project.root / "sub"), "file": "k.cu", "command": "nvcc -DSTEP=8 -c k.cu"}
    project.put("sub/out/ci/compile_commands.json", json.dumps([command]))
    assert project.lint(".").codes == ["COA101"]
    assert refused(project, "sub", "-p", "gone").startswith("-p gone: ")


def test_config_of_what_is_not_there_is_an_error(project: Project) -> None:
    done = project.coalint("config", "gone.cu")
    assert (done.code, done.err) == (2, "coalint: error: gone.cu: no such file or folder\n")


def test_config_shows_values_with_what_set_them(project: Project) -> None:
    project.put("sub/k.cu", STRIDED)
    project.put("sub/coalint.toml", 'arch = "sm_90"\nseverity = { COA1 = "info" }')
    lines = project.coalint("config", "sub/k.cu", "--assume", "n == 4", "--ignore=COA105", "-DN=1").out.splitlines()
    assert lines[0] == "# sub/k.cu: sub/coalint.toml"
    shown = [tuple(part.strip() for part in line.replace("  # ", " = ").split(" = ", 2)) for line in lines]
    assert ("arch", '"sm_90"', "sub/coalint.toml") in shown
    assert ("ignore", '["COA105"]', "command line") in shown
    assert ("--assume", '["n == 4"]', "command line") in shown
    assert ("flags", '["-DN=1"]', "command line") in shown
    assert ("fail-on", '"warning"', "default") in shown
    assert any(line.startswith("severity") and '{ "COA1" = "info" }' in line for line in lines)


# --- schema and page


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_configuration", ROOT / "docs" / "make_configuration.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_schema_and_the_page_are_current() -> None:
    assert FILE.read_text(encoding="utf-8") == schema_text(), "run: python docs/make_configuration.py"
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert page == script().page_text(), "run: python docs/make_configuration.py"


def test_the_schema_is_one_and_takes_what_coalint_takes(project: Project) -> None:
    schema = json.loads(schema_text())
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for name, (_, key, _) in keys().items():
        document = tomllib.loads(key.example)
        assert list(document) == [name]
        validator.validate(document)
        assert project.coalint("config", "--config", key.example).code == 0
    first = script().INTRODUCTION.split("```toml\n")[1].split("```")[0]
    validator.validate(tomllib.loads(first))
    project.put("coalint.toml", first)
    assert project.coalint("config").code == 0


@pytest.mark.parametrize(
    "text", ["selct = []", 'select = "COA1"', "jobs = -1", 'fail-on = "bad"', "preview = 1", "[severity]\nCOA1 = 3"]
)
def test_the_schema_refuses_what_coalint_refuses(project: Project, text: str) -> None:
    assert not jsonschema.Draft7Validator(json.loads(schema_text())).is_valid(tomllib.loads(text))
    project.put("coalint.toml", text)
    assert project.coalint("config").code == 2


def test_config_prints_the_schema(project: Project) -> None:
    assert project.coalint("config", "--output-format=schema").out == FILE.read_text(encoding="utf-8")
