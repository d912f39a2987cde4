"""What mkdocs is told beyond mkdocs.yml: pages from the root, rules that are new, links that leave docs/.

In the repository, pages link to files beside docs/, as ../fixtures/README.md: on the site these link to the repository.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
FROM_ROOT = {f"{name.lower()}.md": f"{name}.md" for name in ("ARCHITECTURE", "CONTRIBUTING", "SECURITY", "CHANGELOG")}
"""Pages of the site that are files at the root."""
_LINK = re.compile(r"(?<!\!)\[([^\]]*)\]\(((?!https?:|mailto:|#)[^)\s]+)\)")
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages of the root."""
    for name, source in FROM_ROOT.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make links that leave docs/ links to the repository, and those to the root's pages links to the site's."""
    name = page.file.src_uri
    folder = ROOT if name in FROM_ROOT else (ROOT / "docs" / name).parent
    of_root = {ROOT / source: page_name for page_name, source in FROM_ROOT.items()}
    repository = str(config.repo_url).rstrip("/")

    def resolved(match: re.Match[str]) -> str:
        text, target = match[1], match[2]
        path, _, anchor = target.partition("#")
        file = Path(os.path.normpath(folder / path))
        tail = f"#{anchor}" if anchor else ""
        if file in of_root:
            return f"[{text}]({os.path.relpath(of_root[file], Path(name).parent)}{tail})"
        if file.is_relative_to(ROOT / "docs"):
            inner = file.relative_to(ROOT / "docs").as_posix()
            if name in FROM_ROOT:
                return f"[{text}]({inner}{tail})"
            in_repository = f"[{text}]({repository}/blob/main/docs/{inner}{tail})"
            return match[0] if files.get_file_from_path(inner) else in_repository
        if not file.exists():
            return match[0]  # mkdocs complains of it
        kind = "tree" if file.is_dir() else "blob"
        return f"[{text}]({repository}/{kind}/main/{file.relative_to(ROOT).as_posix()}{tail})"

    parts: list[Any] = []
    place = 0
    for fence in _FENCED.finditer(markdown):
        parts += [_LINK.sub(resolved, markdown[place : fence.start()]), fence[0]]
        place = fence.end()
    return "".join([*parts, _LINK.sub(resolved, markdown[place:])])
