"""Maps beneath what `coalint inspect` lists of a line, and the commands that lead on to `coalint show`."""

from __future__ import annotations

import os
import pty
import re
import shlex

import forked
import pytest
from project import Project

SOURCE = """\
extern __shared__ float s[];
__global__ void walk(float *a, int pitch) {
    a[3 * threadIdx.x] = a[threadIdx.x];
    s[threadIdx.x * pitch] = 0;
    __syncthreads();
}
template <typename T> __global__ void fill(T *a) {
    a[4 * threadIdx.x] = 0;
}
void run(float *a, long long *d, int n) {
    walk<<<1, 64, 8192>>>(a, n);
    fill<<<1, 32>>>(a);
    fill<<<1, 64>>>(d);
}
"""


def on_a_terminal(project: Project, *arguments: str) -> str:
    """What the command writes to a terminal, without its styles."""
    end, terminal = pty.openpty()
    settings = ("--color", "auto") if arguments[0] == "rule" else ("--color", "never", "--no-cache")
    child = forked.on_terminal(terminal, *arguments, *settings, folder=project.root)
    os.close(terminal)
    written = b""
    while True:
        try:
            part = os.read(end, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        written += part
    os.waitpid(child, 0)
    os.close(end)
    return re.sub(r"\x1b\[[0-9;]*m", "", written.decode()).replace("\r\n", "\n")


def test_a_line_is_listed_and_drawn_beneath_as_show_draws_it(project: Project) -> None:
    project.put("k.cu", SOURCE)
    listed = project.coalint("inspect", "k.cu:3")
    drawn = project.coalint("show", "k.cu:3")
    assert listed.code == 0
    assert "store global 4 B" in listed.out.partition(drawn.out)[0]
    assert listed.out.endswith(
        f"\n{drawn.out}\nwith another warp, iteration, number or block shape: coalint show k.cu:3\n"
    )


@pytest.mark.slow
def test_a_column_is_one_access_and_its_command_has_the_numbers_that_were_taken(project: Project) -> None:
    project.put("k.cu", SOURCE)
    done = project.coalint("inspect", "k.cu:4:5", "--arch", "sm_90", "-D", "A=b c", "--isolated")
    assert done.out.count("store shared 4 B") == 1
    assert "32-way bank conflict" in done.out
    lead = done.out.splitlines()[-1].partition(": ")[2]
    assert lead == "coalint show k.cu:4:5 --let pitch=32 --isolated --arch sm_90 -- '-DA=b c'"
    again = project.coalint(*shlex.split(lead)[1:])
    assert again.code == 0
    assert "32-way bank conflict" in again.out
    one = project.coalint("inspect", "k.cu:3:26")
    assert "load global 4 B" in one.out
    assert "store global" not in one.out


def test_several_lines_are_drawn_one_after_the_other(project: Project) -> None:
    project.put("k.cu", SOURCE)
    done = project.coalint("inspect", "k.cu:4", "k.cu:8")
    leads = [line for line in done.out.splitlines() if line.startswith("with another")]
    assert [line.partition(": ")[2] for line in leads] == ["coalint show k.cu:4 --let pitch=32", "coalint show k.cu:8"]
    assert "1 more specialization of this line" in done.out


def test_where_nothing_can_be_drawn_the_list_is_all(project: Project) -> None:
    project.put("k.cu", SOURCE)
    barrier = project.coalint("inspect", "k.cu:5")
    assert barrier.code == 0
    assert "__syncthreads" in barrier.out
    assert "coalint show" not in barrier.out
    beside = project.coalint("inspect", "k.cu:3:2")
    assert beside.err == (
        "coalint: k.cu:3:2: there is no access or barrier of an analysed kernel here; "
        "those of the line begin at columns 5, 26\n"
    )


@pytest.mark.parametrize("arguments", [("k.cu",), ("k.cu", "--output-format=json"), ("k.cu:3", "--output-format=json")])
def test_what_programs_read_has_no_hint_and_no_map(project: Project, arguments: tuple[str, ...]) -> None:
    project.put("k.cu", SOURCE)
    assert "coalint show" not in project.coalint("inspect", *arguments).out


@pytest.mark.slow
def test_on_a_terminal_the_costliest_access_is_named(project: Project) -> None:
    project.put("k.cu", SOURCE)
    *_, last = on_a_terminal(project, "inspect", "k.cu").splitlines()
    picture = "coalint show k.cu:8:5 --kernel 'fill<long long>, 64 threads (launch at line 13)'"
    assert last == f"the costliest access as a picture: {picture}"
    drawn = project.coalint(*shlex.split(last.partition(": coalint ")[2]))
    assert drawn.out.startswith("fill<long long>, 64 threads (launch at line 13)\n")
    project.put("ideal.cu", "__global__ void k(float *a) { a[threadIdx.x] = 0; }\n")
    assert "coalint show" not in on_a_terminal(project, "inspect", "ideal.cu")


@pytest.mark.slow
def test_on_a_terminal_a_report_ends_with_the_costliest_finding(project: Project) -> None:
    project.put("k.cu", SOURCE)
    *_, last = on_a_terminal(project, "lint", "k.cu", "--arch", "sm_90").splitlines()
    assert last == "the costliest access as a picture: coalint show k.cu:8:5 --arch sm_90"
    assert "coalint show" not in on_a_terminal(project, "lint", "k.cu", "--output-format", "concise")
    assert "coalint show" not in project.coalint("lint", "k.cu").out


def test_on_a_terminal_a_rule_on_costs_names_the_command_that_draws_an_access(project: Project) -> None:
    said = "To see the access of a finding lane by lane: coalint show FILE:LINE"
    *_, last = on_a_terminal(project, "rule", "COA201").splitlines()
    assert last == said
    assert said not in on_a_terminal(project, "rule", "COA301")


def test_show_offers_no_cluster(project: Project) -> None:
    project.put("k.cu", SOURCE)
    done = project.coalint("show", "k.cu:3", "--dask", "tcp://127.0.0.1:9")
    assert done.code == 2
    assert "`coalint show` has no option `--dask`; only other commands have it: `coalint lint`, " in done.err
