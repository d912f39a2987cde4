"""What a call of a function without a body means, in words that belong to no language."""

from __future__ import annotations

from enum import Enum, auto


class Intrinsic(Enum):
    """A function that the language or its libraries define.

    Arguments come in the order of the fields named here; where a call is `masked` the mask comes before them.
    """

    # Threads of a block, or of more, wait for one another; some of these return a value that the block shares.
    SYNC_THREADS = auto()
    SYNC_THREADS_COUNT = auto()
    SYNC_THREADS_AND = auto()
    SYNC_THREADS_OR = auto()
    SYNC_NAMED = auto()  # number of the barrier
    SYNC_NAMED_COUNT = auto()  # number of the barrier, number of threads
    SYNC_GRID = auto()
    SYNC_CLUSTER = auto()
    SYNC_SPLIT = auto()  # waits for those who have arrived earlier, in another call

    # Lanes of a warp
    SYNC_WARP = auto()
    SYNC_TILE = auto()  # threads of the tile, of several warps
    ACTIVE_MASK = auto()
    BALLOT = auto()  # predicate
    VOTE = auto()  # predicate; true for all lanes, for any, or the same for all
    WARP_REDUCE = auto()  # value
    TILE_REDUCE = auto()  # value
    TILE_EXCHANGE = auto()  # value; as in a scan
    SHUFFLE = auto()  # value, lane, width
    SHUFFLE_RELATIVE = auto()  # value, distance or bits, width
    MATCH_ANY = auto()  # value
    MATCH_ALL = auto()  # value, pointer to a predicate

    # Atomics: pointer, operand
    ATOMIC_ADD = auto()
    ATOMIC_SUB = auto()
    ATOMIC_MIN = auto()
    ATOMIC_MAX = auto()
    ATOMIC_AND = auto()
    ATOMIC_OR = auto()
    ATOMIC_XOR = auto()
    ATOMIC_INC = auto()
    ATOMIC_DEC = auto()
    ATOMIC_EXCHANGE = auto()
    ATOMIC_COMPARE_AND_SWAP = auto()
    ATOMIC_OTHER = auto()  # a library's, of which no more is known

    # Memory
    CACHED_LOAD = auto()  # pointer
    CACHED_STORE = auto()  # pointer, value
    COPY_MEMORY = auto()  # target, source, bytes
    ASYNC_COPY = auto()  # target, source, bytes, bytes that are filled with zeros
    GROUP_ASYNC_COPY = auto()  # pointers, or a group and pointers
    LOAD_MATRIX = auto()  # fragment, pointer, pitch, layout
    STORE_MATRIX = auto()  # pointer, fragment, pitch, layout
    LOAD_FRAGMENT = auto()  # the same, then use, bits of an element, rows, columns, depth, layout
    STORE_FRAGMENT = auto()
    TEXTURE_READ = auto()
    MEMORY_FENCE = auto()  # or a wait for memory: may be part of a way in which threads wait for one another

    # Control
    NO_EFFECT = auto()  # on variables, and no result of interest
    PRINT = auto()  # or another call that may touch any memory, as far as the compiler knows
    CHECKED_ASSERTION = auto()  # what the argument says holds afterwards, or the program has ended
    ASSERTION = auto()  # what the argument says holds afterwards
    TRAP = auto()  # nothing comes after it
    SAME_VALUE = auto()  # the first argument, perhaps as an address of another kind
    ASSUME_ALIGNED = auto()  # pointer, bytes: the pointer

    # Functions of their arguments alone
    POPULATION_COUNT = auto()
    COUNT_LEADING_ZEROS = auto()
    FIND_FIRST_SET = auto()
    REVERSE_BITS = auto()
    ABSOLUTE = auto()  # of an integer or a floating-point number, as MINIMUM and MAXIMUM
    MINIMUM = auto()
    MAXIMUM = auto()
    ROUND_DOWN = auto()  # of a floating-point number, as a number or an integer
    ROUND_UP = auto()
    ROUND_TOWARDS_ZERO = auto()
    ROUND_TO_NEAREST = auto()  # ties away from zero
    ROUND_TO_EVEN = auto()
    SQUARE_ROOT = auto()
    LOOPING_FUNCTION = auto()  # of floating-point numbers, with a loop of its own for those that are large
    ANGLE_FUNCTION = auto()  # such a one that reads a table in memory, too: a sine
    MULTIPLY_24 = auto()
    MULTIPLY_HIGH_UNSIGNED = auto()
    WRAPPED_INDEX = auto()  # index, extent: an index below zero counts from the end of an array
    UNKNOWN_VALUE = auto()  # differs between lanes where its arguments do
    PURE = auto()  # any other of integers
    CLOCK = auto()  # the time: nothing is moved over it
    ARITHMETIC = auto()  # in registers, on values that the analysis does not follow

    # Operators and conversions of classes
    OPERATOR = auto()
    ASSIGNING_OPERATOR = auto()  # changes its first operand
    SUBSCRIPT_OPERATOR = auto()


BLOCK_BARRIERS = frozenset(
    {
        Intrinsic.SYNC_THREADS,
        Intrinsic.SYNC_THREADS_COUNT,
        Intrinsic.SYNC_THREADS_AND,
        Intrinsic.SYNC_THREADS_OR,
        Intrinsic.SYNC_NAMED,
        Intrinsic.SYNC_NAMED_COUNT,
        Intrinsic.SYNC_GRID,
        Intrinsic.SYNC_CLUSTER,
        Intrinsic.SYNC_SPLIT,
    }
)

VOTES = frozenset({Intrinsic.BALLOT, Intrinsic.VOTE, Intrinsic.WARP_REDUCE, Intrinsic.ACTIVE_MASK})
"""Those whose results all lanes of a warp share."""

SHUFFLES = frozenset({Intrinsic.SHUFFLE, Intrinsic.SHUFFLE_RELATIVE})

MATCHES = frozenset({Intrinsic.MATCH_ANY, Intrinsic.MATCH_ALL})

WARP_PRIMITIVES = frozenset(
    {
        *VOTES,
        *SHUFFLES,
        *MATCHES,
        Intrinsic.SYNC_WARP,
        Intrinsic.SYNC_TILE,
        Intrinsic.TILE_REDUCE,
        Intrinsic.TILE_EXCHANGE,
    }
)

ATOMICS = frozenset(intrinsic for intrinsic in Intrinsic if intrinsic.name.startswith("ATOMIC_"))

PURE_FUNCTIONS = frozenset(
    {
        Intrinsic.POPULATION_COUNT,
        Intrinsic.COUNT_LEADING_ZEROS,
        Intrinsic.FIND_FIRST_SET,
        Intrinsic.REVERSE_BITS,
        Intrinsic.ABSOLUTE,
        Intrinsic.MINIMUM,
        Intrinsic.MAXIMUM,
        Intrinsic.ROUND_DOWN,
        Intrinsic.ROUND_UP,
        Intrinsic.ROUND_TOWARDS_ZERO,
        Intrinsic.ROUND_TO_NEAREST,
        Intrinsic.ROUND_TO_EVEN,
        Intrinsic.SQUARE_ROOT,
        Intrinsic.LOOPING_FUNCTION,
        Intrinsic.ANGLE_FUNCTION,
        Intrinsic.MULTIPLY_24,
        Intrinsic.MULTIPLY_HIGH_UNSIGNED,
        Intrinsic.UNKNOWN_VALUE,
        Intrinsic.TEXTURE_READ,
        Intrinsic.PURE,
        Intrinsic.CLOCK,
    }
)
