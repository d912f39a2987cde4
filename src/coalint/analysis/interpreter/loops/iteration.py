"""Loops: run once for all iterations, and what stands behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.conditions import When
from coalint.analysis.domain.frames import Exit
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.values import Address, AggregateValue, Cell, Value
from coalint.analysis.interpreter.loops import unroll
from coalint.analysis.interpreter.loops.changed_variables import Carried
from coalint.analysis.interpreter.loops.pointers.members import stand_in
from coalint.analysis.interpreter.loops.pointers.targets import chosen
from coalint.analysis.interpreter.loops.recurrence import Recurrence
from coalint.analysis.interpreter.loops.sequences.lane_tables import table_atom
from coalint.analysis.interpreter.loops.sequences.rotation import rotated
from coalint.analysis.interpreter.loops.sequences.tables import offset_of
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.uniformity import sharing
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


FARTHER = (GuardKind.RETURN, GuardKind.JUMP)  # ways out of more than the loop around


def loop(state: State, statement: ir.Loop) -> None:
    """Run a loop once, with its variables as functions of the iteration."""
    for inner in statement.initializer:
        state.execute(inner)
    if not state.alive:
        return
    if _runs_once(statement):
        _once(state, statement)
        return
    if statement.condition is not None and statement.test_first and _never(state, statement.condition):
        state.begin()
        state.condition(statement.condition)  # once, for what it does
        return
    if state.recorder.model is None:
        _on_host(state, statement)
        return
    if unroll.worthwhile(state, statement) and unroll.trips(state, statement):
        unroll.execute(state, statement)
        return
    Iteration(state, statement).run_all()


def _on_host(state: State, statement: ir.Loop) -> None:
    """A host's loop: what it changes is not followed; its body is run once for the launches in it.

    Where that leaves block shapes unknown and the iterations are few, they are run one after the other instead.
    """
    carried = Recurrence(state, statement)
    if not launches(state, statement):
        carried.blur()
        return
    store, mark, depth, found = state.store, len(state.exits), len(state.guards), len(state.recorder.launches)
    before, guards = store.snapshot(), state.guards
    carried.blur()
    state.execute(statement.body)
    state.exits[mark:] = [exit for exit in state.exits[mark:] if exit.kind is GuardKind.RETURN]
    state.guards, state.alive = guards, True
    carried.blur()
    if state.dry or all(None not in record.block for record in state.recorder.launches[found:]):
        return
    after, exits, blurred = store.cells, state.exits[mark:], state.recorder.launches[found:]
    del state.exits[mark:], state.recorder.launches[found:]
    store.cells = before
    if not _one_by_one(state, statement, mark, depth):
        state.exits[mark:], state.recorder.launches[found:] = exits, blurred
        store.cells = after
    state.guards, state.alive = guards, True


def _one_by_one(state: State, statement: ir.Loop, mark: int, depth: int) -> bool:
    """Run the iterations of a loop on the host; False where they are many or their number is not known."""
    if statement.condition is None or not statement.test_first:
        return False
    guards = state.guards
    for _ in range(unroll.MAX_TRIPS + 1):
        goes_on = state.algebra.number(state.condition(statement.condition))
        if goes_on is None:
            return False
        if not goes_on:
            return True
        state.execute(statement.body)
        continued = [exit for exit in state.exits[mark:] if exit.kind is GuardKind.CONTINUE]
        control_flow.rejoin(state, continued, depth)
        state.exits[mark:] = [exit for exit in state.exits[mark:] if exit.kind is GuardKind.RETURN]
        if not state.alive:
            return True
        state.guards = guards
        if statement.step is not None:
            state.value(statement.step)
    return False


def launches(state: State, node: ir.Expression | ir.Statement) -> bool:
    """Whether a kernel is launched somewhere in a part of a host function."""
    if isinstance(node, ir.Launch):
        return True
    if isinstance(node, ir.Call | ir.Lambda) and node.function is not None:
        known = state.launching.get(node.function)
        if known is None:
            state.launching[node.function] = False
            function = state.module.functions.get(node.function)
            known = state.launching[node.function] = function is not None and launches(state, function.body)
        if known:
            return True
    return any(launches(state, child) for child in ir.children(node))


def _runs_once(statement: ir.Loop) -> bool:
    condition = statement.condition
    while isinstance(condition, ir.Cast):
        condition = condition.operand
    return not statement.test_first and isinstance(condition, ir.Literal) and condition.value == 0


def _once(state: State, statement: ir.Loop) -> None:
    mark, guards = len(state.exits), state.guards
    state.execute(statement.body)
    exits = state.exits[mark:]
    state.exits[mark:] = [exit for exit in exits if exit.kind in FARTHER]
    control_flow.rejoin(state, [exit for exit in exits if exit.kind not in FARTHER], len(guards))
    state.guards = guards
    if state.alive:
        control_flow.exclude(state, mark)


def _never(state: State, condition: ir.Expression) -> bool:
    state.dry += 1
    saved = state.store.snapshot()
    try:
        return bool(state.condition(condition) == 0)
    finally:
        state.dry -= 1
        state.store.cells = saved


class Iteration(Recurrence):
    """One loop under evaluation."""

    def run_all(self) -> None:
        """Solve the carried variables, run the body once for all iterations, leave the state behind the loop."""
        state = self.state
        if state.discovering:
            self._pass()
            return
        carried = self.find_carried()
        self.name_counter(carried)
        unsolved = self.solve_simply(carried)
        if unsolved:
            self.solve_by_running(carried)
        entry, entry_guards, mark = state.store.snapshot(), state.guards, len(state.exits)
        gone = self._gone(carried)
        self.enter(carried)
        state.guards = (*state.guards, *gone)
        barriers = state.recorder.barriers.mark()
        state.recorder.push_loop(self.statement, self.counter, self.trips, self._variable(carried))
        self._begin(len(entry_guards))
        guard = self.test(first=True)
        late = self.test(first=False) if self.body(mark) else None
        state.recorder.pop_loop()
        self._end(guard or late, state.exits[mark:])
        self._after(carried, entry, entry_guards, mark, barriers, guard or late)

    def _pass(self) -> None:
        """Run the body once, with stand-ins for all that the loop changes, before it and behind it.

        That tells what the loops around this one change; what it makes of its variables is of no use then.
        """
        state, guards, mark = self.state, self.state.guards, len(self.state.exits)
        storages = [item.slot[0] for item in self.find_carried()]
        stand_in(self, storages)
        self.test(first=True)
        if self.body(mark):
            self.test(first=False)
        breaks = [exit for exit in state.exits[mark:] if exit.kind is GuardKind.BREAK]
        state.exits[mark:] = [exit for exit in state.exits[mark:] if exit.kind in FARTHER]
        state.alive = self.statement.condition is not None
        control_flow.rejoin(state, breaks, len(guards))
        state.guards = guards
        stand_in(self, storages)

    def _variable(self, carried: list[Carried]) -> Poly | None:
        """The number that the variable which the loop is named after holds at the start of an iteration."""
        named = self.change.counter
        if named is None:
            return None
        own = [item for item in carried if item.key == named.key and isinstance(item.start, Polynomial)]
        return self.closed.get(own[0].slot) if own else None

    def _begin(self, depth: int) -> None:
        counter = self.algebra.atoms_of(self.counter)[0].index if self.counter is not None else -1
        self.state.recorder.order.began(self.statement, counter, self.trips, depth, self.change.breaks)

    def _end(self, guard: Guard | None, exits: Sequence[Exit]) -> None:
        conditions = [condition.condition.value for exit in exits for condition in exit.path]
        if guard is not None:
            conditions.append(guard.condition.value)
        self.state.recorder.order.ended(self.state, conditions)

    def _gone(self, carried: list[Carried]) -> list[Guard]:
        """The guards that a thread has not left the loop in an earlier iteration, by break, return or a late test."""
        state = self.state
        late = self.statement.condition is not None and not self.statement.test_first
        if self.counter is None or not (self.change.breaks or late):
            return []
        index = self.algebra.atoms_of(self.counter)[0].index
        saved, guards, mark, alive = state.store.snapshot(), state.guards, len(state.exits), state.alive
        state.dry += 1
        try:
            self.enter(carried)
            self.test(first=True)
            guard = self.test(first=False) if self.body(mark) else None
            exits = state.exits[mark:]
            lefts = [control_flow.exit_guard(state, exit, len(guards), ((index, When.BEFORE),)) for exit in exits]
            same = self.monotone and not self.varying  # for all threads and blocks, if the condition is
            if guard is not None and not (same and self.algebra.level(guard.condition.value) is Level.UNIFORM):
                condition = replace(guard.condition, over=((index, When.BEFORE),))
                lefts.append(replace(guard, condition=condition))
        finally:
            state.dry -= 1
            state.store.cells, state.guards, state.alive = saved, guards, alive
            del state.exits[mark:]
        return [left for left in lefts if not self._idle(left.condition.value)]

    def _idle(self, value: Poly) -> bool:
        """Whether a condition says nothing of single threads or iterations: uniform and not known."""
        if self.algebra.level(value) is not Level.UNIFORM:
            return False
        counted = (AtomKind.COUNTER, AtomKind.OPERATION, AtomKind.TABLE)
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
        state = self.state
        depth = len(entry_guards)
        exits = state.exits[mark:]
        breaks = [exit for exit in exits if exit.kind is GuardKind.BREAK]
        returns = [exit for exit in exits if exit.kind in FARTHER]
        state.guards = entry_guards
        lefts = [control_flow.exit_guard(state, exit, depth) for exit in breaks + returns]
        if guard is not None and not self.statement.test_first:
            lefts.append(guard)
        state.recorder.barriers.taint(barriers, lefts)
        ways_out = lefts[: len(breaks)] + ([guard] if guard is not None else [])
        ways = [way.condition.value for way in ways_out if not state.recorder.uniform(way.condition.value)]
        leaving = max((self.algebra.level(condition) for condition in ways), default=Level.UNIFORM)
        self._exit_state(carried, entry, leaving, breaks, ways)
        returns = [self._outside(exit, depth) for exit in returns]
        state.exits[mark:] = returns
        state.alive = True
        endless = self.statement.condition is None and not breaks and not returns
        if endless or (self.statement.condition is None and not breaks):
            state.alive = False
        for exit in returns:
            state.guards = (*state.guards, control_flow.exit_guard(state, exit, depth))

    def _outside(self, exit: Exit, depth: int) -> Exit:
        """A return as it is seen behind the loop: taken in any of its iterations that the thread is part of."""
        own = [guard for guard in exit.path[depth:] if guard.condition.over]
        followed = exit.followed and all(guard.kind in (GuardKind.LEAVE, *FARTHER) for guard in own)
        counter = () if self.counter is None else (self.algebra.atoms_of(self.counter)[0].index,)
        return replace(exit, loops=(*exit.loops, *counter), followed=followed)

    def _exit_state(
        self,
        carried: list[Carried],
        entry: dict[int, dict[int, Cell]],
        leaving: Level,
        breaks: list[Exit],
        ways: list[Poly],
    ) -> None:
        state, algebra, store = self.state, self.algebra, self.state.store
        counted = self.trips is not None and self.surely and not self.varying and not breaks
        counted = counted and leaving is Level.UNIFORM
        total = algebra.constant(self.trips) if counted and self.trips is not None else None
        if total is None and self.total is not None and not breaks:
            total = self.total if self.statement.test_first else self.total + 1
        for item in carried:
            if item.slot[1] == WHOLE:
                self._leave_array(item, leaving, breaks, surely=counted and bool(self.trips))
                continue
            if item.slot in self.leads:
                self.put({item.slot: chosen(self, item.slot)})
                continue
            cell = self.standing(store.cells, item.slot, item.start)
            end = cell.value if cell is not None else item.start
            step = self.steps.get(item.slot)
            value: Value
            broken = [self.standing(exit.cells, item.slot, item.start) for exit in breaks]
            if all(other is None or other.value == item.start for other in (cell, *broken)):
                self.put({item.slot: item.start})
                continue
            if step is not None and any(self._jumps(item, cell, step) for cell in broken):
                step = None
            if step is not None and item.offset is not None:
                if total is None:
                    text = f"threads go round the loop at line {self.statement.span.line} as often as each needs"
                    facts = sharing.facts(state.recorder.uniformity, text, leaving, *ways)
                    reason = "" if facts.get("varies", True) else "how often a loop runs is not followed"
                    total_here = algebra.opaque(f"iterations of {self.name}", leaving, reason, **facts)
                    poly = self.in_type(item, item.offset + step * total_here)
                else:
                    poly = self.in_type(item, item.offset + step * total)
                value = Address(item.start.base, poly) if isinstance(item.start, Address) else poly
            elif total is not None and item.slot in self.turns:
                value = rotated(state, self.turns[item.slot], total)
            elif total is not None and item.slot in self.tabled:
                start, table = self.tabled[item.slot]
                poly = start + table_atom(self, item.name, table, total)
                value = Address(item.start.base, poly) if isinstance(item.start, Address) else poly
            elif counted and self.finals.get(item.slot) is not None and not isinstance(item.start, Address):
                value = algebra.constant(self.finals[item.slot] or 0)
            else:
                levels = [store.level(cell.value) for cell in broken if cell is not None]
                level = max(store.level(item.start), store.level(end), leaving, *levels)
                value = self._mixed(
                    end, level, item.name, (item.start, *(other.value for other in broken if other is not None), *ways)
                )
            self.put({item.slot: value})
        condition = self.statement.condition
        if (
            condition is not None and self.statement.test_first
        ):  # what it changes when it fails, as in `while (n-- > 0)`
            state.dry += 1
            state.condition(condition)
            state.dry -= 1
        known = {item.slot[0] for item in carried}
        for storage, cells in list(store.cells.items()):
            before = entry.get(storage)
            if before is None or before is cells or storage in known:
                continue
            for offset, cell in cells.items():
                old = before.get(offset) if offset == WHOLE else store.standing(storage, before, offset, cell)
                if old is not None and old is not cell and old.value != cell.value:
                    level = max(store.level(old.value), store.level(cell.value), leaving)
                    name = store.called(storage, offset, cell)
                    store.cells[storage] = {
                        **store.cells[storage],
                        offset: Cell(
                            cell.size, self._mixed(cell.value, level, name, (old.value, *ways)), cell.definition
                        ),
                    }

    def _leave_array(self, item: Carried, leaving: Level, breaks: list[Exit], *, surely: bool) -> None:
        """An array of which no element is followed: but what every iteration leaves in one if there surely is one."""
        store, storage = self.state.store, item.slot[0]
        contents = [store.cells.get(storage, {}), *(exit.cells.get(storage, {}) for exit in breaks)]
        level = max((store.level(cell.value) for cells in contents for cell in cells.values()), default=leaving)
        reason = f"`{item.name}` after a loop is not followed"
        whole = Cell(item.size, self.algebra.opaque(item.name, max(level, leaving), reason))
        kept = {
            at: cell
            for at, cell in contents[0].items()
            if surely and at != WHOLE and (number := offset_of(cell.value)) is not None and not self.varies(number)
        }
        store.cells[storage] = {WHOLE: whole, **kept}

    def _jumps(self, item: Carried, cell: Cell | None, step: Poly) -> bool:
        """Whether a variable that moves in steps is found elsewhere where the loop is left by break."""
        value = None if cell is None else offset_of(cell.value)
        return value is None or value - self.closed[item.slot] not in (self.algebra.zero, step)

    def _mixed(self, end: Value, level: Level, name: str, others: Sequence[Value]) -> Value:
        """A variable behind the loop: its last value, or one of the others, or as these decide."""
        reason = f"`{name}` after a loop is not followed"
        if isinstance(end, Address):
            return Address(end.base, self.algebra.opaque(name, level, reason))
        text = f"threads leave the loop at line {self.statement.span.line} with values of their own in `{name}`"
        known = sharing.facts(self.state.recorder.uniformity, text, level, end, *others)
        if isinstance(end, AggregateValue):
            return AggregateValue(
                {}, self.algebra.opaque(name, level, reason if level is not Level.UNIFORM else "", **known)
            )
        if not isinstance(end, Polynomial):
            return end
        if self.state.store.is_float(end):
            return self.state.store.floating(level)
        return self.algebra.opaque(name, level, reason, **known)
