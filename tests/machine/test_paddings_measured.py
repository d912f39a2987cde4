"""What coalint promises of the paddings that it suggests is what a GPU counted of the padded tiles."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.verification.measured import source_hash
from coalint.machine.architecture import architecture

ROOT = Path(__file__).resolve().parents[2]
ARCHITECTURE = "sm_90"
MEASURE = "measure again: PYTHONPATH=src python benchmarks/measure_paddings.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    folder = ROOT / "benchmarks"
    sys.path.insert(0, str(folder))  # it shares the steps of measure_counters.py beside it
    try:
        spec = importlib.util.spec_from_file_location("measure_paddings", folder / "measure_paddings.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
    return module


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    path = ROOT / "docs" / "data" / f"paddings.{ARCHITECTURE}.json"
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    assert value["sha256"] == source_hash(ROOT / value["source"]), f"{value['source']} changed: {MEASURE}"
    return value


def suggested(measured: dict[str, Any]) -> list[dict[str, Any]]:
    """The tiles of which no access got worse: a pitch that makes one worse was measured, and is suggested no more."""
    return [
        tile
        for tile in measured["tiles"]
        if all(access["promised"][1] <= access["promised"][0] for access in tile["accesses"])
    ]


def test_every_count_is_what_was_promised(measured: dict[str, Any]) -> None:
    wrong = [
        f"{tile['kernel']}, line {access['line']}: promised {access['promised']}, counted {access['counted']}"
        for tile in measured["tiles"]
        for access in tile["accesses"]
        if access["promised"] != access["counted"]
    ]
    assert not wrong, "\n".join(wrong)
    assert len(measured["tiles"]) >= 8


def test_the_suggestions_are_still_those_that_were_measured(script: ModuleType, measured: dict[str, Any]) -> None:
    found = [
        {
            "kernel": item.kernel,
            "block": list(item.block),
            "declared": item.declared,
            "suggested": item.suggested,
            "accesses": [[p.line, p.operation, p.bytes, p.ideal, [p.before, p.after]] for p in item.promises],
        }
        for item in script.suggestions(ROOT / measured["source"], ARCHITECTURE)
    ]
    keys = ("line", "operation", "bytes", "ideal", "promised")
    wanted = [{**t, "accesses": [[a[key] for key in keys] for a in t["accesses"]]} for t in suggested(measured)]
    assert found == wanted, MEASURE
    assert len(wanted) == len(measured["tiles"]) - 1


def test_conflicts_fall(measured: dict[str, Any]) -> None:
    for tile in measured["tiles"]:
        before, after = (sum(a["counted"][when] for a in tile["accesses"]) for when in (0, 1))
        assert after < before, tile["kernel"]


@pytest.mark.slow
def test_the_padded_source_costs_what_was_promised(script: ModuleType, tmp_path: Path) -> None:
    """Judging the padded tiles afresh gives the numbers that the suggestion gave for them."""
    found = script.suggestions(script.SOURCE, ARCHITECTURE)
    padded = tmp_path / script.SOURCE.name
    padded.write_text(script.with_paddings(script.SOURCE.read_text(encoding="utf-8"), found), encoding="utf-8")
    checked = check_file(
        Source(str(padded)), Job((), architecture(ARCHITECTURE), (), keep=True, headers=shared_headers())
    ).checked
    costs = {
        (kernel.kernel, access.span.line, access.op.value): traffic.count
        for kernel in checked
        if kernel.analysis is not None
        for access, traffic in zip(kernel.analysis.accesses, kernel.traffics, strict=True)
        if traffic is not None
    }
    for item in found:
        for promise in item.promises:
            assert costs[item.kernel, promise.line, promise.operation] == promise.after
    assert script.suggestions(padded, ARCHITECTURE) == []
