"""What a program needs to know of a finding stands in JSON and SARIF."""

from __future__ import annotations

from project import Project

from coalint.core.version import version

GRIDS = """\
template <int N> __global__ void strided(float *out) { out[N * threadIdx.x] = 1; }
__global__ void bounded(float *out) { out[2 * threadIdx.x] = 1; }
void run(float *out) { strided<8><<<dim3(4, 2), 256>>>(out); }
"""


def test_a_finding_carries_the_launch_and_template_arguments_that_it_is_made_for(project: Project) -> None:
    project.put("k.cu", GRIDS)
    report = project.coalint("lint", "--output-format=json", "--arch=sm_90", "k.cu").report
    assert (report["arch"], report["coalint"]) == ("sm_90", version())
    by_kernel = {found["kernel"]: found for found in report["diagnostics"]}
    strided, bounded = by_kernel["strided"], by_kernel["bounded"]
    assert strided["arch"] == bounded["arch"] == "sm_90"
    assert strided["template_arguments"] == ["8"]
    assert strided["launch"] == {
        "block": [256, 1, 1],
        "grid": [4, 2, 1],
        "source": "launch",
        "file": "k.cu",
        "line": 3,
        "arguments": {},
    }
    (access,) = strided["accesses"]
    assert (access["op"], access["space"], access["bytes"], access["strides"][0]) == ("store", "global", 4, 32)
    assert access["expression"] == "out[N * threadIdx.x]"
    assert strided["cost"] == {"count": 32, "ideal": 4, "unit": "sectors", "bytes": 4, "exact": True}
    assert bounded["template_arguments"] == []
    assert (bounded["launch"]["source"], bounded["launch"]["line"], bounded["launch"]["grid"]) == (
        "assumed",
        None,
        None,
    )
    assert [place["launch"] for place in strided["places"]] == [strided["launch"]]


def test_sarif_carries_the_same_of_a_finding(project: Project) -> None:
    project.put("k.cu", GRIDS)
    (run,) = project.coalint("lint", "--output-format=sarif", "--arch=sm_90", "k.cu").report["runs"]
    assert run["properties"] == {"arch": "sm_90"}
    assert run["tool"]["driver"]["version"] == version()
    found = {r["locations"][0]["logicalLocations"][0]["name"]: r["properties"] for r in run["results"]}
    assert found["strided"]["launch"]["grid"] == [4, 2, 1]
    assert found["strided"]["templateArguments"] == ["8"]
    assert (found["strided"]["arch"], found["strided"]["weight"]) == ("sm_90", 1)
    assert found["strided"]["accesses"][0]["expression"] == "out[N * threadIdx.x]"
    assert "templateArguments" not in found["bounded"]
    assert found["bounded"]["launch"]["source"] == "assumed"


def test_a_launch_inside_of_a_string_is_placed_in_its_host(project: Project) -> None:
    project.put("k.py", f'import cupy\n\nCODE = r"""\n{GRIDS}"""\ncupy.RawModule(code=CODE)\n')
    report = project.coalint("lint", "--output-format=json", "k.py").report
    (launch,) = [found["launch"] for found in report["diagnostics"] if found["kernel"] == "strided"]
    assert (launch["file"], launch["line"]) == ("k.py", 6)
