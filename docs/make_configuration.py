"""Writes configuration.md beside this file, and the JSON schema of configuration files, from the table of keys.

python docs/make_configuration.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from coalint.engine.config.files import EXTEND, EXTEND_TEXT
from coalint.engine.config.schema import FILE, plain_default, schema_text
from coalint.engine.config.settings import keys

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "configuration.md"

INTRODUCTION = """\
# Configuration

coalint reads `.coalint.toml`, `coalint.toml` or the table `[tool.coalint]` of `pyproject.toml`:

```toml
# coalint.toml
arch = "sm_90"
ignore = ["misaligned-global-access"]
include-dirs = ["include"]
exclude = ["third_party/"]

[severity]
divergent-barrier = "error"

[per-file-ignores]
"tests/" = ["COA1"]
```

```sh
coalint config kernels/transpose.cu
```

shows every setting that applies to a file or folder, and what set it: a file, the command line, or the default
(`--output-format json` for programs).

## Which file applies

- *The nearest one.* For each linted file, coalint uses the configuration in its folder, or in the nearest folder
  above that has one. Configurations further up are ignored, unless the nearest one names them with `extend`. A
  `pyproject.toml` without `[tool.coalint]` is ignored.
- *One per folder.* If a folder has several, `.coalint.toml` comes before `coalint.toml`, and `coalint.toml` before
  `pyproject.toml`. The others are not read, and a warning says so.
- *Headers.* A kernel is analysed with the settings of the linted file (its flags, `arch`, `assume`), even if its code
  is in a header. What is reported in a file, and with which severity (`select`, `ignore`, `per-file-ignores`,
  `severity`), is decided by the configuration of the file that contains the finding. A rule runs if the settings of any
  linted file select it.
- *The run.* `{run}` apply to a run as a whole and are taken from the configuration of the working directory.
- *The command line wins.* Options replace what files say. `--assume`, `--exclude`, `--ignore`, `--extend-select` and
  compiler flags are added to it.
- `--config FILE` uses that file for everything, instead of the files found. `--config 'KEY = VALUE'` sets one key
  (`--config 'arch = "sm_90"'`, `--config 'severity.COA101 = "error"'`). `--isolated` reads no file.

`extend = "../base.toml"` builds on another file, which may extend a third. Paths and patterns are relative to the file
that contains them. A key replaces the same key of the extended file, with two exceptions: `ignore` and `extend-select`
add to it (a `select` starts over), and tables are merged entry by entry, where the last entry wins.

A rule is named by its code (`COA101`), its name (`uncoalesced-global-access`), a code prefix (`COA1`) or `ALL`. If two
selectors in one file disagree about a rule, the more specific one wins: `select = ["COA2"]` with `ignore = ["COA"]`
reports COA2.

An unknown key, a value of the wrong type, or an unknown rule ends the run with exit code 2, and the message names the
file, line and key. The cache folder and a Dask scheduler cannot be set here: a repository must not decide where its
reader's results come from.

The package contains a JSON schema for editors; `coalint config --output-format schema` prints it. Taplo, and the
extensions built on it, check a file that begins with `#:schema ./coalint.schema.json` against the schema.

## Keys
"""


def page_text() -> str:
    """The page."""
    per_run = "`, `".join(name for name, (_, key, _) in keys().items() if key.per_run)
    return INTRODUCTION.replace("{run}", per_run) + "".join(_sections())


def _sections() -> Iterator[str]:
    yield f'\n### `{EXTEND}`\n\n{EXTEND_TEXT}\n\n```toml\n{EXTEND} = "../coalint.toml"\n```\n'
    for name, (_, key, default) in keys().items():
        plain = plain_default(key, default)
        said = [f"Default: {'not set' if plain is None else f'`{json.dumps(plain)}`'}."]
        said += [f"Option: `{key.option}`."] if key.option else []
        said += ["Applies to the run as a whole."] if key.per_run else []
        yield f"\n### `{name}`\n\n{key.text}\n\n{' '.join(said)}\n\n```toml\n{key.example}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
    FILE.write_text(schema_text(), encoding="utf-8")
