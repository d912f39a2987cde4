"""The JSON of `lint` and `inspect`: fixed fields, numbers, and the inspection for people."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import replace

from jsonschema import validate
from sample_report import FINDING, REPORT
from synthetic import access, analysis

from coalint.core.facts.access import Operation, Space
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.causes import CauseKind, cause
from coalint.core.facts.costs import Cost, Unit
from coalint.core.facts.synchronization import Barrier, Verdict
from coalint.core.findings import Fix, Subject
from coalint.core.source.spans import Edit, Span
from coalint.engine.report import Coverage, Diagnostic, Inspected, Inspection
from coalint.machine.architecture import architecture
from coalint.machine.nvcc.instructions import instructions_of
from coalint.reporters.inspect.json import inspection_text
from coalint.reporters.inspect.text import print_inspection
from coalint.reporters.lint.json import report_text
from coalint.reporters.shared.console import console

PLACE = {"file": {"type": "string"}, **{key: {"type": "integer", "minimum": 1} for key in ("line", "column")}}

COUNTS = ("kernels", "analysed", "partial", "accesses", "exact", "symbolic", "unknown", "data_dependent")

COVERAGE_SCHEMA = {
    "type": "object",
    "required": [*COUNTS, "reasons", "installed_headers"],
    "additionalProperties": False,
    "properties": {
        **{key: {"type": "integer"} for key in COUNTS},
        "reasons": {"type": "object", "additionalProperties": {"type": "integer"}},
        "installed_headers": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        },
    },
}

REPORT_SCHEMA = {
    "type": "object",
    "required": ["schema", "diagnostics", "coverage"],
    "properties": {
        "schema": {"const": "coalint-report/1"},
        "coverage": COVERAGE_SCHEMA,
        "diagnostics": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": (
                    "code name severity confidence message file line column end_line end_column kernel notes help fix "
                    "fingerprint cost cause accesses assumed"
                ).split(),
                "properties": {
                    **PLACE,
                    "code": {"type": "string"},
                    "name": {"type": "string"},
                    "severity": {"enum": ["info", "warning", "error"]},
                    "confidence": {"enum": ["low", "medium", "high"]},
                    "message": {"type": "string"},
                    "end_line": {"type": "integer"},
                    "end_column": {"type": "integer"},
                    "kernel": {"type": ["string", "null"]},
                    "notes": {"type": "array", "items": {"type": "object", "required": ["message"]}},
                    "help": {"type": "string"},
                    "fix": {"type": ["object", "null"]},
                    "fingerprint": {"type": "string"},
                    "cost": {
                        "type": ["object", "null"],
                        "required": ["count", "ideal", "unit", "bytes", "exact"],
                        "additionalProperties": False,
                        "properties": {
                            "count": {"type": "number"},
                            "ideal": {"type": "number"},
                            "unit": {"enum": ["sectors", "wavefronts"]},
                            "bytes": {"type": "integer"},
                            "exact": {"type": "boolean"},
                        },
                    },
                    "cause": {
                        "type": ["object", "null"],
                        "required": ["kind"],
                        "properties": {"kind": {"enum": [kind.value for kind in CauseKind]}},
                        "additionalProperties": {"type": ["number", "string"]},
                    },
                    "accesses": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": "op space expression array bytes strides file line column".split(),
                            "properties": {
                                **PLACE,
                                "op": {"enum": ["load", "store", "atomic"]},
                                "space": {"enum": [space.value for space in Space]},
                                "expression": {"type": "string"},
                                "array": {"type": ["string", "null"]},
                                "bytes": {"type": "integer"},
                                "strides": {"type": "array", "items": {"type": ["integer", "null"]}},
                                "end_line": {"type": "integer"},
                                "end_column": {"type": "integer"},
                            },
                        },
                    },
                    "assumed": {"type": "array", "items": {"type": "string"}},
                    "weight": {"type": "number"},
                    "unreached": {"type": ["string", "null"]},
                    "launch_cost": {"type": ["object", "null"]},
                    "arch": {"type": ["string", "null"]},
                    "launch": {"type": ["object", "null"]},
                    "template_arguments": {"type": "array", "items": {"type": "string"}},
                    "places": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "type": "object",
                            "required": ["kernel", "severity", "message", "fingerprint", "cost", *PLACE],
                        },
                    },
                    "assumptions": {
                        "type": "object",
                        "additionalProperties": {"type": "array", "items": {"type": "string"}},
                    },
                },
            },
        },
    },
}


def test_the_json_report_has_the_fixed_fields() -> None:
    fix = Fix("read two", (Edit(FINDING.span, "in[i]"),), safe=True)
    value = json.loads(report_text(replace(REPORT, diagnostics=(Diagnostic(replace(FINDING, fix=fix), "64 threads"),))))
    validate(value, REPORT_SCHEMA)
    (diagnostic,) = value["diagnostics"]
    assert diagnostic["fix"]["edits"][0]["replacement"] == "in[i]"
    assert diagnostic["notes"][0]["line"] == 2
    assert diagnostic["notes"][-1] == {"message": "basis: 64 threads"}
    assert diagnostic["cost"] is diagnostic["cause"] is None


def test_the_json_report_carries_numbers_cause_and_accesses() -> None:
    span = FINDING.span
    finding = replace(
        FINDING,
        cost=Cost(count=8, ideal=4, unit=Unit.SECTORS, bytes=4, exact=True),
        cause=cause(CauseKind.STRIDE, bytes=8, stride="8", missing=None),
        subjects=(Subject(Operation.LOAD, Space.GLOBAL, "in[2 * i]", "", 4, (8, None, 0), span),),
        assumed=("width % 32 == 0",),
        rests_on=(("block_shape", "32x8"), ("alignment", "width % 32 == 0")),
    )
    value = json.loads(report_text(replace(REPORT, diagnostics=(Diagnostic(finding),))))
    validate(value, REPORT_SCHEMA)
    (diagnostic,) = value["diagnostics"]
    assert diagnostic["cost"] == {"count": 8, "ideal": 4, "unit": "sectors", "bytes": 4, "exact": True}
    assert diagnostic["cause"] == {"kind": "stride", "bytes": 8, "stride": "8"}
    assert diagnostic["assumed"] == ["width % 32 == 0"]
    assert diagnostic["assumptions"] == {"block_shape": ["32x8"], "alignment": ["width % 32 == 0"]}
    (read,) = diagnostic["accesses"]
    assert (read["op"], read["array"], read["strides"], read["line"]) == ("load", None, [8, None, 0], 4)
    assert value["coverage"]["reasons"]["a call that is not followed"] == 1


def inspected() -> Inspection:
    at: Callable[[int, int, int], int | None] = lambda x, y, z: 8 * (x + 32 * y)  # noqa: E731
    read = access(at, expression="in[2 * i]")
    tile = replace(access(lambda x, y, z: 128 * x + 4 * y, space=Space.SHARED), span=Span("k.cu", 11, 5, 11, 9))
    lost = replace(access(None, expression="in[idx[i]]"), span=Span("k.cu", 12, 5, 12, 9))
    spec = read.specialization
    barrier = Barrier("k", spec, "__syncthreads", "block", Span("k.cu", 13, 5, 13, 9), Verdict.DIVERGENT, "only some")
    kernel: Analysis = analysis(read, tile, lost, barriers=(barrier,))
    made = instructions_of(kernel.accesses, kernel.barriers, architecture("sm_80"), lambda _: False)
    return Inspection((Inspected(kernel, made),), Coverage(1, 1, 3, 2, 0, 1, {"not known": 1}), ())


def test_the_json_inspection_has_the_fixed_fields() -> None:
    value = json.loads(inspection_text(inspected()))
    assert value["schema"] == "coalint-inspect/1"
    validate(value["coverage"], COVERAGE_SCHEMA)
    (kernel,) = value["kernels"]
    assert kernel["name"] == "k"
    assert kernel["template_arguments"] == []
    assert kernel["launch"] == {
        "block": [32, 8, 1],
        "grid": None,
        "source": "launch",
        "file": "k.cu",
        "line": 90,
        "arguments": {},
    }
    read, tile, lost = kernel["accesses"]
    assert read == {
        "file": "k.cu",
        "line": 10,
        "column": 5,
        "space": "global",
        "op": "load",
        "bytes": 4,
        "instruction": {"bytes": 4, "merged": False},
        "expression": "in[2 * i]",
        "stride": "8",
        "sectors": 8.0,
        "sectors_ideal": 4.0,
        "wavefronts": None,
        "wavefronts_ideal": None,
        "exact": True,
        "assumed": [],
        "assumptions": {},
        "aligned_if": None,
        "good_if": [],
        "unknown": None,
        "data_dependent": False,
    }
    assert (tile["sectors"], tile["wavefronts"], tile["wavefronts_ideal"]) == (None, 32.0, 1.0)
    assert (lost["sectors"], lost["unknown"]) == (None, "not known")
    assert kernel["barriers"] == [
        {
            "file": "k.cu",
            "line": 13,
            "column": 5,
            "function": "__syncthreads",
            "scope": "block",
            "verdict": "divergent",
            "because": "only some",
        }
    ]


INSPECTED = """\
k.cu:10: k, 32x8 threads (launch at line 90)
  at    what             stride  cost                        expression
  10:5  load global 4 B  8       8/4 sectors      exact      in[2 * i]
  11:5  load shared 4 B  128     32/1 wavefronts  exact      in[i]
  12:5  load global 4 B  ?                        unknown    in[idx[i]]
        not known
  13:5  block barrier                             divergent  __syncthreads
        only some

1 kernel, 3 accesses (2 exact, 0 symbolic, 1 unknown)
unknown: 1 access: 1x not known
"""


def test_the_inspection_for_people_has_a_line_per_access() -> None:
    out = console("never")
    out.file = io.StringIO()
    print_inspection(inspected(), out)
    assert out.file.getvalue() == INSPECTED
