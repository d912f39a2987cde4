"""The findings of a small file, with the lines of all their places."""

from __future__ import annotations

from typing import Any

from project import Project

HEAD = "int i = blockIdx.x * 256 + threadIdx.x;"


def found(project: Project, text: str, *options: str) -> list[dict[str, Any]]:
    """The findings of a file with this text, with the lines of their places."""
    project.put("k.cu", text)
    return [
        {**d, "lines": sorted({at["line"] for at in d["places"]})}
        for d in project.lint("k.cu", *options).report["diagnostics"]
    ]


def lines(project: Project, text: str, *options: str) -> list[tuple[str, list[int]]]:
    return sorted((d["code"], d["lines"]) for d in found(project, text, *options))
