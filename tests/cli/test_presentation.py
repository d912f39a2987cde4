"""What of a report is printed, and in which order, as options and configuration files say."""

from __future__ import annotations

import json

import pytest
from project import Project

KERNELS = """\
__global__ void mild(float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[2 * i];
}
__global__ void gather(float *out, const float *in, const int *index) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[index[i]];
}
__global__ void bad(float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[8 * i];
}
__global__ void faulty(float *x) {
    if (threadIdx.x < 7) __syncthreads(); x[threadIdx.x] = 1;
}
void run(float *a, int *n) {
    mild<<<4, 256>>>(a, a);
    gather<<<4, 256>>>(a, a, n);
    bad<<<4, 256>>>(a, a);
    faulty<<<4, 256>>>(a);
}
"""
MILD, GATHER, BAD, FAULTY = 3, 7, 11, 14


def lines(project: Project, *options: str) -> list[int]:
    return [line for _, _, line in project.lint("k.cu", *options).places]


@pytest.fixture(autouse=True)
def _kernels(project: Project) -> None:
    project.put("k.cu", KERNELS)


def test_findings_come_by_severity_and_cost_unless_another_order_is_asked_for(project: Project) -> None:
    assert lines(project) == [FAULTY, BAD, MILD, GATHER]
    assert lines(project, "--sort=path") == [MILD, GATHER, BAD, FAULTY]
    assert lines(project, "--sort=cost")[:2] == [BAD, MILD]


def test_a_lowest_severity_leaves_out_the_rest_and_counts_it(project: Project) -> None:
    done = project.lint("k.cu", "--min-severity=error")
    assert [line for _, _, line in done.places] == [FAULTY]
    assert done.report["hidden"]["severity"] == 3
    assert "not reported: 3 below --min-severity" in project.coalint("lint", "k.cu", "--min-severity=error").out


def test_what_is_below_the_lowest_severity_does_not_count_for_the_exit_code(project: Project) -> None:
    project.put("k.cu", KERNELS.replace("if (threadIdx.x < 7) ", ""))
    assert project.coalint("lint", "k.cu").code == 1
    assert project.coalint("lint", "k.cu", "--min-severity=error").code == 0


def test_no_more_findings_are_printed_than_asked_for_and_the_rest_count(project: Project) -> None:
    assert lines(project, "--max-findings=2") == [FAULTY, BAD]
    done = project.coalint("lint", "k.cu", "--max-findings=1", "--fail-on=warning")
    assert "faulty" in done.out
    assert "mild" not in done.out
    assert "not printed: 3 more findings (--max-findings)" in done.out
    assert done.code == 1


def test_info_is_shown_where_it_is_asked_for(project: Project) -> None:
    assert "in[index[i]]" not in project.coalint("lint", "k.cu").out
    assert "in[index[i]]" in project.coalint("lint", "k.cu", "--show-info").out


def test_quiet_prints_findings_alone(project: Project) -> None:
    loud, quiet = (project.coalint("lint", "k.cu", *options).out for options in ((), ("-q",)))
    assert loud.startswith(quiet)
    assert "kernels" in loud.removeprefix(quiet)
    assert "kernels" not in quiet
    project.put("k.cu", "__global__ void k(float *x) { x[threadIdx.x] = 0; }\n")
    assert project.coalint("lint", "-q", "k.cu").out == ""


def test_verbose_has_the_way_of_the_index(project: Project) -> None:
    assert "the index is computed from" not in project.coalint("lint", "k.cu").out
    assert "the index is computed from" in project.coalint("lint", "k.cu", "-v").out


def test_exit_zero_is_for_findings_and_not_for_errors(project: Project) -> None:
    assert project.coalint("lint", "k.cu", "--exit-zero").code == 0
    assert project.coalint("lint", "k.cu", "missing.cu", "--exit-zero").code == 2


def test_a_configuration_file_says_the_same_as_the_options(project: Project) -> None:
    options = ("--min-severity=warning", "--sort=path", "--max-findings=2", "--show-info", "--verbose")
    said = project.coalint("lint", "k.cu", *options).out
    keys = 'min-severity = "warning"\nsort = "path"\nmax-findings = 2\nshow-info = true\nverbose = true\n'
    project.put("coalint.toml", keys)
    assert project.coalint("lint", "k.cu").out == said
    assert lines(project, "--sort=severity", "--max-findings=0") == [FAULTY, BAD, MILD]
    settings = json.loads(project.coalint("config", "--output-format=json").out)
    assert json.dumps(settings).count("coalint.toml") >= 5


@pytest.mark.parametrize(
    ("option", "said"), [("--sort=size", "one of severity, cost, path"), ("--max-findings=x", "0")]
)
def test_a_wrong_value_is_refused(project: Project, option: str, said: str) -> None:
    done = project.coalint("lint", "k.cu", option)
    assert done.code == 2
    assert said in done.err
