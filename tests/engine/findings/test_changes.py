"""Findings of new code only: what git says changed since a branch left another."""

from __future__ import annotations

import subprocess

import pytest
from project import STRIDED, Project, program

TWO = """\
__device__ float get(const float *p, int i) {
    return p[8 * i];
}

__global__ void a(float *p) {
    p[8 * threadIdx.x] = 0;
}

__global__ void b(float *p) {
    p[threadIdx.x] = get(p, threadIdx.x);
    p[9 * threadIdx.x] = 0;
}
void run(float *p) { a<<<1, 64>>>(p); b<<<1, 64>>>(p); }
"""


def git(project: Project, *arguments: str) -> str:
    settings = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    command = [program("git", package="git"), *settings, *arguments]
    done = subprocess.run(command, cwd=project.root, check=True, capture_output=True, text=True)
    return done.stdout


def commit(project: Project) -> None:
    git(project, "add", "-A")
    git(project, "commit", "-qm", "state")


@pytest.fixture
def repository(project: Project) -> Project:
    """A repository whose branch `main` holds two kernels and a device function."""
    git(project, "init", "-q")
    project.put("k.cu", TWO)
    commit(project)
    git(project, "checkout", "-qb", "topic")
    return project


def lines(project: Project, *arguments: str) -> list[tuple[str, int]]:
    done = project.lint("--diff-base", "main", *(arguments or (".",)))
    assert done.code in (0, 1), done.err
    return [(file, line) for file, _, line in done.places]


def test_nothing_is_reported_where_nothing_changed(repository: Project) -> None:
    assert lines(repository) == []
    assert repository.lint("--diff-base", "main", ".").report["hidden"]["unchanged"] == 3


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("    p[8 * threadIdx.x] = 0;", "    p[8 * threadIdx.x] = 1;", [6]),
        ("    p[8 * threadIdx.x] = 0;", "    p[8 * threadIdx.x] = 0;\n    p[0] = 1;", [6]),
        ("get(p, threadIdx.x);\n", "get(p, threadIdx.x);\n\n", [2, 12]),
        ("    return p[8 * i];", "    return p[ 8 * i];", [2]),
        ("\n__global__ void b", "// b\n__global__ void b", []),
        ("}\nvoid run", "}\n\nvoid run", []),
    ],
    ids=["kernel", "line added", "calls a function", "function", "between", "behind"],
)
def test_findings_stay_in_kernels_and_functions_that_changed(
    repository: Project, before: str, after: str, expected: list[int]
) -> None:
    assert TWO.count(before) == 1
    repository.put("k.cu", TWO.replace(before, after))
    assert [line for _, line in lines(repository)] == expected


def test_a_line_that_went_counts_where_it_stood(repository: Project) -> None:
    repository.put("k.cu", TWO.replace("    p[threadIdx.x] = get(p, threadIdx.x);\n", ""))
    assert [line for _, line in lines(repository)] == [10]


@pytest.mark.parametrize("state", ["unstaged", "staged", "committed"])
def test_the_working_tree_counts_however_far_it_is(repository: Project, state: str) -> None:
    repository.put("k.cu", TWO.replace("p[8 * threadIdx.x] = 0", "p[8 * threadIdx.x] = 1"))
    if state == "staged":
        git(repository, "add", "-A")
    elif state == "committed":
        commit(repository)
    assert lines(repository) == [("k.cu", 6)]


def test_what_the_other_branch_did_meanwhile_does_not_count(repository: Project) -> None:
    git(repository, "checkout", "-q", "main")
    repository.put("k.cu", TWO.replace("p[8 * threadIdx.x] = 0", "p[8 * threadIdx.x] = 1"))
    commit(repository)
    git(repository, "checkout", "-q", "topic")
    assert lines(repository) == []


@pytest.mark.parametrize("name", ["new file.cu", "sub/größe.cu", 'tab\tand "quotes".cu', "a[1]*.cu"])
def test_new_files_count_whole_by_whatever_name(repository: Project, name: str) -> None:
    repository.put(name, STRIDED)
    assert [line for _, line in lines(repository)] == [3]
    commit(repository)
    assert [line for _, line in lines(repository)] == [3]


@pytest.mark.parametrize("name", ["new file.cu", "größe.cu", 'tab\tand "quotes".cu', "a[1]*.cu"])
def test_changed_files_are_told_by_whatever_name(repository: Project, name: str) -> None:
    git(repository, "checkout", "-q", "main")
    repository.put(name, TWO)
    commit(repository)
    git(repository, "checkout", "-qB", "topic")
    repository.put(name, TWO.replace("p[8 * threadIdx.x] = 0", "p[8 * threadIdx.x] = 1"))
    assert [line for _, line in lines(repository)] == [6]


def test_a_renamed_file_counts_by_what_changed_in_it(repository: Project) -> None:
    git(repository, "mv", "k.cu", "moved.cu")
    assert lines(repository) == []
    repository.put("moved.cu", TWO.replace("p[8 * threadIdx.x] = 0", "p[8 * threadIdx.x] = 1"))
    assert lines(repository) == [("moved.cu", 6)]


def test_the_users_settings_of_git_change_nothing(repository: Project) -> None:
    for key, value in (
        ("diff.noprefix", "true"),
        ("color.ui", "always"),
        ("diff.external", "false"),
        ("diff.relative", "true"),
    ):
        git(repository, "config", key, value)
    repository.put("k.cu", TWO.replace("p[8 * threadIdx.x] = 0", "p[8 * threadIdx.x] = 1"))
    assert lines(repository) == [("k.cu", 6)]


def test_from_a_folder_below_and_by_an_absolute_name(repository: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.put("sub/new.cu", STRIDED)
    monkeypatch.chdir(repository.root / "sub")
    assert lines(repository) == [("new.cu", 3)]
    assert lines(repository, "../k.cu") == []


def refused(project: Project, *arguments: str) -> str:
    done = project.coalint("lint", *arguments, ".")
    assert (done.code, done.out) == (2, "")
    return done.err


def test_errors_say_what_to_do(repository: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "`origin/main` is not a revision of the repository" in refused(repository, "--diff-base", "origin/main")
    assert "is not a revision" in refused(repository, "--diff-base=--output=x")
    git(repository, "checkout", "-q", "--orphan", "alone")
    git(repository, "commit", "-qm", "another beginning")
    assert "have no commit in common; in a shallow clone `git fetch --unshallow`" in refused(
        repository, "--diff-base", "main"
    )
    outside = repository.root.parent / "outside"
    outside.mkdir()
    (outside / "k.cu").write_text(STRIDED)
    monkeypatch.chdir(outside)
    assert "is not in a git repository; leave out --diff-base" in refused(repository, "--diff-base", "main")
    monkeypatch.setenv("PATH", str(outside))
    assert "--diff-base needs git, which is not installed" in refused(repository, "--diff-base", "main")
