"""Runs notebook.ipynb beside this file, writes its outputs into it, and notebook.md from it for the site.

python docs/make_notebook.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

DOCS = Path(__file__).resolve().parent
NOTEBOOK = DOCS / "notebook.ipynb"
PAGE = DOCS / "notebook.md"
HEAD = """<!-- written by docs/make_notebook.py from notebook.ipynb -->
"""


def executed() -> Any:
    """The notebook, run anew in the folder of docs/; raises CellExecutionError where a cell fails."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(DOCS)}})
    client.execute()
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.execution_count = None
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = None
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return notebook


def outputs(notebook: Any) -> list[str]:
    """What the code cells print, in their order."""
    return [output_text(cell) for cell in notebook.cells if cell.cell_type == "code"]


def output_text(cell: Any) -> str:
    """What a cell prints and returns, as text."""
    parts = [output.text if "text" in output else output.data.get("text/plain", "") for output in cell.outputs]
    return "".join(parts).rstrip()


def page_text(notebook: Any) -> str:
    """The notebook as a page."""
    parts = [HEAD]
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(f"{cell.source}\n")
        else:
            parts.append(f"```python\n{cell.source}\n```\n")
            if shown := output_text(cell):
                parts.append(f"```text\n{shown}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    done = executed()
    nbformat.write(done, NOTEBOOK)
    PAGE.write_text(page_text(done), encoding="utf-8")
