"""How a source language spells what messages, notes and fixes name."""

from __future__ import annotations

from dataclasses import dataclass

from coalint.core.ir.registers import Axis, Register


@dataclass(frozen=True, slots=True)
class Spelling:
    """The words of one source language, as its users write them.

    `thread_index`, `block_index`, `block_extent`, `grid_extent` and `warp_size` are the special registers, `component`
    a component of one (fields `register` and `axis`). `comment` begins a comment that ends with its line.
    `block_barrier` and `warp_barrier` are the functions by which the threads of a block or warp wait for one another,
    `statement` a call of one (field `function`) as a whole statement. `shuffle`, `shuffle_up`, `shuffle_down`,
    `ballot` and `popcount` are functions that exchange values within a warp, `warp_reduction` one that reduces them
    (field `operation`), `group_reduction` a library's.
    `alignment` declares the alignment of a type (field `bytes`), `aligned_record` a whole one (fields `bytes` and
    `name`), `assume_aligned` is an expression that promises one (fields `pointer` and `bytes`). `launch_bounds`
    declares the most threads of a block, `shape` is the type of a launch's extents. `allocation` gives global memory,
    `misaligned_fault` is the error that a misaligned access ends with. `subscript` is an element of an array (fields
    `array` and `index`), `extent` one extent in its declaration (field `extent`), `kernel_mark` what marks the
    definition of a kernel. `language` is its name.
    """

    language: str
    thread_index: str
    block_index: str
    block_extent: str
    grid_extent: str
    warp_size: str
    component: str
    comment: str
    block_barrier: str
    warp_barrier: str
    statement: str
    shuffle: str
    shuffle_up: str
    shuffle_down: str
    ballot: str
    popcount: str
    warp_reduction: str
    group_reduction: str
    alignment: str
    aligned_record: str
    assume_aligned: str
    launch_bounds: str
    shape: str
    allocation: str
    misaligned_fault: str
    subscript: str
    extent: str
    kernel_mark: str

    def register(self, register: Register) -> str:
        """Return a whole register: `threadIdx`."""
        return {
            Register.THREAD_INDEX: self.thread_index,
            Register.BLOCK_INDEX: self.block_index,
            Register.BLOCK_EXTENT: self.block_extent,
            Register.GRID_EXTENT: self.grid_extent,
            Register.WARP_SIZE: self.warp_size,
        }[register]

    def component_of(self, register: Register, axis: Axis) -> str:
        """Return one component of a register: `threadIdx.x`."""
        return self.component.format(register=self.register(register), axis=axis.value)

    def called(self, function: str) -> str:
        """Return a call without arguments as a statement: `__syncthreads();`."""
        return self.statement.format(function=function)
