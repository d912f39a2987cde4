"""A toy language with a front end of its own: one statement a line, lanes in place of threads.

kernel spread(out, in)
shared tile 2048
out[8 * lane.x] = in[lane.x]
when lane.x < 16
wait_all()
end
start spread 4 64
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from coalint.core import ir
from coalint.core.ir.intrinsics import Intrinsic
from coalint.core.source.spans import Span
from coalint.frontend.interface import FrontEnd, Loaded, LoadRequest, ParseExplanation

LANES = ir.Spelling(
    language="Lanes",
    compiler="lanec",
    thread_index="lane",
    block_index="team",
    block_extent="team_size",
    grid_extent="teams",
    warp_size="row_size",
    component="{register}.{axis}",
    comment="#",
    call="{function}()",
    statement="{call}",
    subscript="{array}[{index}]",
    extent=" {extent}",
    between_extents="",
    shared_array="{type} {name}{extents}",
    grid_place="",
    kernel_mark="kernel",
    block_barrier="wait_all",
    warp_barrier="wait_row",
    shuffle="from_lane",
    shuffle_up="",
    shuffle_down="",
    ballot="lanes_where",
    warp_reduction="",
    group_reduction="",
    population_count="ones",
    leading_zeros="zeros",
    first_set="lowest",
    reverse_bits="reversed",
    multiply_high="upper",
    integer_division="div",
    copy_memory="copy",
    untyped_pointer="",
    integers={32: "whole"},
    unsigned="natural",
    floats={4: "real"},
    alignment_mark="",
    alignment="",
    aligned_record="",
    assume_aligned="",
    vector_view="",
    volatile="",
    launch_bounds="",
    allocation="",
    misaligned_fault="",
    measuring=(),
)
REAL, WHOLE, NOTHING = ir.Floating(4), ir.Integer(32, True), ir.Other("nothing")


class ToyFrontEnd(FrontEnd):
    """Reads `.lanes` files."""

    suffixes = (".lanes",)
    spelling = LANES

    def load(self, request: LoadRequest) -> Loaded:
        return Loaded(module=_Reader(request.path).module(), opened=(request.path,))

    def explain(self, request: LoadRequest) -> ParseExplanation:
        return ParseExplanation((), self.load(request).module)

    def prepare(self, arguments: Collection[tuple[str, ...]], headers: str | None) -> None:
        pass

    def may_hold_kernels(self, text: str) -> bool:
        return "kernel" in text or "start" in text


class _Reader:
    def __init__(self, path: str) -> None:
        self.path, self.text = path, Path(path).read_text(encoding="utf-8")
        self.lines = [line.partition("#")[0] for line in self.text.split("\n")]
        self.number = 0
        self.names: dict[str, ir.Variable] = {}

    def module(self) -> ir.Module:
        kernels: list[ir.Kernel] = []
        launches: list[ir.Statement] = []
        while self.number < len(self.lines):
            if head := self._next(r"kernel (\w+)\((.*)\)"):
                kernels.append(self._kernel(head))
            elif head := self._next(r"start (\w+) (\d+) (\d+)"):
                grid, block = (ir.Literal(self._span(head), WHOLE, int(head[n])) for n in (2, 3))
                launch = ir.Launch(self._span(head), NOTHING, head[1], None, grid, block, ())
                launches.append(ir.Evaluate(launch.span, launch))
            else:
                self.number += 1
        whole = Span(self.path, 1, 1, len(self.lines), 1)
        host = ir.Function("", "file", (), ir.Block(whole, tuple(launches)), NOTHING, whole)
        return ir.Module(
            path=self.path,
            spelling=LANES,
            kernels=tuple(kernels),
            functions={kernel.key: kernel.function for kernel in kernels},
            hosts=(host,),
            sources={self.path: self.text},
        )

    def _next(self, pattern: str) -> re.Match[str] | None:
        found = re.compile(rf"\s*{pattern}\s*").fullmatch(self.lines[self.number])
        self.number += found is not None
        return found

    def _span(self, found: re.Match[str], group: int = 0) -> Span:
        """The place of what was read last: a line, or a part of it."""
        start, end = found.span(group)
        start += len(found[group]) - len(found[group].lstrip())
        return Span(self.path, self.number, start + 1, self.number, end + 1)

    def _variable(self, name: str, type_: ir.Type, storage: ir.Storage, span: Span) -> ir.Variable:
        self.names[name] = ir.Variable(name, name, type_, storage, span, type_name="real")
        return self.names[name]

    def _kernel(self, head: re.Match[str]) -> ir.Kernel:
        span, name = self._span(head), head[1]
        parameters = tuple(
            self._variable(parameter.strip(), ir.Pointer(REAL), ir.Storage.PARAMETER, span)
            for parameter in head[2].split(",")
        )
        function = ir.Function(name, name, parameters, self._block(span), NOTHING, span)
        return ir.Kernel(name, name, function, span)

    def _block(self, span: Span) -> ir.Block:
        statements: list[ir.Statement] = []
        while not self._next("end"):
            if read := self._next(r"shared (\w+) (\d+)"):
                array = ir.Array(REAL, int(read[2]))
                self._variable(read[1], array, ir.Storage.SHARED, self._span(read))
            elif read := self._next(r"((\w+)\[(.*)\]) = ((\w+)\[(.*)\])"):
                target, value = (self._element(read, first) for first in (1, 4))
                assignment = ir.Assign(self._span(read), REAL, None, target, value)
                statements.append(ir.Evaluate(assignment.span, assignment))
            elif read := self._next(r"when (lane\.x) < (\d+)"):
                bound = ir.Literal(self._span(read, 2), WHOLE, int(read[2]))
                condition = ir.Binary(self._join(read, 1, 2), WHOLE, "<", self._lane(read, 1), bound)
                statements.append(ir.If(self._span(read), condition, self._block(self._span(read)), None))
            elif read := self._next(r"(wait_all)\(\)"):
                call = ir.Call(self._span(read), NOTHING, read[1], None, (), intrinsic=Intrinsic.SYNC_THREADS)
                statements.append(ir.Evaluate(call.span, call))
            else:
                self.number += 1
        return ir.Block(span, tuple(statements))

    def _join(self, read: re.Match[str], first: int, last: int) -> Span:
        start, end = self._span(read, first), self._span(read, last)
        return Span(self.path, start.line, start.column, end.end_line, end.end_column)

    def _lane(self, read: re.Match[str], group: int) -> ir.Expression:
        return ir.Builtin(self._span(read, group), WHOLE, ir.Register.THREAD_INDEX, ir.Axis.X)

    def _element(self, read: re.Match[str], group: int) -> ir.Expression:
        """`array[lane.x]` or `array[8 * lane.x]`."""
        variable, span = self.names[read[group + 1]], self._span(read, group + 2)
        index = self._lane(read, group + 2)
        if " * " in read[group + 2]:
            factor = ir.Literal(span, WHOLE, int(read[group + 2].partition(" * ")[0]))
            index = ir.Binary(span, WHOLE, "*", factor, index)
        name = ir.Name(self._span(read, group + 1), variable.type, variable)
        return ir.Subscript(self._span(read, group), REAL, name, index)
