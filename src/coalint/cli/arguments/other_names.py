"""What other linters and compilers call what coalint has under another name."""

from __future__ import annotations

_NAMES = {
    "--output-format": "--format -f --reporter --formatter --report-format --print-format --error-format --fmt --emit",
    "--output": "--output-file --out --report --export-fixes --outfile",
    "--select": "--rules --rule --checks --check --enable-only --tests --only -checks",
    "--extend-select": "--enable --extend-checks --warn --add-rules",
    "--ignore": "--disable --suppress --skip --skip-rules --disable-checks --exclude-rule --no-rule",
    "--exclude": "--skip-files --exclude-dir --exclude-file --extend-exclude --ignore-path --ignore-files",
    "--fail-on": "--fail-level --error-exitcode --severity-threshold --fail-under --fail-severity --error-on "
    "--warnings-as-errors",
    "--exit-zero": "--no-fail --no-error --allow-findings --soft-fail --no-exit-code --warn-only",
    "--quiet": "--silent --no-summary -s",
    "--verbose": "--debug --show-source --details",
    "--min-severity": "--severity --level --minimum-severity --severity-level",
    "--max-findings": "--max-issues --limit --max-warnings --max-problems",
    "--sort": "--sort-by --order --order-by",
    "--arch": "-arch --gpu-architecture --gpu-arch --cuda-gpu-arch --offload-arch --target --gpu -gencode",
    "-p": "--compile-commands --build-dir --build-path --build-folder --compile-database --compilation-database",
    "-I": "--include-dir --include-path --include-directory --includes",
    "--toolkit": "--cuda-path --cuda-home --cuda-root --cuda-dir --cuda-toolkit",
    "-D": "--define --macro",
    "-std": "--std --standard --c++-standard",
    "--isolated": "--no-config --no-config-file --ignore-config --norc",
    "--config": "--config-file --rcfile --settings --conf",
    "--jobs": "--threads --parallel --processes --workers --num-workers --concurrency -n",
    "--no-cache": "--clear-cache --ignore-cache --disable-cache",
    "--cache-dir": "--cache-path --cache-folder --cache",
    "--fix": "--autofix --auto-fix --write --in-place -i --apply --fixit --fix-only",
    "--unsafe-fixes": "--fix-errors --fix-unsafe --aggressive",
    "--add-ignores": "--add-noqa --add-nolint --add-suppressions",
    "--no-ignores": "--ignore-noqa --disable-noqa --no-suppressions --no-inline-config --disable-suppressions",
    "--statistics": "--stats --summary --count --counts --show-statistics",
    "--diff-base": "--since --new-from-rev --changed-since --from-ref --diff-against --git-base",
    "--baseline": "--baseline-file --known-issues",
    "--stdin-filename": "--stdin-file-path --stdin-display-name --assume-filename --filename",
    "--color": "--colour --colors --no-color --force-color",
    "--timeout-per-file": "--timeout --time-limit",
    "--memory-per-file": "--memory-limit --max-memory",
    "--block": "--block-size --blockdim --threads-per-block",
    "--let": "--set --value --param",
    "--ncu": "--report-csv --export --ncu-rep",
}
_COMMANDS = {
    "--explain --explain-rule --rule-help --help-rule --list-checks --list-rules --describe": "coalint rule",
    "--show-settings --show-config --print-config --dump-config": "coalint config",
    "--create-baseline --generate-baseline --init-baseline": "coalint baseline create",
    "--lsp --language-server --server": "coalint server",
    "--install-completion --show-completion": "coalint completion",
}


def own_name(option: str) -> str | None:
    """Return coalint's option for what others call `option`; None where it is none of theirs."""
    return next((own for own, names in _NAMES.items() if option in names.split()), None)


def own_command(option: str) -> str | None:
    """Return coalint's command for what others have as an option; None where there is none."""
    return next((command for names, command in _COMMANDS.items() if option in names.split()), None)
