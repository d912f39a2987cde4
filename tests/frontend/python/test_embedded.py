"""CUDA source in string literals of Python files, reported where it stands."""

from __future__ import annotations

import ast
import io
import json
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from project import Project

from coalint.frontend.python.embedded.files import python_file

BODY = """\
extern "C" __global__ void k(float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[8 * i];
}
"""
CUPY = f"import cupy as cp\n\nk = cp.RawKernel(r'''\n{BODY}''', 'k')\n"


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import cupy", "cupy.RawKernel(S, 'k')"),
        ("import cupy as cp", "cp.RawModule(code=S)"),
        ("from cupy import RawKernel as R", "R(S, 'k')"),
        ("import cupy\nRawModule = cupy.RawModule", "RawModule(code=S)"),
        ("try:\n    import cupy\nexcept ImportError:\n    cupy = None", "cupy.RawKernel(S, 'k')"),
        ("from pycuda.compiler import SourceModule", "SourceModule(S)"),
        ("import pycuda.compiler as compiler", "compiler.SourceModule(source=S)"),
        ("from pycuda import compiler", "compiler.SourceModule(S, options=['-O3'])"),
        ("from torch.utils.cpp_extension import load_inline", "load_inline('k', '', S, functions=['k'])"),
        ("import torch.utils.cpp_extension", "torch.utils.cpp_extension.load_inline('k', '', cuda_sources=[S])"),
        ("from torch.utils import cpp_extension", "cpp_extension.load_inline('k', '', cuda_sources=(S,))"),
    ],
)
def test_every_way_to_call_and_import(project: Project, imports: str, call: str) -> None:
    head = f"{imports}\n\nS = '''\n"
    project.put("k.py", f"{head}{BODY}'''\n\nmodule = {call}\n")
    assert project.lint("k.py").places == [("k.py", "COA101", head.count("\n") + 3)]


@pytest.mark.parametrize(
    "imports",
    ["import other", "from other import RawKernel", "def RawKernel(code, name): pass", "import cupyx as cupy"],
)
def test_functions_of_the_same_name_are_left_alone(project: Project, imports: str) -> None:
    project.put("k.py", CUPY.replace("import cupy as cp", imports).replace("cp.", ""))
    assert project.lint("k.py").places == []


def located(project: Project, python: str, text: str) -> tuple[str, str]:
    """What stands at the place of the only finding in a Python file, and from where `text` stands there once."""
    project.put("k.py", python)
    (found,) = project.lint("k.py").report["diagnostics"]
    assert found["line"] == found["end_line"]
    line = python.split("\n")[found["line"] - 1]
    assert python.count(text) == 1
    return line[found["column"] - 1 : found["end_column"] - 1], text


ESCAPED = BODY.replace('"', '\\"').replace("\n", "\\n")


@pytest.mark.parametrize(
    "expression",
    [
        f"'''{BODY}'''",
        f"R'''{BODY}'''",
        f"'''\\\n{BODY}'''",
        f'"{ESCAPED}"',
        f'"// \\u00e9\\N{{BULLET}}\\x41\\101\\q\\n{ESCAPED}"',
        f"f'''{BODY.replace('{', '{{').replace('}', '}}')}'''",
        f"'// é\\n' '''{BODY}'''",
        f"('#define N 1\\n'  # why\n     '''{BODY}''')",
        f"'#define N 1\\n' + '''{BODY}''' + '\\n'",
        f"textwrap.dedent('''\n{BODY}''').strip()",
    ],
)
def test_places_are_those_of_the_literal(project: Project, expression: str) -> None:
    python = f"import cupy as cp, textwrap\né = 1; k = cp.RawKernel({expression}, 'k')\n"
    found, expected = located(project, python, "in[8 * i]")
    assert found == expected


def test_windows_line_ends(project: Project) -> None:
    project.put("k.py", CUPY.replace("\n", "\r\n"))
    (found,) = project.lint("k.py").report["diagnostics"]
    assert (found["line"], found["column"]) == (6, 14)


@pytest.mark.parametrize(
    ("argument", "reason"),
    [
        ("f'__global__ void k() {{ int a = {n}; }}'", "it is an f-string"),
        ("'%d' % n", "with %"),
        ("'{}'.format(n)", "with .format()"),
        ("open('k.cu').read()", "by a call"),
        ("self.code", "attributes, as `code`"),
        ("TWICE", "`TWICE` is assigned in 2 places"),
        ("given", "`given` is not assigned a string that coalint can see"),
        ("'a' if n else 'b'", "computed at run time"),
        ("*n", "the arguments are unpacked"),
    ],
)
def test_what_is_not_followed_is_said(project: Project, argument: str, reason: str) -> None:
    head = "import cupy as cp\nTWICE = ''\nTWICE = 'x'\n"
    project.put("k.py", f"{head}def make(given, n, self):\n    return cp.RawKernel({argument})\n")
    done = project.lint("k.py")
    (found,) = done.report["diagnostics"]
    assert (found["name"], found["severity"], found["line"]) == ("not-analysed", "info", 5)
    assert reason in found["message"]
    assert done.code == 0


def test_a_name_means_what_its_scope_says(project: Project) -> None:
    project.put(
        "k.py",
        f"import cupy as cp\nS = 'int x;'\ndef make():\n    S = '''\n{BODY}'''\n    return cp.RawKernel(S, 'k')\n"
        "class Other:\n    S = f'{make()}'\n    def make(self):\n        return cp.RawKernel(S, 'x')\n",
    )
    assert project.lint("k.py").places == [("k.py", "COA101", 7)]


def test_macros_of_the_options_count(project: Project) -> None:
    text = CUPY.replace("8 * i", "STEP * i").replace("'k')", "'k', options=('-DSTEP=4', '-D', 'OTHER'))")
    project.put("k.py", text)
    (found,) = project.lint("k.py").report["diagnostics"]
    assert "16 sectors" in found["message"]
    project.put("k.py", text.replace("('-DSTEP=4', '-D', 'OTHER')", "flags()"))
    assert ("k.py", "COA903", 8) in project.lint("k.py").places


def test_pytorch_joins_its_sources_and_brings_headers(project: Project) -> None:
    project.put(
        "k.py",
        "from torch.utils.cpp_extension import load_inline\n\n\n\n"
        f"KERNEL = '''\n{BODY}'''\n\nHOST = '''\n"
        "torch::Tensor run(torch::Tensor a) {\n"
        "    k<<<4, 128>>>(a.data_ptr<float>(), a.data_ptr<float>());\n    return a;\n}\n'''\n"
        "load_inline('m', 'torch::Tensor run(torch::Tensor a);', [KERNEL, HOST], functions=['run'])\n",
    )
    done = project.coalint("inspect", "k.py", "--output-format=json")
    (kernel,) = json.loads(done.out)["kernels"]
    assert kernel["launch"]["block"] == [128, 1, 1]
    assert kernel["launch"]["line"] == 14
    assert {a["line"] for a in kernel["accesses"]} == {8}
    assert project.lint("k.py").places == [("k.py", "COA101", 8)]


def test_comments_in_the_source_count(project: Project) -> None:
    hidden = BODY.replace("i];\n", "i];  // coalint: ignore[COA101] a test\n", 1)
    project.put("k.py", CUPY.replace(BODY, hidden))
    assert project.lint("k.py").places == []
    idle = BODY.replace("8 * i", "i").replace("i];\n", "i];  // coalint: ignore[COA101] a test\n", 1)
    assumed = "// coalint: assume(blockDim.x == 256)\n" + idle
    project.put("k.py", CUPY.replace(BODY, assumed))
    assert project.lint("k.py").places == [("k.py", "COA901", 7)]
    done = project.coalint("lint", "--fix", "k.py")
    assert done.code == 0
    fixed = CUPY.replace(BODY, assumed.replace("  // coalint: ignore[COA101] a test", ""))
    assert (project.root / "k.py").read_text() == fixed


def test_no_comment_is_written_into_python(project: Project) -> None:
    project.put("k.py", CUPY)
    done = project.coalint("lint", "--add-ignores", "k.py")
    assert "by hand" in done.err
    assert (project.root / "k.py").read_text() == CUPY


def test_settings_are_those_of_the_python_file(project: Project) -> None:
    project.put("pack/k.py", CUPY)
    project.put("pack/coalint.toml", 'per-file-ignores = { "k.py" = ["COA101"] }\n')
    assert project.lint("pack/k.py").places == []
    project.put("pack/coalint.toml", 'exclude = ["k.py"]\n')
    assert project.lint("pack").code == 2  # a folder without files
    project.put("pack/coalint.toml", 'severity = { COA101 = "info" }\n')
    assert project.lint("pack").code == 0


def test_a_folder_gives_the_python_files_that_name_such_functions(project: Project) -> None:
    project.put("a/k.py", CUPY)
    project.put("a/other.py", "x = '__global__ void k() {}'\nthis is no Python")
    project.put("a/b.cu", BODY)
    done = project.lint("a")
    assert sorted(done.places) == [("a/b.cu", "COA101", 3), ("a/k.py", "COA101", 6)]


def test_a_syntax_error_is_said_where_it_is(project: Project) -> None:
    project.put("k.py", "import cupy\ncupy.RawKernel(\n")
    (found,) = project.lint("k.py").report["diagnostics"]
    assert (found["code"], found["line"], found["severity"]) == ("COA902", 2, "warning")
    assert "was never closed" in found["message"]


def test_an_error_in_the_cuda_source_stands_at_its_line(project: Project) -> None:
    project.put("k.py", CUPY.replace("int i =", "undeclared_type i ="))
    found = project.lint("k.py").report["diagnostics"]
    assert {(d["file"], d["line"]) for d in found if d["name"] != "not-analysed"} == {("k.py", 5)}


def test_kernels_of_one_name_are_kept_apart(project: Project) -> None:
    project.put("k.py", CUPY + CUPY + "cp.RawKernel('', 'x')\n")
    done = project.lint("k.py")
    assert done.places == [("k.py", "COA101", 6), ("k.py", "COA101", 14)]
    assert done.report["coverage"]["kernels"] == 2


def test_a_baseline_holds_while_lines_move(project: Project) -> None:
    project.put("k.py", CUPY)
    assert project.coalint("baseline", "create", "k.py").code == 0
    project.put("k.py", "# one more line\n" + CUPY)
    assert project.lint("--baseline=coalint-baseline.json", "k.py").places == []


@pytest.mark.parametrize(
    "output_format", ["full", "concise", "sarif", "github", "gitlab", "rdjson", "junit", "markdown"]
)
def test_no_format_names_what_does_not_exist(project: Project, output_format: str) -> None:
    project.put("k.py", CUPY)
    done = project.coalint("lint", "k.py", f"--output-format={output_format}")
    assert "k.py" in done.out
    assert "k.py/" not in done.out


def test_stdin_may_be_python(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CUPY.encode())))
    assert project.lint("-", "--stdin-filename=new.py").places == [("new.py", "COA101", 6)]


@pytest.mark.slow
@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), min_size=1), st.sampled_from("'\""), st.booleans()
)
def test_every_character_has_its_place(value: str, quote: str, triple: bool) -> None:
    """However a text is written, what stands at the place of each character means that character alone."""
    escaped = value.replace("\\", "\\\\").replace(quote, f"\\{quote}")
    literal = quote * 3 + escaped + quote * 3 if triple else repr(value)
    found = python_file(f"from cupy import RawKernel\nRawKernel({literal})\n".encode())
    (source,) = found.sources
    (part,) = source.parts
    assert part.text == value
    for character, begin, end in zip(part.text, part.begins, part.ends, strict=True):
        written = found.text[begin:end]
        assert (
            written == character
            or ast.literal_eval(f"'''{written}'''" if "\n" in written else f'"{written}"') == character
        )


def test_one_line_can_be_inspected(project: Project) -> None:
    project.put("k.py", CUPY)
    done = project.coalint("inspect", "k.py:6", "--output-format=json")
    (kernel,) = json.loads(done.out)["kernels"]
    assert [(a["line"], a["expression"]) for a in kernel["accesses"]] == [(6, "in[8 * i]"), (6, "out[i]")]


def test_explain_compile_names_the_kernels(project: Project) -> None:
    project.put("k.py", CUPY)
    done = project.coalint("explain-compile", "k.py", "--output-format=json")
    assert done.code == 0
    assert '"name": "k"' in done.out


def test_explain_compile_names_the_kernels_where_processes_are_not_forked(project: Project) -> None:
    """As beside other threads, and on macOS."""
    project.put("k.py", CUPY)
    over = threading.Event()
    beside = threading.Thread(target=over.wait)
    beside.start()
    try:
        done = project.coalint("explain-compile", "k.py", "--output-format=json")
    finally:
        over.set()
        beside.join()
    assert done.code == 0
    assert '"name": "k"' in done.out


STEPPED = BODY.replace("const float *in", "const float *in, int step").replace("8 * i", "step * i")
LAUNCH_HEAD = (
    "import math\nimport cupy as cp\nfrom pycuda.compiler import SourceModule\nN = 1024\nSTEP = 4\nBLOCK = (64,)\n"
)


@pytest.mark.parametrize(
    ("made", "launch"),
    [
        ("k = cp.RawKernel(S, 'k')", "k((4,), (64,), (a, a, 8))"),
        ("k = cp.RawKernel(code=S, name='k')", "k(((N + 63) // 64,), (N // 16, 1), (a, a, cp.int32(2 * STEP)))"),
        ("k = cp.RawModule(code=S).get_function('k')", "k((4,), (64,), args=(a, a, STEP * 2))"),
        ("m = cp.RawModule(code=S)\nk = m.get_function('k')", "k((math.ceil(N / 64),), BLOCK, (a, a, 8))"),
        ("m = SourceModule(S)\nk = m.get_function('k')", "k(a, a, cp.int32(8), block=(64, 1, 1), grid=(4, 1))"),
    ],
)
def test_launches_in_the_file_give_shapes_and_arguments(project: Project, made: str, launch: str) -> None:
    text = f"{LAUNCH_HEAD}S = '''\n{STEPPED}'''\n{made}\ndef run(a):\n    {launch}\n"
    project.put("k.py", text)
    (kernel,) = json.loads(project.coalint("inspect", "k.py", "--output-format=json").out)["kernels"]
    assert kernel["launch"]["block"] == [64, 1, 1]
    assert kernel["launch"]["line"] == text.count("\n")
    assert [access["sectors"] for access in kernel["accesses"]] == [32, 4]


@pytest.mark.parametrize("launch", ["k((4,), (n,), (a, a, 8))", "k(*n)", "k((4,), n, (a, a, 8))", "k((4,), (64,), n)"])
def test_launches_that_are_not_known_give_nothing(project: Project, launch: str) -> None:
    project.put("k.py", f"{LAUNCH_HEAD}k = cp.RawKernel('''\n{STEPPED}''', 'k')\ndef run(n, a):\n    {launch}\n")
    (kernel,) = json.loads(project.coalint("inspect", "k.py", "--output-format=json").out)["kernels"]
    assert kernel["launch"]["source"] == "assumed"
