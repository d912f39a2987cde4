"""How a source language spells what messages, notes and fixes name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from coalint.core.ir.registers import Axis, Register
from coalint.core.ir.types import Floating, Integer
from coalint.core.records import record


@record(frozen=True, slots=True)
class Spelling:
    """The words of one source language, as its users write them; messages leave out what is empty.

    Attributes:
        language: Its name.
        compiler: The name of the compiler that makes machine code of it.
        thread_index: The special register that holds a thread's index in its block.
        block_index: The one that holds the block's index in the grid.
        block_extent: The one that holds the threads of a block.
        grid_extent: The one that holds the blocks of the grid.
        warp_size: The one that holds the lanes of a warp.
        component: A component of a register (fields `register` and `axis`).
        comment: What begins a comment that ends with its line.
        call: A call without arguments (field `function`).
        statement: A call as a whole statement (field `call`).
        subscript: An element of an array (fields `array` and `index`).
        extent: One extent in the declaration of an array (field `extent`).
        between_extents: What stands between two of them; may be empty.
        shared_array: The declaration of a shared array (fields `type`, `name` and `extents`).
        grid_place: The call that gives a thread's place in the grid along x and y; may be empty.
        kernel_mark: What marks the definition of a kernel.
        block_barrier: The function by which the threads of a block wait for one another.
        warp_barrier: The one by which the lanes of a warp do.
        shuffle: The function that reads a value of another lane; may be empty.
        shuffle_up: The one that reads it of a lane before; may be empty.
        shuffle_down: The one that reads it of a later lane; may be empty.
        ballot: The one that gives the mask of the lanes for which a condition holds.
        warp_reduction: The one that reduces integers over a warp (field `operation`); may be empty.
        group_reduction: A library's function that reduces any values over a warp; may be empty.
        population_count: The function that counts the bits that are set.
        leading_zeros: The one that counts the zeros above the highest bit that is set.
        first_set: The one that gives the position of the lowest bit that is set, from 1.
        reverse_bits: The one that reverses the order of the bits.
        multiply_high: The one that gives the upper half of an unsigned product.
        integer_division: The operator whose result is an integer.
        copy_memory: The function that copies bytes.
        untyped_pointer: The type of a pointer to such bytes; may be empty.
        integers: The signed integer types by their bits.
        unsigned: The unsigned type that belongs to one of them (field `integer`).
        floats: The floating-point types by their bytes.
        alignment_mark: What declares the alignment of a type; may be empty.
        alignment: The same with the alignment (field `bytes`); may be empty.
        aligned_record: The declaration of a record with its alignment (fields `bytes` and `name`); may be empty.
        assume_aligned: An expression that promises an alignment (fields `pointer` and `bytes`); may be empty.
        vector_view: How single elements are accessed as vectors; may be empty.
        volatile: What asks for each access to be done as it is written; may be empty.
        launch_bounds: What declares the most threads of a block; may be empty.
        allocation: The function that gives global memory; may be empty.
        misaligned_fault: The error that a misaligned access ends with; may be empty.
        measuring: The words that ask for the size or the type of what comes after them.
        float_names: The names of floating-point types in template arguments, with their bytes; may be empty.
        aligns_wider: Whether a record can be declared with an alignment wider than its widest field's, so that it
            moves as one vector; where it cannot, `aligned_record` gives it that of its fields.
        points_to: What stands between a pointer and a field of what it points to; may be empty.
    """

    language: str
    compiler: str
    thread_index: str
    block_index: str
    block_extent: str
    grid_extent: str
    warp_size: str
    component: str
    comment: str
    call: str
    statement: str
    subscript: str
    extent: str
    between_extents: str
    shared_array: str
    grid_place: str
    kernel_mark: str
    block_barrier: str
    warp_barrier: str
    shuffle: str
    shuffle_up: str
    shuffle_down: str
    ballot: str
    warp_reduction: str
    group_reduction: str
    population_count: str
    leading_zeros: str
    first_set: str
    reverse_bits: str
    multiply_high: str
    integer_division: str
    copy_memory: str
    untyped_pointer: str
    integers: Mapping[int, str] = field(hash=False)
    unsigned: str
    floats: Mapping[int, str] = field(hash=False)
    alignment_mark: str
    alignment: str
    aligned_record: str
    assume_aligned: str
    vector_view: str
    volatile: str
    launch_bounds: str
    allocation: str
    misaligned_fault: str
    measuring: tuple[str, ...]
    float_names: Mapping[str, int] = field(default_factory=dict, hash=False)
    aligns_wider: bool = True
    points_to: str = ""

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
        """Return a call without arguments: `__syncthreads()`."""
        return self.call.format(function=function)

    def called_alone(self, function: str) -> str:
        """Return a call without arguments as a statement: `__syncthreads();`."""
        return self.statement.format(call=self.called(function))

    def number(self, type_: Integer | Floating) -> str:
        """Return a type of numbers: `unsigned int`, `float`."""
        if isinstance(type_, Floating):
            return self.floats.get(type_.size, f"{type_.size} bytes of floating point")
        signed = self.integers.get(type_.bits, f"{type_.bits}-bit integer")
        return signed if type_.signed else self.unsigned.format(integer=signed)

    def declared(self, type_name: str, name: str, extents: Sequence[int | None]) -> str:
        """Return the declaration of a shared array: `float tile[32][33]`; an extent that is not known stays open."""
        texts = (self.extent.format(extent="" if extent is None else extent) for extent in extents)
        written = self.shared_array.format(type=type_name, name=name, extents=self.between_extents.join(texts))
        return written.strip()

    def assumption(self, fact: str) -> str:
        """Return the comment that states a fact: `// coalint: assume(n == 4)`."""
        return f"{self.comment} coalint: assume({fact})"

    @property
    def fact(self) -> str:
        """An example of a fact: `blockDim.x == 256`."""
        return f"{self.component_of(Register.BLOCK_EXTENT, Axis.X)} == 256"
