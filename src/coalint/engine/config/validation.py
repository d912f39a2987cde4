"""Checks values of a configuration against the rules, the machine model and the analysis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from coalint.engine.config.layer import ConfigError, Layer
from coalint.engine.registry import Registry, RegistryError
from coalint.frontend.registry import front_ends


def refuse(layer: Layer, registry: Registry | None) -> None:
    """Raise ConfigError for the first invalid value; rules are looked up where there is a registry."""
    for key, value in layer.values.items():
        place = layer.place(key) if layer.origin else key
        name = key.removeprefix("--")
        if registry is not None:
            for selector in _selectors(name, value):
                try:
                    registry.matching(selector)
                except RegistryError as error:
                    raise ConfigError(f"{place}: {error}") from None
        if name == "arch":
            _architecture(place, value)
        elif name == "assume":
            _assumptions(place, value)


def _selectors(name: str, value: Any) -> Iterator[str]:
    if name in ("select", "extend-select", "ignore"):
        yield from value
    elif name == "severity":
        yield from (selector for selector, _ in value)
    elif name == "per-file-ignores":
        yield from (selector for entry in value for selector in entry.selectors)


def _architecture(place: str, value: str) -> None:
    from coalint.machine.architecture import UnknownArchitectureError, architecture

    try:
        architecture(value)
    except UnknownArchitectureError as error:
        raise ConfigError(f"{place}: {error}") from None


def _assumptions(place: str, values: tuple[str, ...]) -> None:
    if not values:
        return
    from coalint.analysis.launches.assumptions import AssumptionError, parse_assumption

    for text in values:
        try:
            parse_assumption(text, front_ends()[0].spelling)
        except AssumptionError as error:
            raise ConfigError(f"{place}: {error}") from None
