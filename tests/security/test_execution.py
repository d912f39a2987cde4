"""Nothing that a repository brings is run: by git, by Python, by libclang."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import forked
import pytest
from project import STRIDED, program

CUPY = f'import cupy\nk = cupy.RawKernel("""\n{STRIDED}\n""", "k")\n'


@pytest.fixture
def marked(tmp_path: Path) -> Path:
    """A folder with a program that leaves a mark when it is run."""
    trap = tmp_path / "trap.sh"
    trap.write_text(f'#!/bin/sh\necho "$0 $*" >> {tmp_path}/ran\ncat "$2" 2>/dev/null\nexit 0\n')
    trap.chmod(0o755)
    return tmp_path


def ran(folder: Path) -> bool:
    return (folder / "ran").exists()


def git(folder: Path, *arguments: str) -> None:
    settings = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(
        [program("git", package="git"), *settings, *arguments], cwd=folder, check=True, capture_output=True, timeout=60
    )


def test_git_runs_nothing_that_the_repositorys_configuration_names(marked: Path) -> None:
    repository, trap = marked / "repository", marked / "trap.sh"
    repository.mkdir()
    git(repository, "init", "-q")
    (repository / "k.cu").write_text("// nothing\n")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "one")
    (repository / ".gitattributes").write_text("*.cu diff=evil filter=evil merge=evil\n*.h filter=e=v.il\n")
    (repository / "k.cu").write_text(STRIDED)
    (repository / "k.h").write_text("// new\n")
    hooks = repository / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "post-checkout", "pre-commit", "reference-transaction", "fsmonitor-watchman"):
        (hooks / name).symlink_to(trap)
    settings = {
        "core.fsmonitor": str(trap),
        "core.hooksPath": str(hooks),
        "core.pager": str(trap),
        "core.editor": str(trap),
        "core.sshCommand": str(trap),
        "core.alternateRefsCommand": str(trap),
        "core.askPass": str(trap),
        "diff.external": str(trap),
        "diff.evil.command": str(trap),
        "diff.evil.textconv": str(trap),
        "filter.evil.clean": str(trap),
        "filter.evil.smudge": str(trap),
        "filter.evil.process": str(trap),
        "filter.evil.required": "true",
        "filter.e=v.il.clean": str(trap),
        "filter.e=v.il.required": "true",
        "merge.evil.driver": str(trap),
        "gpg.program": str(trap),
        "log.showSignature": "true",
        "credential.helper": f"!{trap}",
        "alias.diff": f"!{trap}",
        "alias.rev-parse": f"!{trap}",
        "pager.diff": str(trap),
        "interactive.diffFilter": str(trap),
        "remote.origin.url": f"ext::{trap} x",
        "remote.origin.promisor": "true",
        "remote.origin.uploadpack": str(trap),
        "extensions.partialClone": "origin",
        "protocol.ext.allow": "always",
        "uploadpack.packObjectsHook": str(trap),
        "core.excludesFile": str(marked / "pipe"),
        "core.attributesFile": str(marked / "pipe"),
        "diff.orderFile": str(marked / "pipe"),
    }
    with (repository / ".git/config").open("a") as config:
        for key, value in settings.items():
            (section, *middle), name = key.split(".")[:-1], key.rpartition(".")[2]
            head = f'{section} "{".".join(middle)}"' if middle else section
            config.write(f'[{head}]\n\t{name} = "{value}"\n')
    subprocess.run(["git", "diff", "HEAD"], cwd=repository, capture_output=True, timeout=60)
    assert ran(marked), "the trap works"
    os.mkfifo(marked / "pipe")
    (marked / "ran").unlink()
    lint = ("lint", ".", "-j1", "--output-format=concise")
    done = forked.coalint(*lint, "--diff-base=HEAD", folder=repository)
    assert "k.cu:3:14: warning" in done.stdout, done.stderr
    missing = forked.coalint(*lint, "--diff-base=0123456789012345678901234567890123456789", folder=repository)
    assert missing.returncode == 2
    assert not ran(marked), (marked / "ran").read_text()


MODULES = (
    *("sitecustomize", "usercustomize", "clang", "numpy", "sympy", "json", "typing", "coalint", "cupy", "numba"),
    *("pathspec", "rich", "platformdirs", "conftest", "setup", "tomllib", "six", "attr"),
)


@pytest.mark.slow
def test_python_of_the_repository_is_never_imported(marked: Path) -> None:
    repository = marked / "repository"
    (repository / "coalint").mkdir(parents=True)
    mark = f"open({str(marked / 'ran')!r}, 'a').write(__name__)\nimport os; os._exit(3)\n"
    for name in MODULES:
        (repository / f"{name}.py").write_text(mark)
    (repository / "coalint/__init__.py").write_text(mark)
    (repository / "pyproject.toml").write_text(
        '[project]\nname = "evil"\nversion = "1"\n[project.entry-points."coalint.rules"]\nevil = "setup"\n'
        "[tool.coalint]\nignore = []\n"
    )
    (repository / "evil-1.dist-info").mkdir()
    (repository / "evil-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1\n")
    (repository / "evil-1.dist-info/entry_points.txt").write_text("[coalint.rules]\nevil = setup\n")
    (repository / "k.cu").write_text(STRIDED)
    (repository / "host.py").write_text(CUPY + mark)
    script = Path(sys.executable).with_name("coalint")
    command = [str(script)] if script.exists() else [sys.executable, "-P", "-m", "coalint"]
    lint = ("lint", ".", "-j2", "--no-cache", "--output-format=concise")
    several = (
        "import sys\nfrom coalint.cli.main import main\n"
        "for arguments in (['inspect', '.', '-j1'], ['config', '.'], ['explain-compile', 'k.cu']):\n"
        "    print('came to', main(arguments))\n"
    )
    for call, said in (([*command, *lint], "host.py:"), ([sys.executable, "-P", "-c", several], "came to 0")):
        done = subprocess.run(call, cwd=repository, capture_output=True, text=True, timeout=300, input="")
        assert done.stdout.count(said) >= 1 + 2 * (said == "came to 0"), done.stderr
        assert not ran(marked), (call, (marked / "ran").read_text())


@pytest.mark.parametrize("key", ["plugins", "rules", "packs", "load", "executor"])
def test_a_configuration_names_no_rule_pack(key: str, tmp_path: Path) -> None:
    (tmp_path / "coalint.toml").write_text(f'{key} = ["evil"]\n')
    (tmp_path / "k.cu").write_text(STRIDED)
    done = forked.coalint("lint", ".", folder=tmp_path)
    assert done.returncode == 2
    assert f"`{key}` is not a key of coalint" in done.stderr
