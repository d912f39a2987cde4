"""The published schemas hold for real output and name every field of it, and the page is written from them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from project import Project

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs"))

import make_json  # noqa: E402  (a script of docs/)

from coalint.core.addresses import SITE  # noqa: E402

SOURCE = """\
struct Point { float x, y, z, w; };
template <typename T, int N> __global__ void strided(T *out, const int *index, Point *points, int n) {
    __shared__ float tile[32][32];
    if (threadIdx.x > 3) return;
    __syncthreads();
    tile[threadIdx.x % 32][0] = out[N * threadIdx.x];
    out[index[threadIdx.x]] = tile[0][0];
    points[threadIdx.x].x = n;
    atomicAdd(&out[0], 1.0f);
    out[threadIdx.x + 1] = 0;
}
__global__ void hides(float *a) { a[threadIdx.x] = 0; }  // coalint: ignore[COA101]
__global__ void column(float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(float *a, int *i, Point *p, int n) {
    strided<float, 8><<<4, 256>>>(a, i, p, n);
    column<<<1, dim3(32, 32)>>>(a);
}
"""


def strict(value: Any) -> Any:
    """The schema without leave for fields that it does not describe."""
    if isinstance(value, list):
        return [strict(item) for item in value]
    if not isinstance(value, dict):
        return value
    inner = {key: strict(item) for key, item in value.items()}
    if isinstance(inner.get("properties"), dict) and "type" in inner and "additionalProperties" not in inner:
        inner["additionalProperties"] = False
    return inner


@pytest.mark.parametrize(
    ("command", "name"), [("lint", "report-1"), ("inspect", "inspect-1"), ("profile", "profile-1")]
)
def test_real_output_has_the_fields_of_the_schema_and_no_others(command: str, name: str, project: Project) -> None:
    project.put("k.cu", SOURCE)
    schema = make_json.schema(name)
    Draft202012Validator.check_schema(schema)
    every = ("--select=ALL", "--preview") if command == "lint" else ()
    report = project.coalint(command, "--output-format=json", *every, "k.cu").report
    errors = [error.message for error in Draft202012Validator(strict(schema)).iter_errors(report)]
    assert errors == [], "describe new fields in docs/schemas, then: python docs/make_json.py"
    if command == "lint":
        found = report["diagnostics"]
        assert {d["code"] for d in found} >= {"COA101", "COA104", "COA201"}
        for field in ("fix", "cost", "cause", "accesses", "notes"):
            assert any(d[field] for d in found), f"an example has `{field}`"
    elif command == "profile":
        assert any(i["executed"] for kernel in report["kernels"] for i in kernel["instructions"])
    else:
        assert any(kernel["barriers"] for kernel in report["kernels"])


def test_a_line_of_jsonl_is_a_diagnostic_of_the_schema(project: Project) -> None:
    project.put("k.cu", SOURCE)
    schema = make_json.schema("report-1")
    validator = Draft202012Validator({**strict(schema["$defs"]["diagnostic"]), "$defs": strict(schema["$defs"])})
    lines = project.coalint("lint", "--output-format=jsonl", "k.cu").out.splitlines()
    assert len(lines) > 3
    for line in lines:
        assert list(validator.iter_errors(json.loads(line))) == []


def test_the_schemas_are_where_they_say() -> None:
    for name in make_json.NAMES:
        assert make_json.schema(name)["$id"] == f"{SITE}schemas/{name}.schema.json"


def test_the_page_is_written_from_the_schemas() -> None:
    assert (ROOT / "docs" / "json.md").read_text(encoding="utf-8") == make_json.page_text()
