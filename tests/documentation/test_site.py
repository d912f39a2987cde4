"""The documentation site is built without a warning, without the network, and has the pages that coalint links to."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from project import program

from coalint.core.addresses import REPOSITORY, SITE, page
from coalint.engine.registry import load_rules

ROOT = Path(__file__).resolve().parents[2]


def settings() -> str:
    return (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_the_site_is_at_the_address_that_coalint_links_to() -> None:
    assert f"site_url: {SITE}\n" in settings()
    assert f"repo_url: {REPOSITORY}\n" in settings()


def test_the_navigation_has_every_page() -> None:
    named = set(re.findall(r"([\w./-]+\.md)$", settings(), re.MULTILINE))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    pages |= {"architecture.md", "contributing.md", "security.md", "changelog.md"}
    assert named == pages, f"mkdocs.yml lacks {sorted(pages - named)} and names {sorted(named - pages)} in vain"


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_has_a_page_for_each_rule(tmp_path: Path) -> None:
    program("mkdocs", package="pip install 'coalint[docs]'")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    environment = {**os.environ, **nowhere, "NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr
    site = tmp_path / "site"
    addresses = [rule.address() for rule in load_rules() if rule.address()]
    assert len(addresses) > 15
    for address in (SITE, page("tutorial"), page("configuration"), *addresses):
        assert (site / address.removeprefix(SITE) / "index.html").is_file(), address
    for name in ("schemas/report-1.schema.json", "study.html", "report.svg", "maps/COA101-example.svg"):
        assert (site / name).is_file(), name
    text = (site / "counters" / "index.html").read_text(encoding="utf-8")
    assert f'href="{REPOSITORY}/blob/main/fixtures/' in text
    loaded = re.findall(r'(?:src|<link[^>]*href)="(https?://[^"]+)"', (site / "index.html").read_text(encoding="utf-8"))
    assert [address for address in loaded if not address.startswith(SITE)] == [], "it loads nothing from elsewhere"
