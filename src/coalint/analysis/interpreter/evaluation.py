"""The data of one evaluation of a kernel or a host function, with the text and guards of the statement at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.frames import Exit, Frame
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.domain.registers import Registers
from coalint.analysis.domain.store.part_names import Parts
from coalint.analysis.domain.store.store import Store
from coalint.analysis.domain.values import Address, Base, Region
from coalint.analysis.interpreter.effects.dropped_values import DroppedValues
from coalint.analysis.interpreter.effects.module_reads import macro_parts, narrowed_reads
from coalint.analysis.interpreter.effects.narrowed_reads import NarrowedReads
from coalint.analysis.interpreter.effects.used_parts import Uses
from coalint.analysis.interpreter.host.effects import Effects
from coalint.analysis.interpreter.loops.changes.assignments import Assignments
from coalint.analysis.interpreter.loops.host_known import KnownChanges
from coalint.analysis.interpreter.loops.pointers.reached import Reached
from coalint.analysis.interpreter.loops.solving.known import Solved
from coalint.analysis.interpreter.memory.lvalues import extents_of
from coalint.analysis.interpreter.memory.settled import Settled
from coalint.analysis.recorder.recorder import Recorder
from coalint.core import ir
from coalint.core.facts.access import Memory
from coalint.core.records import record
from coalint.core.source import quoting
from coalint.core.source.spans import Span

MAX_STEPS = 400_000  # expressions evaluated for one kernel at one specialization


@record(eq=False)
class Evaluation:
    """The data that `interpreter.state.State` describes, at the start of an evaluation.

    `uses` says which parts of structs functions use. `most_steps` is how many expressions may be evaluated.
    """

    module: ir.Module
    algebra: Algebra
    recorder: Recorder
    registers: Registers
    assignments: Assignments = field(init=False)
    uses: Uses = field(init=False)
    narrowed: NarrowedReads = field(init=False)
    effects: Effects = field(init=False)
    dropped: DroppedValues = field(init=False)
    store: Store = field(init=False)
    frame: Frame = field(default_factory=lambda: Frame(""))
    guards: tuple[Guard, ...] = ()
    exits: list[Exit] = field(default_factory=list)
    trace: list[Definition] = field(default_factory=list)
    alive: bool = True
    dry: int = 0
    split: bool = False
    epoch: int = 0
    steps: int = 0
    most_steps: int = MAX_STEPS
    depth: int = 0
    globals: dict[str, Base] = field(default_factory=dict)
    global_storages: set[int] = field(default_factory=set)
    launching: dict[str, bool] = field(default_factory=dict)
    captured: dict[str, tuple[ir.Variable, ...]] = field(default_factory=dict)
    escaped: set[int] = field(default_factory=set)
    may_store_unknown: bool = True
    follows_host_loops: bool = False
    discovering: int = 0
    is_changed_outside: bool = False
    quiet: set[int] = field(default_factory=set)
    reached: Reached = field(default_factory=Reached)
    solved: Solved = field(default_factory=Solved)
    settled: Settled = field(default_factory=Settled)
    known_changes: KnownChanges = field(default_factory=KnownChanges)
    _locals: dict[int, tuple[ir.Type, Address]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.assignments = Assignments(self.module.functions)
        self.recorder.with_macros(macro_parts(self.module), self.module.spelling)
        self.uses = Uses(self.module.functions)
        is_host = self.recorder.specialization is None  # whose loads are no instructions that could be narrowed
        self.narrowed = NarrowedReads({}, {}) if is_host else narrowed_reads(self.module)
        self.effects = Effects(self.module.functions)
        self.dropped = DroppedValues(self.module, self.effects)
        self.store = Store(self.algebra, Parts(self.module))

    def begin(self) -> int:
        """Start a statement: what it reads is in `trace` from the returned mark on."""
        if self.depth == 0:
            self.trace.clear()
        return len(self.trace)

    def text(self, span: Span) -> str:
        """Return the source text of a span, on one line."""
        return self.recorder.text(span)

    def text_of(self, e: ir.Expression) -> str:
        """Return an expression as it is written, or as it reads where a macro makes more than it, on one line."""
        return self.recorder.text_of(e, self.frame.function)

    def condition_text(self, value: Poly, span: Span) -> str:
        """Return a condition as it is written, or as its value says where a macro tears it apart."""
        recorder = self.recorder
        written = "" if recorder.comes_of_macro(span) else quoting.written(recorder.sources, span)
        return written or recorder.printer.text(value).removeprefix("(").removesuffix(")")

    def under(
        self, value: Poly, span: Span, kind: GuardKind, trace: Sequence[Definition] = (), negate: bool = False
    ) -> None:
        """Add a condition to the guards."""
        text = self.condition_text(value, span)
        if negate:
            value, text = 1 - value, f"!({text})"
        self.guards = (*self.guards, Guard(Condition(value, text), kind, span, tuple(trace)))

    def conditions(self) -> list[Condition]:
        """Return the guards' conditions."""
        return [guard.condition for guard in self.guards]

    def local(self, storage: int, name: str, type_: ir.Type, span: Span | None = None) -> Address:
        """Return the address of a local variable."""
        known, address = self._locals.get(storage, (None, None))
        if address is None or known is not type_:
            extents, element = extents_of(type_)
            address = Address(
                Base(Region.LOCAL, Memory(name, element, extents, span), storage=storage), self.algebra.zero
            )
            self._locals[storage] = type_, address
        return address
