"""Writes study.html beside this file: accesses to play with, and the measured curves beside them.

    python docs/make_study.py

The accesses are those of study/accesses.cu, analysed here; the page computes them anew with the scripts of the report
(src/coalint/reporters/html). The measurements are those of curves.md.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from coalint.analysis.evaluate import analyse
from coalint.analysis.launches.specializations import specialize
from coalint.frontend.cuda.load import load
from coalint.machine.architecture import architecture
from coalint.machine.nvcc.instructions import as_written
from coalint.reporters.html.data import Nodes, access_data, architecture_data
from coalint.reporters.html.page import MAPS, json_text, part, script

ROOT = Path(__file__).resolve().parent.parent
PARTS = ROOT / "docs" / "study"
ARCH = architecture("sm_90")
CURVES = ("stride", "records", "conflicts")
PITCH = re.compile(r"tile<(\d+)>")


def page_text() -> str:
    """The page, from its parts and the measurements."""
    curves = json.loads((ROOT / "docs" / "data" / "curves.sm_90.json").read_text(encoding="utf-8"))
    parts = {
        "MACHINE": f"an {curves['gpu']} (CUDA {curves['cuda']}, {curves['date']})",
        "STYLE": part("style.css") + own("style.css"),
        "SCRIPT": script(tuple(name for name in MAPS if name not in ("panel.js", "plan.js"))) + own("script.js"),
        "DATA": json_text(data(curves)),
    }
    return re.sub("@([A-Z]+)@", lambda found: parts[found[1]], own("page.html"))


def own(name: str) -> str:
    """A part of this page alone."""
    return (PARTS / name).read_text(encoding="utf-8")


def data(curves: dict[str, Any]) -> dict[str, Any]:
    """The accesses of accesses.cu and the measured points."""
    nodes = Nodes()
    accesses: list[dict[str, Any]] = []
    module = load(str(PARTS / "accesses.cu"), ())
    for kernel, specialization in specialize(module):
        arguments = ", ".join(specialization.template_arguments)
        name = f"{kernel.name}<{arguments}>" if arguments else kernel.name
        for access in analyse(module, kernel, specialization, with_models=True).accesses:
            written = access_data(as_written(access, ARCH), ARCH, nodes)
            kept = {key: written[key] for key in ("space", "op", "bytes", "service", "expression", "model")}
            accesses.append({"kernel": name, "block": list(specialization.block), "access": kept})
    return {
        "architecture": architecture_data(ARCH),
        "pitches": sorted({int(found[1]) for item in accesses if (found := PITCH.fullmatch(item["kernel"]))}),
        "nodes": nodes.written,
        "accesses": accesses,
        "curves": {name: [p for p in curves["points"] if p["curve"] == name] for name in CURVES},
    }


if __name__ == "__main__":
    (ROOT / "docs" / "study.html").write_text(page_text(), encoding="utf-8")
