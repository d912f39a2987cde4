"""The configuration that a command runs under, checked before any source is read."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from coalint.cli.setup.errors import UsageError, as_usage_errors
from coalint.engine.config.settings import DEFAULT_ARCH, Settings
from coalint.reporters.shared.escape_controls import escape_controls

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options
    from coalint.engine.config.layer import Layer
    from coalint.engine.config.layers import Configuration
    from coalint.engine.registry import Registry


def load_registry() -> Registry:
    """Return the installed rules. Raises UsageError."""
    from coalint.engine.registry import RegistryError, installed_rules

    try:
        return installed_rules()
    except RegistryError as error:
        raise UsageError(str(error)) from error


def load_configuration(options: Options, registry: Registry | None = None) -> Configuration:
    """Return the configuration; the command line and the working directory's file are checked before any source.

    Rules named in a configuration are looked up only where there is a registry, by the commands that run them.
    Raises UsageError.
    """
    from coalint.engine.config.layer import Layer
    from coalint.engine.config.layers import configuration
    from coalint.engine.config.validation import refuse

    def check(layer: Layer) -> None:
        refuse(layer, registry)

    with as_usage_errors():
        refuse(Layer("", "", _option_values(options.settings)), registry)
        loaded = configuration(options.settings, options.named, options.config, options.isolated, check)
        _ = loaded.run
        return loaded


def _option_values(settings: Settings) -> dict[str, object]:
    """Return what the command line sets, by the names of the options."""
    return {
        "--select": settings.select or (),
        "--extend-select": settings.extend_select,
        "--ignore": settings.ignore,
        "--arch": settings.arch or DEFAULT_ARCH,
        "--assume": settings.assume_too,
    }


def warn_of_unusable_cache(settings: Settings) -> None:
    """Say on stderr when a cache folder that the user named cannot be used."""
    from coalint.engine.execution.cache.cache_folder import VARIABLE, cache_folder, folder_name

    named = settings.cache_dir
    if settings.cache and (named or os.environ.get(VARIABLE)) and cache_folder(named) is None:
        reason = "cannot be written to, holds other files, or belongs to another user"
        message = f"nothing is cached: {folder_name(named)} {reason}"
        print(escape_controls(f"coalint: {message}"), file=sys.stderr)
