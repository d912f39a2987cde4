"""What a repository names elsewhere never stands in a report; what its user names does."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from project import Project

SECRET = "hunter2_9922"
KERNEL = """\
__global__ void k(float *out) {
    out[STRIDE * threadIdx.x] = 1;
}
void run(float *a) { k<<<4, 256>>>(a); }
"""
READING = KERNEL.replace("STRIDE", "8")
COMMANDS = (
    *(("lint", f"--output-format={name}") for name in ("full", "json", "sarif", "markdown", "html")),
    ("inspect", "--output-format=json"),
    ("explain-compile", "--output-format=json"),
    ("explain-compile",),
)


@pytest.fixture
def outside(tmp_path: Path, project: Project) -> Path:
    """A folder beside the repository; the working directory is the repository."""
    folder = tmp_path / "elsewhere"
    (folder / "include").mkdir(parents=True)
    (folder / "notes").mkdir()
    text = f'int {SECRET} = "{SECRET}\n#error {SECRET}\n#include "{SECRET}.h"\n'
    (folder / "notes/secret.txt").write_text(text)
    (folder / "notes/secret").write_text(text)
    (folder / "include/config.h").write_text(f"#define STRIDE 3\n// {SECRET}\n#error {SECRET}\n{SECRET} {SECRET}2;\n")
    (folder / "notes/list.json").write_text(f'{{"{SECRET}": [{{"file": "{SECRET}"}}]}}')
    (folder / "notes/other.toml").write_text(f'{SECRET} = "{SECRET}"\n')
    project.put(".git/HEAD", "ref: refs/heads/main\n")
    return folder


def said(project: Project, *commands: tuple[str, ...]) -> str:
    """Everything that the commands print; of a command with several formats in one run."""
    text = []
    lint = [options[0].rpartition("=")[2] for command, *options in commands or COMMANDS if command == "lint"]
    if len(lint) > 1:
        written = [project.root / f"{name}.report" for name in lint]
        outputs = (f"-o{name}={path}" for name, path in zip(lint, written, strict=True))
        done = project.coalint("lint", ".", *outputs)
        text += [done.out, done.err, *(path.read_text() for path in written if path.exists())]
        assert done.code == 2 or all(path.exists() for path in written)
    for command, *options in commands or COMMANDS:
        if command == "lint" and len(lint) > 1:
            continue
        done = project.coalint(command, ".", *options)
        text += [done.out, done.err]
    return "\n".join(text)


INCLUDES = (
    '#include "{file}"',
    "#include <{file}>",
    '#import "{file}"',
    '#include_next "{file}"',
    '#define F "{file}"\n#include F',
    "#define Q(...) #__VA_ARGS__\n#define S(...) Q(__VA_ARGS__)\n#include S({file})",
    '#inc\\\nlude "{file}"',
    '%:include "{file}"',
    '#/**/include "{file}"',
    '#embed "{file}"',
    'const char text[] = {{\n#embed "{file}"\n}};',
    '#line 1 "{file}"\nint x = undeclared_thing;',
    '# 1 "{file}" 1 3\nint x = undeclared_thing;',
    '#pragma GCC dependency "{file}"',
    '#pragma include_alias("x.h", "{file}")\n#include "x.h"',
    'asm(".incbin \\"{file}\\"");',
    '_Pragma("GCC dependency \\"{file}\\"")',
    "#pragma clang module load {file}",
    '#if __has_include("{file}")\n#include "{file}"\n#endif',
)


@pytest.mark.slow
def test_an_include_of_a_source_brings_nothing_from_elsewhere(outside: Path, project: Project) -> None:
    inner = project.root / "inner"
    inner.mkdir()
    (inner / "file.h").symlink_to(outside / "notes/secret.txt")
    (inner / "folder").symlink_to(outside)
    names = (
        *(str(outside / "notes/secret.txt"), "../elsewhere/notes/secret.txt", "inner/file.h"),
        *("inner/folder/notes/secret", "inner/folder/include/config.h", "inner/../../elsewhere/notes/secret"),
    )
    for form_number, form in enumerate(INCLUDES):
        for number, name in enumerate(names):
            project.put(f"k{form_number}_{number}.cu", form.format(file=name) + "\n" + READING)
    text = said(project, COMMANDS[0], COMMANDS[6])
    for form_number in range(len(INCLUDES)):
        assert f"k{form_number}_0.cu" in text
    for line in text.splitlines():
        assert SECRET not in line
    assert "Traceback" not in text
    assert "internal error" not in text


ASKED = ("{asking}({name})", "ASKS({name})", "GLUED({name})")


def test_whether_a_file_exists_elsewhere_is_not_told(outside: Path, project: Project) -> None:
    forms = [form.replace("{asking}", asking) for asking in ("__has_include", "__has_include_next") for form in ASKED]
    paths = (outside / "notes/secret", outside / "gone", Path("/etc/passwd"), Path("/etc/gone"))
    for form_number, form in enumerate(forms):
        asking = "__has_include_next" if form_number >= len(ASKED) else "__has_include"
        head = f"#define ASKS(x) {asking}(x)\n#define GLUED(x) __has_ ## include(x)\n"
        for number, path in enumerate(paths):
            name = form.format(name=f'"{path}"')
            source = f"{head}#if {name}\n#define STRIDE 5\n#else\n#define STRIDE 7\n#endif\n{KERNEL}"
            project.put(f"k{form_number}_{number}.cu", source)
    done = project.coalint("inspect", ".", "--output-format=json")
    told = {kernel["file"]: [a["stride"] for a in kernel["accesses"]] for kernel in json.loads(done.out)["kernels"]}
    assert len(told) == len(forms) * len(paths)
    for form_number in range(len(forms)):
        secret, gone, password, other = (told[f"k{form_number}_{number}.cu"] for number in range(4))
        assert secret == gone
        assert password == other


COMPILE_FLAGS = (
    *("-include {file}", "-imacros {file}", "-I{notes}", "-isystem {notes}", "-iquote {notes}", "@{file}"),
    *(
        "-I{up}",
        "--options-file {file}",
        "-Xclang -include -Xclang {file}",
        "-include inner/file.h",
        "-idirafter {notes}",
    ),
    *("-fmodule-map-file={file}", "-ivfsoverlay {file}", "-include-pch {file}", "--config {file}", "-specs={file}"),
    *(
        "-fplugin={file}",
        "-ffile-prefix-map={file}=x",
        "-Wp,-include,{file}",
        "-Xpreprocessor -include -Xpreprocessor {file}",
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("flags", COMPILE_FLAGS)
def test_a_compile_command_of_the_repository_brings_nothing_from_elsewhere(
    flags: str, outside: Path, project: Project
) -> None:
    (project.root / "inner").mkdir()
    (project.root / "inner/file.h").symlink_to(outside / "notes/secret.txt")
    words = flags.format(file=outside / "notes/secret.txt", notes=outside / "notes", up="../elsewhere/notes")
    project.put("k.cu", '#include <secret.txt>\n#include "secret"\n' + READING)
    entry = {"directory": str(project.root), "file": "k.cu", "command": f"nvcc {words} -c k.cu"}
    project.put("compile_commands.json", json.dumps([entry]))
    assert SECRET not in said(project, COMMANDS[0], COMMANDS[1], COMMANDS[6])


CONFIGURATIONS = (
    'extend = "{notes}/other.toml"',
    'extend = "inner.toml"',
    'compile-commands = "{notes}/list.json"',
    'compile-commands = "../elsewhere/notes/list.json"',
    'baseline = "{notes}/list.json"',
    'include-dirs = ["{notes}"]',
    'extra-args = ["-include", "{notes}/secret.txt"]',
    'extra-args = ["-imacros", "{notes}/secret.txt", "-isystem", "{notes}"]',
)


@pytest.mark.parametrize("text", CONFIGURATIONS)
def test_a_configuration_of_the_repository_brings_nothing_from_elsewhere(
    text: str, outside: Path, project: Project
) -> None:
    (project.root / "inner.toml").symlink_to(outside / "notes/other.toml")
    project.put("k.cu", '#include <secret.txt>\n#include "secret"\n' + READING)
    project.put("coalint.toml", text.format(notes=outside / "notes") + "\n")
    assert SECRET not in said(project, COMMANDS[0], COMMANDS[1], COMMANDS[6], ("config",))


@pytest.mark.slow
@pytest.mark.parametrize("way", ["command", "configuration"])
def test_headers_elsewhere_that_the_build_names_are_read_and_not_quoted(
    way: str, outside: Path, project: Project
) -> None:
    include = outside / "include"
    project.put("k.cu", '#include "config.h"\n' + KERNEL)
    if way == "command":
        entry = {"directory": str(project.root), "file": "k.cu", "command": f"nvcc -I{include} -c k.cu"}
        project.put("compile_commands.json", json.dumps([entry]))
    else:
        project.put("coalint.toml", f'include-dirs = ["{include}"]\n')
    done = project.coalint("inspect", "k.cu", "--output-format=json")
    assert [a["stride"] for kernel in json.loads(done.out)["kernels"] for a in kernel["accesses"]] == ["12"]
    text = said(project)
    assert SECRET not in text
    assert "is outside of the repository" in text


def strides(project: Project, *arguments: str) -> list[str]:
    done = project.coalint("inspect", *arguments, "--output-format=json", "--no-cache")
    return [a["stride"] for kernel in json.loads(done.out)["kernels"] for a in kernel["accesses"]]


@pytest.mark.slow
def test_what_the_user_names_is_theirs(outside: Path, project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    (outside / "notes/step.h").write_text("#define STRIDE 5\n")
    project.put("k.cu", '#include "step.h"\n' + KERNEL)
    for arguments in (("-I", "../elsewhere/notes"), (f"-I{outside}/notes",), ("-isystem", str(outside / "notes"))):
        assert strides(project, "k.cu", *arguments) == ["20"], arguments
    entry = {"directory": str(project.root), "file": "k.cu", "command": f"nvcc -I{outside}/notes -c k.cu"}
    (outside / "compile_commands.json").write_text(json.dumps([entry]))
    assert strides(project, "k.cu", "-p", str(outside)) == ["20"]
    (outside / "linked.cu").symlink_to(project.root / "k.cu")
    assert strides(project, str(outside / "linked.cu"), f"-I{outside}/notes") == ["20"]
    (outside / "own.toml").write_text('include-dirs = ["notes"]\n')
    assert strides(project, "k.cu", "--config", str(outside / "own.toml")) == ["20"]
    project.put("k.cu", '#include "../elsewhere/notes/step.h"\n' + KERNEL)
    assert strides(project, "k.cu") == ["?"]
    (outside / "linked.cu").unlink()
    (outside / "other.cu").write_text("")
    assert strides(project, ".", str(outside)) == ["20"]


@pytest.mark.slow
def test_a_file_that_is_reached_by_links_in_the_repository_is_read_as_ever(outside: Path, project: Project) -> None:
    project.put("real/deep/step.h", '#include "other.h"\n')
    project.put("real/deep/other.h", "#define STRIDE 5\n")
    (project.root / "alias").symlink_to("real/deep")
    (project.root / "step_link.h").symlink_to("alias/step.h")
    for name in ("alias/step.h", "real/deep/step.h", "real/../alias/step.h"):
        project.put("k.cu", f'#include "{name}"\n{KERNEL}')
        assert strides(project, "k.cu") == ["20"], name
    assert os.path.exists(outside)


@pytest.mark.slow
def test_a_repository_under_a_linked_name_is_one(
    outside: Path, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.put("include/step.h", "#define STRIDE 5\n")
    project.put("src/k.cu", '#include "step.h"\n' + KERNEL)
    alias = outside / "alias"
    alias.symlink_to(project.root)
    monkeypatch.setenv("PWD", str(alias))
    monkeypatch.chdir(alias)
    for name in ("src/k.cu", ".", str(alias / "src"), str(alias)):
        assert strides(project, name, "-I", str(alias / "include")) == ["20"], name
        assert strides(project, name, "-I", "include") == ["20"], name
        assert strides(project, name) == ["20"], name
