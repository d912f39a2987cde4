"""Loops: what each variable holds in the k-th iteration, and how many iterations there are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from coalint import ir
from coalint.analysis import control
from coalint.analysis.carried import Assigned, assigned
from coalint.analysis.lanevalue import LaneEvaluator, Undecided
from coalint.analysis.store import WHOLE
from coalint.analysis.symbolic import Kind, Level, Poly
from coalint.analysis.values import Address, Blob, Cell, Exit, Guard, GuardKind, Value
from coalint.analysis.warp import Condition, When, conjuncts

if TYPE_CHECKING:
    from coalint.analysis.interpreter import Interpreter

MAX_MEMBERS = 8  # fields of a struct that are followed one by one
MAX_TABLE = 1024  # iterations that are followed one by one
MAX_CYCLE = 64  # iterations after which a repeating state must have come back

Slot = tuple[int, int]  # storage number and byte offset of a carried variable


@dataclass(frozen=True, slots=True)
class Carried:
    """One variable that the loop changes: its value at the start, its name, and its stand-in during dry runs."""

    slot: Slot
    key: str
    name: str
    size: int
    start: Value
    integer: bool

    @property
    def offset(self) -> Poly | None:
        """The number that changes: the value itself, or a pointer's offset; None for what is not followed."""
        if not self.integer or self.slot[1] == WHOLE:
            return None
        if isinstance(self.start, Address):
            return self.start.offset
        return None if isinstance(self.start, Blob) or not hasattr(self.start, "ring") else self.start


def loop(run: Interpreter, statement: ir.Loop) -> None:
    """Run a loop once, with its variables as functions of the iteration."""
    for inner in statement.initializer:
        control.execute(run, inner)
    if not run.alive:
        return
    if _runs_once(statement):
        _once(run, statement)
        return
    if statement.condition is not None and statement.test_first and _never(run, statement.condition):
        return
    Iteration(run, statement).run_all()


def _runs_once(statement: ir.Loop) -> bool:
    condition = statement.condition
    while isinstance(condition, ir.Cast):
        condition = condition.operand
    return not statement.test_first and isinstance(condition, ir.Literal) and condition.value == 0


def _once(run: Interpreter, statement: ir.Loop) -> None:
    mark, guards = len(run.exits), run.guards
    control.execute(run, statement.body)
    exits = run.exits[mark:]
    run.exits[mark:] = [exit for exit in exits if exit.kind is GuardKind.RETURN]
    control.rejoin(run, [exit for exit in exits if exit.kind is not GuardKind.RETURN], len(guards))
    run.guards = guards
    if run.alive:
        control.exclude(run, mark)


def _never(run: Interpreter, condition: ir.Expression) -> bool:
    run.dry += 1
    saved = run.store.snapshot()
    try:
        return bool(run.condition(condition) == 0)
    finally:
        run.dry -= 1
        run.store.cells = saved


class Iteration:
    """One loop under evaluation."""

    def __init__(self, run: Interpreter, statement: ir.Loop) -> None:
        self.run = run
        self.statement = statement
        self.algebra = run.algebra
        self.born = len(run.algebra.atoms)  # atoms from here on are made inside the loop
        self.change: Assigned = assigned(statement, run.module.functions)
        self.counter: Poly | None = None
        self.trips: int | None = None
        self.closed: dict[Slot, Poly] = {}  # value at the start of iteration k
        self.steps: dict[Slot, Poly] = {}
        self.finals: dict[Slot, int | None] = {}
        self.varying = False  # whether some blocks or iterations of loops around have fewer trips than others
        self.monotone = False  # whether a thread for which the condition fails is out of it for good

    def run_all(self) -> None:
        """Solve the carried variables, run the body once for all iterations, leave the state behind the loop."""
        run = self.run
        carried = self._carried()
        self._make_counter(carried)
        unsolved = self._solve_simply(carried)
        if unsolved:
            self._solve_by_running(carried)
        entry, entry_guards, mark = run.store.snapshot(), run.guards, len(run.exits)
        gone = self._gone(carried)
        self._enter(carried)
        run.guards = (*run.guards, *gone)
        barriers = run.recorder.mark()
        run.recorder.push_loop(self.statement, self.counter, self.trips)
        guard = self._test(first=True)
        late = self._test(first=False) if self._body(mark) else None
        run.recorder.pop_loop()
        self._after(carried, entry, entry_guards, mark, barriers, guard or late)

    # --- what changes

    def _carried(self) -> list[Carried]:
        run = self.run
        found: list[Carried] = []
        storages: list[tuple[int, ir.Variable | None]] = []
        for variable in self.change.variables:
            held = run.frame.find(variable.key)
            if held is None:
                continue
            if isinstance(held, int):
                storages.append((held, variable))
            elif isinstance(held.address, Address) and held.address.base.storage >= 0:
                storages.append((held.address.base.storage, variable))
        if self.change.through_this and run.frame.receiver is not None:
            address = run.frame.receiver.address
            if isinstance(address, Address) and address.base.storage >= 0:
                storages.append((address.base.storage, None))
        for storage, owner in dict.fromkeys(storages):
            key, name = (owner.key, owner.name) if owner is not None else ("", "this")
            integer = owner is None or not _is_floating(owner.type)
            cells = run.store.cells.get(storage, {})
            if integer and owner is not None and (isinstance(owner.type, ir.Array) or len(cells) > MAX_MEMBERS):
                self._collapse(storage, name)
                continue
            for offset, cell in cells.items():
                found.append(Carried((storage, offset), key, name, cell.size, cell.value, integer))
        return found

    def _collapse(self, storage: int, name: str) -> None:
        """A local array that the loop changes: no element of it is followed."""
        store = self.run.store
        level = max((store.level(cell.value) for cell in store.cells.get(storage, {}).values()), default=Level.UNIFORM)
        reason = f"`{name}` changes in a loop in a way that is not followed"
        whole = self.algebra.opaque(name, max(level, Level.DIVERGENT), reason)
        store.cells[storage] = {WHOLE: Cell(4, whole)}

    def _make_counter(self, carried: list[Carried]) -> None:
        name = next((variable.name for variable in self.change.variables), "iteration")
        if self.change.counter is not None:
            name = self.change.counter.name
        self.name = name

    def _new_counter(self, trips: int | None) -> Poly:
        high = None if trips is None else trips - 1
        return self.algebra.atom(
            Kind.COUNTER, self.name, Level.UNIFORM, key=self.algebra.fresh_key(), low=0, high=high, trips=trips
        )

    # --- closed forms

    def _solve_simply(self, carried: list[Carried]) -> list[Carried]:
        """`i += step` once per iteration, with a step that the loop does not change."""
        run = self.run
        for item in carried:
            increments = self.change.increments.get(item.key) if item.slot[1] == 0 else None
            if increments is None or item.offset is None:
                continue
            if isinstance(increments.type, ir.Integer) and increments.type.bits < 32:  # wraps around
                continue
            run.dry += 1
            saved, steps = run.store.snapshot(), run.steps
            try:
                after = run.combine(
                    increments.operator,
                    item.start,
                    run.value(increments.by),
                    increments.type,
                    increments.by.type,
                    increments.by,
                )
            finally:
                run.dry -= 1
                run.store.cells = saved
            run.steps = max(run.steps, steps)
            end = after.offset if isinstance(after, Address) else after
            if isinstance(after, Address) and after.base is not getattr(item.start, "base", None):
                continue
            if hasattr(end, "ring"):
                step = end - item.offset
                if not self._varies(step):
                    self.steps[item.slot] = step
        self._count(carried)
        return [
            item
            for item in carried
            if item.slot not in self.steps and item.offset is not None and not self._is_float(item.offset)
        ]

    def _is_float(self, value: Poly) -> bool:
        return value in (self.run.store.float_uniform, self.run.store.float_divergent)

    def _varies(self, step: Poly) -> bool:
        """Whether a step may differ from one iteration to the next."""
        return any(
            atom.index >= self.born and atom.kind in (Kind.LOAD, Kind.OPAQUE, Kind.COUNTER, Kind.TABLE)
            for atom in self.algebra.closure(step)
        )

    def _count(self, carried: list[Carried]) -> None:
        """The number of iterations, from a condition that is linear in the iteration; then the final counter."""
        provisional = self._new_counter(None)
        self._close(carried, provisional)
        self.trips = self._trips(carried, provisional)
        self.counter = provisional if self.trips is None else self._new_counter(self.trips)
        self._close(carried, self.counter)

    def _close(self, carried: list[Carried], counter: Poly) -> None:
        for item in carried:
            if item.slot in self.steps and item.offset is not None:
                self.closed[item.slot] = item.offset + self.steps[item.slot] * counter

    def _trips(self, carried: list[Carried], counter: Poly) -> int | None:
        condition = self.statement.condition
        if condition is None:
            return None
        run = self.run
        run.dry += 1
        saved, guards, mark, alive = run.store.snapshot(), run.guards, len(run.exits), run.alive
        try:
            self._enter(carried)
            if not self.statement.test_first:
                self._body(mark)
            value = run.condition(condition)
            self.varying = False
        finally:
            run.dry -= 1
            run.store.cells, run.guards, run.alive = saved, guards, alive
            del run.exits[mark:]
        counts = [self._linear_trips(part, counter) for part in conjuncts(self.algebra, value)]
        known = [count for count in counts if count is not None]
        self.monotone = len(known) == len(counts) and not any(
            self._equation(part) for part in conjuncts(self.algebra, value)
        )
        if not known:
            return None
        trips = min(known)
        return trips if self.statement.test_first else trips + 1

    def _equation(self, part: Poly) -> bool:
        return any(atom.operator == "==" for atom in self.algebra.atoms_of(part))

    def _linear_trips(self, part: Poly, counter: Poly) -> int | None:
        """Iterations for which d0 + d1*k < 0 (or <= 0, or != 0) holds from k = 0 on, for the thread with the most."""
        algebra = self.algebra
        atoms = algebra.atoms_of(part)
        if len(atoms) != 1 or atoms[0].operator not in ("<", "==", "<="):
            return None
        generator = algebra.ring.gens[atoms[0].index]
        (difference,) = atoms[0].operands
        index = algebra.atoms_of(counter)[0].index
        generator_k = algebra.ring.gens[index]
        d1 = algebra.number(difference.diff(generator_k)) if difference != 0 else None
        if not d1:
            return None
        d0 = difference - generator_k * d1
        if any(atom.index == index for atom in algebra.closure(d0)):
            return None
        positive = part == generator
        if not positive and part != 1 - generator:
            return None
        if atoms[0].operator == "==":
            if positive:
                return None
            start = self._extreme(d0 if d1 < 0 else -d0)
            return None if start is None or start % abs(d1) else start // abs(d1)
        if not positive:  # !(d0 + d1*k < 0), that is -d0 - d1*k - 1 < 0 for integers
            d0, d1 = -d0 - 1, -d1
        if d1 < 0:
            return None
        start = self._extreme(-d0)
        if start is None:
            return None
        return max(0, -(-start // d1))

    def _extreme(self, value: Poly) -> int | None:
        number = self.algebra.number(value)
        if number is not None:
            return number
        self.varying = True
        return self.run.recorder.maximum(value)

    def _solve_by_running(self, carried: list[Carried]) -> None:
        """Run the body without recording, with stand-ins, to see how each variable changes."""
        run, algebra = self.run, self.algebra
        numbers = [item for item in carried if item.offset is not None and not self._is_float(item.offset)]
        levels = {item.slot: run.store.level(item.start) for item in numbers}
        born, pointers = algebra.mark(), run.store.pointers_known()
        ends: dict[Slot, Value] = {}
        marks: dict[Slot, Poly] = {}
        for _ in range(3):
            marks = {
                item.slot: algebra.opaque(
                    item.name, levels[item.slot], f"`{item.name}` changes in a loop in a way that is not followed"
                )
                for item in numbers
                if item.slot not in self.steps
            }
            before = self._placeholders(numbers, marks)
            ends = self._dry(before)
            risen = False
            for item in numbers:
                level = run.store.level(ends.get(item.slot))
                if level > levels[item.slot]:
                    levels[item.slot], risen = level, True
            if not risen:
                break
        solved = dict(self.steps)
        for item in numbers:
            end = ends.get(item.slot)
            if item.slot in self.steps or end is None:
                continue
            offset = end.offset if isinstance(end, Address) and isinstance(item.start, Address) else end
            if isinstance(end, Address) and (not isinstance(item.start, Address) or end.base is not item.start.base):
                continue
            if not hasattr(offset, "ring"):
                continue
            step = offset - marks[item.slot]
            if not self._varies(step) and not isinstance(step, Address):
                solved[item.slot] = step
        if len(solved) > len(self.steps):
            self.steps = solved
            self._count(carried)
        self._tabulate(numbers, marks, ends)
        for item in numbers:
            if item.slot not in self.closed:
                reason = f"`{item.name}` changes in a loop in a way that is not followed"
                self.closed[item.slot] = algebra.opaque(item.name, levels[item.slot], reason)
        algebra.forget(born, *self.steps.values(), *self.closed.values(), *self._counters())
        run.store.forget_pointers(pointers)
        run.recorder.forget()

    def _counters(self) -> list[Poly]:
        return [self.counter] if self.counter is not None else []

    def _placeholders(self, numbers: list[Carried], marks: dict[Slot, Poly]) -> dict[Slot, Value]:
        values: dict[Slot, Value] = {}
        for item in numbers:
            poly = marks.get(item.slot, self.closed.get(item.slot))
            if poly is not None:
                values[item.slot] = Address(item.start.base, poly) if isinstance(item.start, Address) else poly
        return values

    def _dry(self, values: dict[Slot, Value]) -> dict[Slot, Value]:
        """The values after one iteration that starts with `values`, nothing recorded."""
        run = self.run
        saved, guards, mark, alive = run.store.snapshot(), run.guards, len(run.exits), run.alive
        run.dry += 1
        try:
            self._put(values)
            self._test(first=True)
            if self._body(mark):
                self._test(first=False)
            ends = {}
            for storage, offset in values:
                cell = run.store.cells.get(storage, {}).get(offset)
                if cell is not None:
                    ends[(storage, offset)] = cell.value
            return ends
        finally:
            run.dry -= 1
            run.store.cells, run.guards, run.alive = saved, guards, alive
            del run.exits[mark:]

    def _put(self, values: dict[Slot, Value]) -> None:
        store = self.run.store
        for (storage, offset), value in values.items():
            cells = store.cells.get(storage, {})
            old = cells.get(offset)
            size = old.size if old is not None else 4
            store.cells[storage] = {**cells, offset: Cell(size, value, old.definition if old is not None else None)}

    def _tabulate(self, numbers: list[Carried], marks: dict[Slot, Poly], ends: dict[Slot, Value]) -> None:
        """Follow variables with known numbers iteration by iteration: s = 128, 64, ..., 1."""
        algebra = self.algebra
        followed = {
            item.slot: algebra.number(item.offset)
            for item in numbers
            if item.slot in marks and item.slot not in self.steps and item.offset is not None
        }
        follow = {slot: start for slot, start in followed.items() if start is not None}
        next_of = {slot: self._offset_of(ends.get(slot)) for slot in follow}
        follow = {slot: start for slot, start in follow.items() if next_of[slot] is not None}
        if not follow or self.counter is None:
            return
        index_of = {slot: algebra.atoms_of(marks[slot])[0].index for slot in follow}
        counter_index = algebra.atoms_of(self.counter)[0].index
        condition = self._condition_with(numbers, marks) if self.statement.test_first else None
        rows: list[dict[Slot, int]] = []
        state = dict(follow)
        ended = False
        seen: dict[tuple[int, ...], int] = {}
        limit = MAX_TABLE if self.trips is None else min(MAX_TABLE, self.trips)
        for k in range(limit):
            known = {**{index_of[slot]: value for slot, value in state.items()}, counter_index: k}
            evaluator = LaneEvaluator(algebra, known)
            if condition is not None:
                holds = _integer(evaluator, condition)
                if holds == 0:
                    ended = True
                    break
                if holds is None and condition is not None:
                    condition = None
            key = tuple(state.values())
            if condition is None and self.trips is None:
                if key in seen:
                    self._cycle(rows[seen[key] :], seen[key], marks)
                    return
                if k >= MAX_CYCLE:
                    return
            seen[key] = k
            rows.append(dict(state))
            advanced: dict[Slot, int] = {}
            for slot in list(state):
                value = _integer(evaluator, next_of[slot])
                if value is None:
                    for other in [slot]:
                        follow.pop(other, None)
                    continue
                advanced[slot] = value
            if len(advanced) < len(state):
                state = advanced
                rows = [{s: row[s] for s in advanced} for row in rows]
                if not state:
                    return
                continue
            state = advanced
        if not rows:
            return
        if self.trips is None:
            if not ended:
                return
            self._recount(numbers, len(rows))
        for slot in rows[-1]:
            self.closed[slot] = self._table(slot, tuple(row[slot] for row in rows), marks)
            self.finals[slot] = state.get(slot, None)

    def _recount(self, carried: list[Carried], trips: int) -> None:
        self.trips, self.monotone, self.varying = trips, True, False
        self.counter = self._new_counter(trips)
        self._close(carried, self.counter)

    def _cycle(self, rows: list[dict[Slot, int]], lead: int, marks: dict[Slot, Poly]) -> None:
        """Values that repeat: an unknown phase takes the place of the iteration."""
        if lead:
            return
        phase = self.algebra.atom(
            Kind.COUNTER,
            self.name,
            Level.UNIFORM,
            key=self.algebra.fresh_key(),
            low=0,
            high=len(rows) - 1,
            trips=len(rows),
        )
        for slot in rows[0]:
            self.closed[slot] = self._table(slot, tuple(row[slot] for row in rows), marks, phase)

    def _table(self, slot: Slot, values: tuple[int, ...], marks: dict[Slot, Poly], phase: Poly | None = None) -> Poly:
        name = self.algebra.atoms_of(marks[slot])[0].name
        counter = phase if phase is not None else self.counter
        return self.algebra.atom(
            Kind.TABLE,
            name,
            Level.UNIFORM,
            key=self.algebra.fresh_key(),
            operands=(counter,),
            values=values,
            low=min(values),
            high=max(values),
        )

    @staticmethod
    def _offset_of(value: Value | None) -> Poly | None:
        if isinstance(value, Address):
            return value.offset
        return value if hasattr(value, "ring") else None

    def _condition_with(self, numbers: list[Carried], marks: dict[Slot, Poly]) -> Poly | None:
        run = self.run
        if self.statement.condition is None:
            return None
        run.dry += 1
        saved = run.store.snapshot()
        try:
            self._put(self._placeholders(numbers, marks))
            return run.condition(self.statement.condition)
        finally:
            run.dry -= 1
            run.store.cells = saved

    # --- the one run that counts

    def _enter(self, carried: list[Carried]) -> None:
        store = self.run.store
        values: dict[Slot, Value] = {}
        for item in carried:
            poly = self.closed.get(item.slot)
            if poly is not None:
                values[item.slot] = Address(item.start.base, poly) if isinstance(item.start, Address) else poly
            else:
                level = store.level(item.start)
                values[item.slot] = self._unfollowed(item, level)
        self._put(values)

    def _unfollowed(self, item: Carried, level: Level) -> Value:
        if item.offset is None or self._is_float(item.offset):
            return item.start
        return self.algebra.opaque(item.name, level, f"`{item.name}` changes in a loop in a way that is not followed")

    def _test(self, first: bool) -> Guard | None:
        """Evaluate the condition; it guards the body when it is tested first."""
        run, condition = self.run, self.statement.condition
        if condition is None or first is not self.statement.test_first:
            return None
        mark = run.begin()
        value = run.condition(condition)
        trace = tuple(dict.fromkeys(run.trace[mark:]))
        if self.algebra.number(value):
            return None
        over: tuple[tuple[int, When], ...] = ()
        if first and self.counter is not None and self.trips is not None and not self.monotone:
            over = ((self.algebra.atoms_of(self.counter)[0].index, When.UNTIL),)
        guard = Guard(Condition(value, run.text(condition.span), over), GuardKind.LOOP, condition.span, trace)
        if first:
            run.guards = (*run.guards, guard)
        return guard

    def _body(self, mark: int) -> bool:
        """The body and the step, for which threads that continued are back; False where none gets there."""
        run, depth = self.run, len(self.run.guards)
        control.execute(run, self.statement.body)
        exits = run.exits[mark:]
        run.exits[mark:] = [exit for exit in exits if exit.kind is not GuardKind.CONTINUE]
        control.rejoin(run, [exit for exit in exits if exit.kind is GuardKind.CONTINUE], depth)
        if run.alive and self.statement.step is not None:
            run.value(self.statement.step)
        return run.alive

    def _gone(self, carried: list[Carried]) -> list[Guard]:
        """The guards that a thread has not left the loop in an earlier iteration, by break, return or a late test."""
        run = self.run
        late = self.statement.condition is not None and not self.statement.test_first
        if self.counter is None or not (self.change.breaks or late):
            return []
        index = self.algebra.atoms_of(self.counter)[0].index
        saved, guards, mark, alive = run.store.snapshot(), run.guards, len(run.exits), run.alive
        run.dry += 1
        try:
            self._enter(carried)
            self._test(first=True)
            guard = self._test(first=False) if self._body(mark) else None
            exits = run.exits[mark:]
            lefts = [control.left(run, exit, len(guards), ((index, When.BEFORE),)) for exit in exits]
            same = self.monotone and not self.varying  # for all threads and blocks, if the condition is
            if guard is not None and not (same and self.algebra.level(guard.condition.value) is Level.UNIFORM):
                condition = replace(guard.condition, over=((index, When.BEFORE),))
                lefts.append(replace(guard, condition=condition))
        finally:
            run.dry -= 1
            run.store.cells, run.guards, run.alive = saved, guards, alive
            del run.exits[mark:]
        return [left for left in lefts if not self._idle(left.condition.value)]

    def _idle(self, value: Poly) -> bool:
        """Whether a condition says nothing of single threads or iterations: uniform and not known."""
        if self.algebra.level(value) is not Level.UNIFORM:
            return False
        counted = (Kind.COUNTER, Kind.OPERATION, Kind.TABLE)
        return not all(atom.kind in counted for atom in self.algebra.closure(value))

    def _after(
        self,
        carried: list[Carried],
        entry: dict[int, dict[int, Cell]],
        entry_guards: tuple[Guard, ...],
        mark: int,
        barriers: int,
        guard: Guard | None,
    ) -> None:
        run = self.run
        depth = len(entry_guards)
        exits = run.exits[mark:]
        breaks = [exit for exit in exits if exit.kind is GuardKind.BREAK]
        returns = [exit for exit in exits if exit.kind is GuardKind.RETURN]
        run.guards = entry_guards
        lefts = [control.left(run, exit, depth) for exit in breaks + returns]
        if guard is not None and not self.statement.test_first:
            lefts.append(guard)
        run.recorder.taint(run, barriers, lefts)
        ways_out = lefts[: len(breaks)] + ([guard] if guard is not None else [])
        divergent = any(not run.recorder.uniform(way.condition.value) for way in ways_out)
        self._exit_state(carried, entry, Level.DIVERGENT if divergent else Level.UNIFORM, breaks)
        returns = [self._outside(exit, depth) for exit in returns]
        run.exits[mark:] = returns
        run.alive = True
        endless = self.statement.condition is None and not breaks and not returns
        if endless or (self.statement.condition is None and not breaks):
            run.alive = False
        for exit in returns:
            run.guards = (*run.guards, control.left(run, exit, depth))

    def _outside(self, exit: Exit, depth: int) -> Exit:
        """A return as it is seen behind the loop: taken in any of its iterations that the thread is part of."""
        own = [guard for guard in exit.path[depth:] if guard.condition.over]
        followed = exit.followed and all(guard.kind is GuardKind.RETURN for guard in own)
        counter = () if self.counter is None else (self.algebra.atoms_of(self.counter)[0].index,)
        return replace(exit, loops=(*exit.loops, *counter), followed=followed)

    def _exit_state(
        self, carried: list[Carried], entry: dict[int, dict[int, Cell]], leaving: Level, breaks: list[Exit]
    ) -> None:
        run, algebra, store = self.run, self.algebra, self.run.store
        counted = self.trips is not None and not self.varying and not breaks and leaving is Level.UNIFORM
        total = algebra.constant(self.trips) if counted and self.trips is not None else None
        for item in carried:
            storage, offset = item.slot
            cell = store.cells.get(storage, {}).get(offset)
            end = cell.value if cell is not None else item.start
            step = self.steps.get(item.slot)
            value: Value
            broken = [exit.cells.get(storage, {}).get(offset) for exit in breaks]
            if step is not None and any(self._jumps(item, cell, step) for cell in broken):
                step = None
            if step is not None and item.offset is not None:
                if total is None:
                    total_here = algebra.opaque(f"iterations of {self.name}", leaving, "")
                    poly = item.offset + step * total_here
                else:
                    poly = item.offset + step * total
                value = Address(item.start.base, poly) if isinstance(item.start, Address) else poly
            elif counted and self.finals.get(item.slot) is not None and not isinstance(item.start, Address):
                value = algebra.constant(self.finals[item.slot] or 0)
            else:
                levels = [store.level(cell.value) for cell in broken if cell is not None]
                level = max(store.level(item.start), store.level(end), leaving, *levels)
                value = self._blurred(item, end, level)
            self._put({item.slot: value})
        condition = self.statement.condition
        if (
            condition is not None and self.statement.test_first
        ):  # what it changes when it fails, as in `while (n-- > 0)`
            run.dry += 1
            run.condition(condition)
            run.dry -= 1
        known = {item.slot[0] for item in carried}
        for storage, cells in list(store.cells.items()):
            before = entry.get(storage)
            if before is None or before is cells or storage in known:
                continue
            for offset, cell in cells.items():
                old = before.get(offset)
                if old is not None and old is not cell and old.value != cell.value:
                    level = max(store.level(old.value), store.level(cell.value), leaving)
                    store.cells[storage] = {
                        **store.cells[storage],
                        offset: Cell(cell.size, self._mixed(cell.value, level, "a variable"), cell.definition),
                    }

    def _jumps(self, item: Carried, cell: Cell | None, step: Poly) -> bool:
        """Whether a variable that moves in steps is found elsewhere where the loop is left by break."""
        value = None if cell is None else self._offset_of(cell.value)
        return value is None or value - self.closed[item.slot] not in (self.algebra.zero, step)

    def _blurred(self, item: Carried, end: Value, level: Level) -> Value:
        return self._mixed(end, level, item.name)

    def _mixed(self, end: Value, level: Level, name: str) -> Value:
        if isinstance(end, Address):
            return Address(end.base, self.algebra.opaque(name, level, f"`{name}` after a loop is not followed"))
        if isinstance(end, Blob):
            return Blob({}, self.algebra.opaque(name, level, ""))
        if not hasattr(end, "ring"):
            return end
        if self._is_float(end):
            return self.run.store.floating(level)
        return self.algebra.opaque(name, level, f"`{name}` after a loop is not followed")


def _is_floating(type_: ir.Type) -> bool:
    while isinstance(type_, ir.Array | ir.Reference):
        type_ = type_.element if isinstance(type_, ir.Array) else type_.target
    return isinstance(type_, ir.Floating)


def _integer(evaluator: LaneEvaluator, value: Poly | None) -> int | None:
    if value is None:
        return None
    try:
        number = evaluator.number(value)
    except Undecided:
        return None
    try:
        return None if number is None else int(number)
    except TypeError:
        return None
