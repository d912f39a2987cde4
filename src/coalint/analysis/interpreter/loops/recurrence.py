"""What each variable of a loop holds in the k-th iteration, and how many iterations there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.arithmetic import bounds
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.conditions import Condition, When, conjuncts
from coalint.analysis.domain.frames import Cells, Lvalue
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.store.structs import UNNAMED
from coalint.analysis.domain.values import Address, AggregateValue, Cell, Value
from coalint.analysis.interpreter.loops.changed_variables import Assigned, Carried, Slot, is_floating
from coalint.analysis.interpreter.loops.pointers.members import changed_otherwise, pointed_to, split_up
from coalint.analysis.interpreter.loops.pointers.points_to import PointsTo
from coalint.analysis.interpreter.loops.pointers.targets import chosen
from coalint.analysis.interpreter.loops.sequences.guarded import guarded
from coalint.analysis.interpreter.loops.sequences.lane_tables import tabulate_lanes
from coalint.analysis.interpreter.loops.sequences.rotation import rotated, rotations
from coalint.analysis.interpreter.loops.sequences.tables import offset_of, tabulate
from coalint.analysis.interpreter.loops.trips import equation, linear_in, total
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.uniformity import sharing
from coalint.core import ir

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from coalint.analysis.interpreter.state import State


MAX_ELEMENTS = 32  # of an array that are followed one by one
MAX_MEMBERS = 32  # fields of a struct that are followed one by one


class Recurrence:
    """The variables that one loop carries from iteration to iteration.

    `closed` gives each variable's value at the start of iteration k, `steps` what an iteration adds where that is
    constant, `finals` the value behind the last iteration where it was followed one by one, `tabled` the start and how
    far each lane has moved from it, for every iteration and behind the last one, shape (trips + 1, W, 32).
    """

    def __init__(self, state: State, statement: ir.Loop) -> None:
        self.state = state
        self.statement = statement
        self.algebra = state.algebra
        self.born = len(state.algebra.atoms)  # atoms from here on are made inside the loop
        self.change: Assigned = state.assignments.of(statement)
        self.counter: Poly | None = None
        self.trips: int | None = None
        self.total: Poly | None = None  # how many iterations each thread makes, where the condition alone says so
        self.closed: dict[Slot, Poly] = {}  # value at the start of iteration k
        self.steps: dict[Slot, Poly] = {}
        self.finals: dict[Slot, int | None] = {}
        self.turns: dict[Slot, list[Value]] = {}  # what variables hold that take over each other's values
        self.tabled: dict[Slot, tuple[Poly, NDArray[np.int64]]] = {}
        self.sizes: dict[Slot, int] = {}  # in bytes
        self.replaced: dict[Slot, Level] = {}  # structs that are assigned to as a whole
        self.leads: dict[Slot, PointsTo] = {}  # pointers that lead to several variables
        self.narrow: dict[Slot, ir.Integer] = {}  # those that may leave the range of a type below 32 bits
        self.varying = False  # whether some blocks or iterations of loops around have fewer trips than others
        self.surely = False  # whether `trips` counts all that the condition asks
        self.monotone = False  # whether a thread for which the condition fails is out of it for good

    # --- what changes

    def find_carried(self) -> list[Carried]:
        """The variables to follow: those declared outside of the loop that it assigns."""
        state = self.state
        found: list[Carried] = []
        storages: list[tuple[int, ir.Variable | None]] = []
        for variable in self.change.variables:
            held = state.frame.find(variable.key)
            if held is None:
                continue
            if isinstance(held, int):
                storages.append((held, variable))
                state.store.settle(held, self.algebra.zero, variable.type)
            elif isinstance(held.address, Address) and held.address.base.storage >= 0:
                storages.append((held.address.base.storage, variable))
                state.store.settle(held.address.base.storage, held.address.offset, held.type)
        if self.change.through_this and state.frame.receiver is not None:
            address = state.frame.receiver.address
            if isinstance(address, Address) and address.base.storage >= 0:
                storages.append((address.base.storage, None))
        handed = {variable.key for variable in self.change.handed}
        for variable in self.change.handed:
            held = state.frame.find(variable.key)
            if isinstance(held, int):
                self._collapse(held, variable.name)
        storages = [pair for pair in dict.fromkeys(storages) if pair[1] is None or pair[1].key not in handed]
        if state.recorder.model is not None:
            storages += [(storage, None) for storage in changed_otherwise(self, [storage for storage, _ in storages])]
            self.put({slot: chosen(self, slot) for slot in self.leads})
            names = {storage: self._name(storage, owner) for storage, owner in storages}
            large = {storage for storage, owner in storages if _is_large(owner or state.store.variables.get(storage))}
            for storage in large:
                self._collapse(storage, names[storage])
            storages = [(storage, owner) for storage, owner in storages if storage not in large]
            names = {storage: names[storage] for storage, _ in storages}
            records = [storage for storage, owner in storages if _has_members(owner)]
            for storage in split_up(self, list(names), records):
                self._collapse(storage, names[storage])
        for storage, owner in storages:
            key, name = owner.key if owner is not None else "", self._name(storage, owner)
            integer = owner is None or not is_floating(owner.type)
            cells = state.store.cells.get(storage, {})
            if owner is not None and (_is_one(owner) or (integer and len(cells) > MAX_MEMBERS)):
                self._collapse(storage, name)
                continue
            for offset, cell in cells.items():
                self.sizes[storage, offset] = cell.size
                part = self._part(storage, owner, offset, cell) or name
                found.append(Carried((storage, offset), key, part, cell.size, cell.value, integer))
        return found

    def _name(self, storage: int, owner: ir.Variable | None) -> str:
        """What a variable is called: `this` points to one, and pointers and lambdas lead to some."""
        if owner is not None:
            return owner.name
        found = self.state.store.variables.get(storage)
        return UNNAMED if found is None else found.name

    def _part(self, storage: int, owner: ir.Variable | None, at: int, cell: Cell) -> str:
        """What a part of it is called, by the name of the reference where the loop knows it as one."""
        store, held = self.state.store, None if owner is None else self.state.frame.find(owner.key)
        if owner is not None and isinstance(held, Lvalue) and isinstance(held.address, Address) and at != WHOLE:
            begin = self.algebra.number(held.address.offset)
            if begin is not None and begin <= at and at + cell.size <= begin + held.type.size:
                struct = isinstance(cell.value, AggregateValue)
                return owner.name + store.parts.path(held.type, at - begin, cell.size, struct=struct)
        return store.called(storage, at, cell) if storage in store.variables else ""

    def _collapse(self, storage: int, name: str) -> None:
        """A local array that the loop changes: no element of it is followed."""
        store = self.state.store
        level = max((store.level(cell.value) for cell in store.cells.get(storage, {}).values()), default=Level.UNIFORM)
        reason = f"`{name}` changes in a loop in a way that is not followed"
        whole = self.algebra.opaque(name, max(level, Level.DIVERGENT), reason)
        store.cells[storage] = {WHOLE: Cell(4, whole)}

    def name_counter(self, carried: list[Carried]) -> None:
        """Name the iterations after the `for`'s variable, where there is one."""
        name = next((variable.name for variable in self.change.variables), "iteration")
        if self.change.counter is not None:
            name = self.change.counter.name
        self.name = name

    def new_counter(self, trips: int | None) -> Poly:
        """An atom for the number of the iteration, 0..trips-1."""
        high = None if trips is None else trips - 1
        return self.algebra.atom(
            AtomKind.COUNTER, self.name, Level.UNIFORM, key=self.algebra.fresh_key(), low=0, high=high, trips=trips
        )

    def blur(self) -> None:
        """Behind a loop that is not run: nothing is known of what it assigns."""
        for item in self.find_carried():
            reason = f"`{item.name}` after a loop is not followed"
            unknown = self.algebra.opaque(item.name, Level.DIVERGENT, reason)
            self.put({item.slot: AggregateValue({}, unknown) if isinstance(item.start, AggregateValue) else unknown})

    # --- closed forms

    def solve_simply(self, carried: list[Carried]) -> list[Carried]:
        """`i += step` once per iteration, with a step that the loop does not change."""
        state = self.state
        pointed = pointed_to(state) if self.change.stores else set()
        for item in carried:
            increments = self.change.increments.get(item.key) if item.slot[1] == 0 else None
            if increments is None or item.offset is None:
                continue
            if item.slot[0] in pointed:
                continue  # something else may change it too
            state.dry += 1
            saved, steps = state.store.snapshot(), state.steps
            try:
                after = state.combine(
                    increments.operator,
                    item.start,
                    state.value(increments.by),
                    increments.type,
                    increments.by.type,
                    increments.by,
                )
            finally:
                state.dry -= 1
                state.store.cells = saved
            state.steps = max(state.steps, steps)
            end = after.offset if isinstance(after, Address) else after
            if isinstance(after, Address) and after.base is not getattr(item.start, "base", None):
                continue
            if isinstance(end, Polynomial):
                step = end - item.offset
                if not self.varies(step):
                    self.steps[item.slot] = step
                    if isinstance(increments.type, ir.Integer) and increments.type.bits < 32:
                        self.narrow[item.slot] = increments.type
        self._count(carried)
        return [
            item
            for item in carried
            if item.slot not in self.steps and item.offset is not None and not self.state.store.is_float(item.offset)
        ]

    def _stays(self, item: Carried) -> bool:
        """Whether a variable of a narrow type is in its range from before the first to behind the last iteration."""
        type_ = self.narrow.get(item.slot)
        if type_ is None or item.offset is None:
            return True
        low, high = self.algebra.range(item.offset)
        first, last = self.algebra.range(self.steps[item.slot] * (self.trips or 0))
        if self.trips is None or low is None or high is None or first is None or last is None:
            return False
        bottom, top = bounds(type_.bits, type_.signed)
        return low + min(0, first) >= bottom and high + max(0, last) <= top

    def in_type(self, item: Carried, value: Poly) -> Poly:
        """A variable's value as its type holds it, where that may be narrower than the number of iterations allows."""
        type_ = self.narrow.get(item.slot)
        if type_ is None or self._stays(item):
            return value
        return self.algebra.operation("wrap", value, bits=type_.bits, signed=type_.signed)

    def varies(self, step: Poly) -> bool:
        """Whether a value may differ from one iteration to the next."""
        return any(
            atom.index >= self.born and atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE, AtomKind.COUNTER, AtomKind.TABLE)
            for atom in self.algebra.closure(step)
        )

    def _count(self, carried: list[Carried]) -> None:
        """The number of iterations, from a condition that is linear in the iteration; then the final counter."""
        provisional = self.new_counter(None)
        self.close(carried, provisional, plain=True)
        self.trips = self._trips(carried, provisional)
        leaving = [item for item in carried if self.trips is not None and not self._stays(item)]
        if leaving:  # neither these values nor what was counted with them holds
            for item in leaving:
                del self.steps[item.slot], self.closed[item.slot], self.narrow[item.slot]
            self._count(carried)
            return
        self.counter = provisional if self.trips is None else self.new_counter(self.trips)
        self.close(carried, self.counter)

    def close(self, carried: list[Carried], counter: Poly, *, plain: bool = False) -> None:
        """Write down the value of every variable that moves in steps; `plain`: as if no type were too narrow."""
        for item in carried:
            if item.slot in self.steps and item.offset is not None:
                value = item.offset + self.steps[item.slot] * counter
                self.closed[item.slot] = value if plain else self.in_type(item, value)

    def _trips(self, carried: list[Carried], counter: Poly) -> int | None:
        condition = self.statement.condition
        if condition is None:
            return None
        state = self.state
        state.dry += 1
        saved, guards, mark, alive = state.store.snapshot(), state.guards, len(state.exits), state.alive
        try:
            self.enter(carried)
            if not self.statement.test_first:
                self.body(mark)
            value = state.condition(condition)
            self.varying = False
        finally:
            state.dry -= 1
            state.store.cells, state.guards, state.alive = saved, guards, alive
            del state.exits[mark:]
        parts = conjuncts(self.algebra, value)
        counts = [self._linear_trips(part, counter) for part in parts]
        self.total = self._linear_total(parts[0], counter) if len(parts) == 1 else None
        known = [count for count in counts if count is not None]
        self.surely = len(known) == len(counts)
        self.monotone = self.surely and not any(equation(self.algebra, part) for part in parts)
        if not known:
            return None
        trips = min(known)
        return trips if self.statement.test_first else trips + 1

    def _linear_trips(self, part: Poly, counter: Poly) -> int | None:
        """Iterations for which d0 + d1*k < 0 (or <= 0, or != 0) holds from k = 0 on, for the thread with the most."""
        linear = linear_in(self.algebra, part, counter)
        if linear is None:
            return None
        operator, d0, d1 = linear
        if operator == "==":
            start = self._extreme(d0 if d1 < 0 else -d0)
            return None if start is None or start % abs(d1) else start // abs(d1)
        start = self._extreme(-d0) if d1 > 0 else None
        if start is None:
            return None
        return max(0, -(-start // d1))

    def _linear_total(self, part: Poly, counter: Poly) -> Poly | None:
        """The number of iterations of each thread, from the one condition d0 + d1*k < 0."""
        linear = linear_in(self.algebra, part, counter)
        return None if linear is None or self.varies(linear[1]) else total(self.algebra, linear)

    def _extreme(self, value: Poly) -> int | None:
        number = self.algebra.number(value)
        if number is not None:
            return number
        self.varying = True
        return self.state.recorder.maximum(value)

    def solve_by_running(self, carried: list[Carried]) -> None:
        """Run the body without recording, with stand-ins, to see how each variable changes."""
        state, algebra = self.state, self.algebra
        numbers = [item for item in carried if item.offset is not None and not self.state.store.is_float(item.offset)]
        levels = {item.slot: state.store.level(item.start) for item in numbers}
        born, pointers = algebra.mark(), state.store.outside_known()
        ends: dict[Slot, Value] = {}
        marks: dict[Slot, Poly] = {}
        warp_uniform = {item.slot: sharing.warp_uniform(state.recorder.uniformity, item.start) for item in numbers}
        risen = True
        for _ in (*Level, *Level):
            marks = {
                item.slot: algebra.stand_in(
                    item.name,
                    levels[item.slot],
                    f"`{item.name}` changes in a loop in a way that is not followed",
                    warp_uniform=warp_uniform[item.slot],
                    pending=True,
                )
                for item in numbers
                if item.slot not in self.steps
            }
            before = self.placeholders(numbers, marks)
            ends = self._dry(before)
            risen = False
            for item in numbers:
                level = state.store.level(ends.get(item.slot))
                if level > levels[item.slot]:
                    levels[item.slot], risen = level, True
                if warp_uniform[item.slot] and not sharing.warp_uniform(state.recorder.uniformity, ends.get(item.slot)):
                    warp_uniform[item.slot], risen = False, True
            if not risen:
                break
        solved, counter = dict(self.steps), self.counter
        moved_by: dict[Slot, Poly] = {}
        kept: list[tuple[int, Poly]] = []  # stand-ins for what no iteration changes, with what it is
        for item in numbers:
            end = ends.get(item.slot)
            if item.slot in self.steps or end is None:
                continue
            offset = end.offset if isinstance(end, Address) and isinstance(item.start, Address) else end
            if isinstance(end, Address) and (not isinstance(item.start, Address) or end.base is not item.start.base):
                continue
            if not isinstance(offset, Polynomial):
                continue
            step = moved_by[item.slot] = offset - marks[item.slot]
            if step == 0 and item.offset is not None:
                kept += [(atom.index, item.offset) for atom in algebra.atoms_of(marks[item.slot])]
        for slot, step in moved_by.items():
            step = step.substituted(kept)
            if not self.varies(step):
                solved[slot] = step
        if len(solved) > len(self.steps):
            self.steps = solved
            self._count(carried)
        staying = {item.slot: ends[item.slot] for item in numbers if self._stays_in(item, ends.get(item.slot))}
        tabulate(self, numbers, marks, staying)
        tabulate_lanes(self, numbers, marks, staying)
        self.turns = rotations([item for item in numbers if item.slot not in self.closed], marks, ends)
        for item in numbers:
            if item.slot not in self.closed:
                reason = f"`{item.name}` changes in a loop in a way that is not followed"
                text = f"the loop at line {self.statement.span.line} gives each thread its own `{item.name}`"
                held = (item.start, ends.get(item.slot) if not risen else None)
                known = sharing.facts(state.recorder.uniformity, text, levels[item.slot], *held)
                unknown = algebra.opaque(item.name, levels[item.slot], reason, **known)
                end = offset_of(staying.get(item.slot)) if counter is self.counter and not risen else None
                moved = None
                if end is not None and item.offset is not None:
                    moved = guarded(self, item.offset, marks[item.slot], end, unknown)
                self.closed[item.slot] = unknown if moved is None else moved
        algebra.forget(born, *self.steps.values(), *self.closed.values(), *self._counters())
        state.store.forget_outside(pointers)
        state.recorder.forget()

    def _stays_in(self, item: Carried, end: Value | None) -> bool:
        """Whether a pointer still points into the object that it pointed into at the start."""
        if isinstance(item.start, Address) or isinstance(end, Address):
            return isinstance(item.start, Address) and isinstance(end, Address) and end.base is item.start.base
        return end is not None

    def _counters(self) -> list[Poly]:
        return [value for value in (self.counter, self.total) if value is not None]

    # --- running an iteration

    def placeholders(self, numbers: list[Carried], marks: dict[Slot, Poly]) -> dict[Slot, Value]:
        """Values for a dry run: stand-ins where nothing is known yet."""
        values: dict[Slot, Value] = {}
        for item in numbers:
            poly = marks.get(item.slot, self.closed.get(item.slot))
            if poly is not None:
                values[item.slot] = Address(item.start.base, poly) if isinstance(item.start, Address) else poly
        return values

    def _dry(self, values: dict[Slot, Value]) -> dict[Slot, Value]:
        """The values after one iteration that starts with `values`, nothing recorded."""
        state = self.state
        saved, guards, mark, alive = state.store.snapshot(), state.guards, len(state.exits), state.alive
        state.dry += 1
        try:
            self.put(values)
            self.test(first=True)
            if self.body(mark):
                self.test(first=False)
            ends = {}
            for storage, offset in values:
                cell = self.standing(state.store.cells, (storage, offset), values[storage, offset])
                if cell is not None:
                    ends[(storage, offset)] = cell.value
            return ends
        finally:
            state.dry -= 1
            state.store.cells, state.guards, state.alive = saved, guards, alive
            del state.exits[mark:]

    def standing(self, contents: Cells, slot: Slot, like: Value) -> Cell | None:
        """What a variable holds, whatever way it was written; `like` is a value of its kind."""
        storage, offset = slot
        cells = contents.get(storage, {})
        if offset == WHOLE:
            return cells.get(WHOLE)
        return self.state.store.standing(storage, cells, offset, Cell(self.sizes.get(slot, 4), like))

    def put(self, values: dict[Slot, Value]) -> None:
        """Set variables, keeping where they came from."""
        store = self.state.store
        for (storage, offset), value in values.items():
            cells = store.cells.get(storage, {})
            old = cells.get(offset)
            size = self.sizes.get((storage, offset), old.size if old is not None else 4)
            definition = old.definition if old is not None else None
            if offset == WHOLE or (old is not None and old.size == size):
                store.cells[storage] = {**cells, offset: Cell(size, value, definition)}
            else:
                store.write(storage, self.algebra.constant(offset), size, value, definition)

    def enter(self, carried: list[Carried]) -> None:
        """Set every variable to what it holds at the start of iteration k."""
        store = self.state.store
        values: dict[Slot, Value] = {}
        for item in carried:
            poly = self.closed.get(item.slot)
            if item.slot in self.turns and self.counter is not None:
                values[item.slot] = rotated(self.state, self.turns[item.slot], self.counter)
            elif poly is not None:
                values[item.slot] = Address(item.start.base, poly) if isinstance(item.start, Address) else poly
            else:
                level = store.level(item.start)
                values[item.slot] = self._unfollowed(item, level)
        self.put(values)

    def _unfollowed(self, item: Carried, level: Level) -> Value:
        if isinstance(item.start, AggregateValue) and item.slot in self.replaced:
            reason = f"`{item.name}` changes in a loop in a way that is not followed"
            return AggregateValue({}, self.algebra.opaque(item.name, self.replaced[item.slot], reason))
        if item.offset is None or self.state.store.is_float(item.offset):
            return item.start
        return self.algebra.opaque(item.name, level, f"`{item.name}` changes in a loop in a way that is not followed")

    def test(self, first: bool) -> Guard | None:
        """Evaluate the condition; it guards the body when it is tested first."""
        state, condition = self.state, self.statement.condition
        if condition is None or first is not self.statement.test_first:
            return None
        mark = state.begin()
        value = state.condition(condition)
        trace = tuple(dict.fromkeys(state.trace[mark:]))
        if self.algebra.number(value):
            return None
        over: tuple[tuple[int, When], ...] = ()
        if first and self.counter is not None and self.trips is not None and not self.monotone:
            over = ((self.algebra.atoms_of(self.counter)[0].index, When.UNTIL),)
        guard = Guard(
            Condition(value, state.condition_text(value, condition.span), over), GuardKind.LOOP, condition.span, trace
        )
        if first:
            state.guards = (*state.guards, guard)
        return guard

    def body(self, mark: int) -> bool:
        """The body and the step, for which threads that continued are back; False where none gets there."""
        state, depth = self.state, len(self.state.guards)
        state.execute(self.statement.body)
        exits = state.exits[mark:]
        state.exits[mark:] = [exit for exit in exits if exit.kind is not GuardKind.CONTINUE]
        control_flow.rejoin(state, [exit for exit in exits if exit.kind is GuardKind.CONTINUE], depth)
        if state.alive and self.statement.step is not None:
            state.value(self.statement.step)
        return state.alive


def _has_members(owner: ir.Variable | None) -> bool:
    """Whether parts of what a loop changes may be followed one by one: not what no variable is named for."""
    return owner is None or (isinstance(_target(owner), ir.Record | ir.Array) and not _is_one(owner))


def _is_one(owner: ir.Variable) -> bool:
    """Whether no element is followed: an array of numbers that may be indices, of pointers, or of structs."""
    return isinstance(owner.type, ir.Array) and not is_floating(owner.type)


def _is_large(variable: ir.Variable | None) -> bool:
    """Whether a variable is an array of more numbers than are worth following one by one."""
    type_ = None if variable is None else variable.type
    count = 1
    while isinstance(type_, ir.Array):
        count, type_ = count * (type_.size // max(1, type_.element.size)), type_.element
    return count > MAX_ELEMENTS


def _target(variable: ir.Variable) -> ir.Type:
    return variable.type.target if isinstance(variable.type, ir.Reference) else variable.type
