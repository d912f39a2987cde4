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

shows every setting for a file or folder with what set it: a file, the command line, or the default (`--output-format
json` for programs).

## Which file counts

- *The nearest one.* For each file that is linted, coalint takes the configuration of its folder or of the nearest
  folder above. Configurations further up do not count, unless the nearest one names them with `extend`. A
  `pyproject.toml` without `[tool.coalint]` is passed over.
- *One in a folder.* Of several, `.coalint.toml` comes before `coalint.toml` and that before `pyproject.toml`; the
  others are not read, and a warning says so.
- *Headers.* A kernel is analysed under the settings of the file that was linted (its flags, `arch`, `assume`), also
  where its code stands in a header. What is reported in a file, and how severe it is (`select`, `ignore`,
  `per-file-ignores`, `severity`), is decided by the configuration of the file that the finding stands in. A rule runs
  if the settings of any linted file select it.
- *The run.* `{run}` hold for a run as a whole and are taken from the configuration of the working directory.
- *The command line wins.* Options replace what files say; `--assume`, `--exclude`, `--ignore`, `--extend-select` and
  the flags of the compiler come on top.
- `--config FILE` takes that file for everything in place of those that are found, `--config 'KEY = VALUE'` sets one
  key (`--config 'arch = "sm_90"'`, `--config 'severity.COA101 = "error"'`), and `--isolated` reads no file.

`extend = "../base.toml"` builds on another file, which may extend a third; paths and patterns of each are relative to
itself. A key replaces the same key of the extended file, but `ignore` and `extend-select` add to it (until a
`select`, which begins anew), and the tables are joined entry by entry, of which the last counts.

Rules are named by code (`COA101`), name (`uncoalesced-global-access`), prefix of codes (`COA1`) or `ALL`. Where two
selectors of one file disagree about a rule, the more exact one decides: `select = ["COA2"]` with `ignore = ["COA"]`
reports COA2.

An unknown key, a value of the wrong type, or a rule that does not exist ends the run with exit code 2, and the
message names file, line and key. Folders for the cache and a Dask scheduler cannot be set here: a repository must not
say where its reader's results come from.

A JSON schema for editors comes with the package; `coalint config --output-format schema` prints it, and taplo and the
extensions built on it check a file that begins with `#:schema ./coalint.schema.json` against it.

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
        said += ["Counts for the run."] if key.per_run else []
        yield f"\n### `{name}`\n\n{key.text}\n\n{' '.join(said)}\n\n```toml\n{key.example}\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page_text(), encoding="utf-8")
    FILE.write_text(schema_text(), encoding="utf-8")
