"""Runs git over a stranger's repository: nothing that its configuration names is run, and nothing is fetched."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping

SECONDS = 120
"""Seconds after which one call is given up."""
_FIXED = {
    "core.quotePath": "off",
    "diff.noprefix": "false",
    "diff.external": "",
    "core.fsmonitor": "false",
    "core.untrackedCache": "false",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.sshCommand": "false",
    "core.gitProxy": "false",
    "core.alternateRefsCommand": "",
    "log.showSignature": "false",
    "core.bigFileThreshold": "32m",  # larger files are not compared: coalint reads none
}
_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
}
_FILTER = re.compile(r"filter\.(.*)\.\w+", re.DOTALL)
_BROUGHT = ("local", "worktree")
_FILES = {"core.excludesfile", "core.attributesfile", "diff.orderfile"}
"""What git would read without bounds wherever it lies: a pipe for ever."""


class GitError(Exception):
    """A call failed; the text says which and why."""


class NoGitError(GitError):
    """There is no git."""


class SlowGitError(GitError):
    """A call was given up; others would be, too."""


def git(folder: str, *arguments: str) -> bytes:
    """Return what git prints. Raises GitError.

    Filters of a user's own configuration run, as git-lfs's; those of the repository's do not.
    """
    return _run(folder, arguments, {**_FIXED, **dict(_without_what_is_brought(folder))})


def _without_what_is_brought(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the settings that switch off filters, and files of patterns, of the repository's own configuration."""
    try:
        listed = _run(folder, ("config", "--list", "--show-scope", "--name-only", "-z"), _FIXED)
    except (NoGitError, SlowGitError):
        raise
    except GitError:  # no repository: what is asked next says so
        return
    words = os.fsdecode(listed).split("\0")
    brought = {key for scope, key in zip(words[::2], words[1::2], strict=False) if scope in _BROUGHT}
    yield from ((key, os.devnull) for key in sorted(brought & _FILES))
    for name in sorted({match[1] for key in brought if (match := _FILTER.fullmatch(key))}):
        yield f"filter.{name}.required", "false"
        for command in ("clean", "smudge", "process"):
            yield f"filter.{name}.{command}", ""


def _run(folder: str, arguments: tuple[str, ...], settings: Mapping[str, str]) -> bytes:
    before = int(os.environ.get("GIT_CONFIG_COUNT") or 0) if os.environ.get("GIT_CONFIG_COUNT", "").isdigit() else 0
    environment = {**os.environ, **_ENVIRONMENT, "GIT_CONFIG_COUNT": str(before + len(settings))}
    for number, (key, value) in enumerate(settings.items(), before):
        environment[f"GIT_CONFIG_KEY_{number}"], environment[f"GIT_CONFIG_VALUE_{number}"] = key, value
    command = ["git", "--no-pager", "-C", folder, *arguments]
    try:
        done = subprocess.run(command, capture_output=True, env=environment, timeout=SECONDS, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise NoGitError("--diff-base needs git, which is not installed or not on the PATH") from None
    except subprocess.TimeoutExpired:
        raise SlowGitError(f"`git {arguments[0]}` took longer than {SECONDS} s in {folder}") from None
    if done.returncode:
        reason = os.fsdecode(done.stderr).strip() or f"exit code {done.returncode}"
        raise GitError(f"`git {arguments[0]}` failed in {folder}: {reason}")
    return done.stdout
