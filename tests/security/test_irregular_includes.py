"""Pipes and devices that libclang opens by itself, under names that a text shows or that macros compose."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import forked
import pytest
from project import STRIDED

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of Linux's files and processes")
FORMS = (
    '#include "{name}"',
    '#include_next "{name}"',
    '#import "{name}"',
    '#define F "{name}"\n#include F',
    "#define Q(...) #__VA_ARGS__\n#define S(...) Q(__VA_ARGS__)\n#include S({name})",
    '#if __has_include("{name}")\n#error there\n#endif',
    '#define HAS(x) __has_ ## include(x)\n#if HAS("{name}")\n#error there\n#endif',
    '#pragma GCC dependency "{name}"',
    '#pragma clang dependency "{name}"',
    '#pragma GCC \\\ndependency "{name}"',
    '_Pragma("GCC dependency \\"{name}\\"")',
    '#embed "{name}"',
    '#pragma include_alias("x.h", "{name}")\n#include "x.h"',
    '#line 1 "{name}"',
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    os.mkfifo(root / "pipe")
    (root / "linked").symlink_to("pipe")
    (root / "zero").symlink_to("/dev/zero")
    return root


@pytest.mark.slow
def test_what_libclang_opens_itself_never_waits_and_never_grows(repository: Path) -> None:
    """All forms in one file, which a wait or an endless read would lose to its bounds."""
    text = "\n".join(form.format(name=name) for name in ("pipe", "linked") for form in FORMS)
    (repository / "k.cu").write_text(text + "\n#line 1000\n" + STRIDED)
    (repository / "device.cu").write_text('#define F "zero"\n#include F\n' + STRIDED)
    arguments = ("--no-cache", "--timeout-per-file=20", "--output-format=concise")
    done = forked.coalint("lint", ".", *arguments, folder=repository, megabytes=1536)
    assert done.stdout.count("warning[uncoalesced-global-access]") == 2, done.stdout
    assert "not analysed" not in done.stdout
    assert "'pipe' file not found: this is a named pipe, not a regular file" in done.stdout
    assert "device.cu:2:10: info[translation-unit-error] 'zero' file not found: this is a link" in done.stdout
    assert "#error" not in done.stdout


@pytest.mark.slow
def test_a_compilation_is_explained_within_bounds(repository: Path) -> None:
    (repository / "k.cu").write_text('#define F "pipe"\n#include F\n' + STRIDED)
    doubled = "".join(f"#define M{number + 1} M{number} M{number}\n" for number in range(40))
    (repository / "bomb.cu").write_text(f"#define M0 x[n]++;\n{doubled}void f(float *x, int n) {{ M40 }}\n{STRIDED}")
    assert "'pipe' file not found" in forked.coalint("explain-compile", "k.cu", folder=repository, seconds=60).stdout
    done = forked.coalint("explain-compile", "bomb.cu", "--timeout-per-file=0.3", folder=repository, seconds=60)
    assert done.returncode == 2
    assert "the parse was ended: it took longer than 0.3 s\n  give it more with --timeout-per-file" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("before", ["link", "pipe", "folder"])
def test_a_name_that_was_refused_is_read_when_it_is_a_file(before: str, repository: Path, tmp_path: Path) -> None:
    header, outside = repository / "step.h", tmp_path / "outside.h"
    outside.write_text("#define STEP 2\n")
    (repository / "k.cu").write_text('#define F "step.h"\n#include F\n' + STRIDED.replace("8 *", "STEP *"))
    os.utime(repository / "k.cu", (1, 1))
    cache = {**os.environ, "COALINT_CACHE_DIR": str(tmp_path / "cache")}

    def lint() -> str:
        done = forked.coalint("lint", "k.cu", "--output-format=concise", folder=repository, environment=cache)
        return done.stdout

    if before == "link":
        header.symlink_to(outside)
    elif before == "pipe":
        os.mkfifo(header)
    else:
        header.mkdir()
    assert "'step.h' file not found" in lint()
    (header.rmdir if before == "folder" else header.unlink)()
    header.write_text("#define STEP 4\n")
    assert "file not found" not in lint()
