"""The instances that the probes after a file's text name: kernels and host functions with arguments coalint chose."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from coalint.core.records import record
from coalint.frontend.cuda.lowering.cursors import is_kernel
from coalint.frontend.cuda.lowering.unit import Lowering
from coalint.frontend.cuda.repair.problems import Tried
from coalint.frontend.cuda.templates import instances
from coalint.frontend.cuda.unit.hosts import Hosts
from coalint.frontend.cuda.unit.scan import Scan, place


@record
class Probed:
    """What came of the probes.

    `probed` are the keys of the kernels that only they reach, `guesses` the chosen arguments of host functions by key,
    `tried` what was tried by the line of its probe, and `unused_lines` those of probes that came to nothing.
    """

    probed: set[str] = field(default_factory=set)
    guesses: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tried: dict[int, Tried] = field(default_factory=dict)
    unused_lines: frozenset[int] = frozenset()


def read_probes(probe: instances.Probe, scan: Scan, hosts: Hosts, low: Lowering, unused: frozenset[int]) -> Probed:
    """Lower what the probes name; kernels that only they reach are guessed. `unused` are other lines there."""
    outcome = Probed(unused_lines=unused)
    if not probe.lines:
        return outcome
    first_line = len(low.locations.lines(low.locations.path)) + 1
    probed = instances.probed(scan.unit, scan.top, first_line, probe)
    guessed_hosts: dict[str, Any] = {}
    for number, cursor in probed.instances.items():
        if not is_kernel(cursor):
            scan.instance(cursor, scan.hosts if number in probe.known else guessed_hosts)
    hosts.lower(scan.hosts)
    launched = places_seen(low)
    outcome.guesses = {key: instances.guessed(cursor) for key, cursor in guessed_hosts.items()}
    seen = set(low.kernels_seen)
    hosts.lower(guessed_hosts)
    for key in [key for key in low.kernels_seen if key not in seen]:
        template = scan.lib.clang_getSpecializedCursorTemplate(low.kernels_seen[key])
        if template is not None and place(template) in launched:
            del low.kernels_seen[key]
        elif key not in scan.kernels:
            outcome.probed.add(key)
    launched |= places_seen(low)
    for number, cursor in probed.instances.items():
        template = scan.lib.clang_getSpecializedCursorTemplate(cursor)
        if is_kernel(cursor) and template is not None and place(template) not in launched:
            arguments = instances.guessed(cursor)
            outcome.tried[probed.lines[number]] = Tried(cursor.spelling, arguments, low.locations.span(cursor))
            named = low.kernel_key(cursor)
            outcome.probed.update(() if named is None else (named,))
    last_line = first_line + len(probe.lines)
    outcome.unused_lines |= {line for line in range(first_line, last_line) if line not in outcome.tried}
    return outcome


def places_seen(low: Lowering) -> set[tuple[str, int]]:
    """Return the kernel templates that something has instantiated so far."""
    templates = map(low.lib.clang_getSpecializedCursorTemplate, low.kernels_seen.values())
    return {place(template) for template in templates if template is not None}
