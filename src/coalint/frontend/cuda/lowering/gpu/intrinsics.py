"""CUDA's functions without bodies, by what they mean (CUDA C++ Programming Guide, chapter 10)."""

from __future__ import annotations

from functools import lru_cache

from coalint.core import ir
from coalint.core.ir import Intrinsic
from coalint.core.records import record
from coalint.core.source.spans import Span


@record(frozen=True, slots=True)
class Meaning:
    """What a name means; `spelled` is what the user writes for it, where the bundled headers use a name of their own.

    `masked`: the first argument is the mask of the lanes that wait. `system_scope`: an atomic for the whole system.
    """

    intrinsic: Intrinsic | None = None
    spelled: str = ""
    masked: bool = False
    system_scope: bool = False


_NOTHING = Meaning()

_BARRIERS = {
    "__syncthreads": Meaning(Intrinsic.SYNC_THREADS),
    "__syncthreads_count": Meaning(Intrinsic.SYNC_THREADS_COUNT),
    "__syncthreads_and": Meaning(Intrinsic.SYNC_THREADS_AND),
    "__syncthreads_or": Meaning(Intrinsic.SYNC_THREADS_OR),
    "__barrier_sync": Meaning(Intrinsic.SYNC_NAMED),
    "__barrier_sync_count": Meaning(Intrinsic.SYNC_NAMED_COUNT),
    "__coalint_used": Meaning(Intrinsic.OPERATOR, "library code"),
    "__coalint_grid_sync": Meaning(Intrinsic.SYNC_GRID, "grid.sync"),
    "__coalint_cluster_sync": Meaning(Intrinsic.SYNC_CLUSTER, "cluster.sync"),
    "__coalint_barrier_wait": Meaning(Intrinsic.SYNC_SPLIT, "barrier.wait"),
}

_WARP_PRIMITIVES = {
    "__syncwarp": Meaning(Intrinsic.SYNC_WARP, masked=True),
    "__coalint_tile_sync": Meaning(Intrinsic.SYNC_TILE, "tile.sync"),
    "__coalint_tile_exchange": Meaning(Intrinsic.TILE_EXCHANGE, "scan", masked=True),
    "__coalint_tile_reduce": Meaning(Intrinsic.TILE_REDUCE, "reduce", masked=True),
    "__activemask": Meaning(Intrinsic.ACTIVE_MASK),
    "__ballot": Meaning(Intrinsic.BALLOT),
    "__ballot_sync": Meaning(Intrinsic.BALLOT, masked=True),
    "__any": Meaning(Intrinsic.VOTE),
    "__any_sync": Meaning(Intrinsic.VOTE, masked=True),
    "__all": Meaning(Intrinsic.VOTE),
    "__all_sync": Meaning(Intrinsic.VOTE, masked=True),
    "__uni_sync": Meaning(Intrinsic.VOTE, masked=True),
    "__shfl": Meaning(Intrinsic.SHUFFLE),
    "__shfl_sync": Meaning(Intrinsic.SHUFFLE, masked=True),
    "__match_any_sync": Meaning(Intrinsic.MATCH_ANY, masked=True),
    "__match_all_sync": Meaning(Intrinsic.MATCH_ALL, masked=True),
} | {
    f"__reduce_{operation}_sync": Meaning(Intrinsic.WARP_REDUCE, masked=True)
    for operation in ("add", "min", "max", "and", "or", "xor")
}

_ATOMICS = {
    "atomicAdd": Intrinsic.ATOMIC_ADD,
    "atomicSub": Intrinsic.ATOMIC_SUB,
    "atomicMin": Intrinsic.ATOMIC_MIN,
    "atomicMax": Intrinsic.ATOMIC_MAX,
    "atomicAnd": Intrinsic.ATOMIC_AND,
    "atomicOr": Intrinsic.ATOMIC_OR,
    "atomicXor": Intrinsic.ATOMIC_XOR,
    "atomicInc": Intrinsic.ATOMIC_INC,
    "atomicDec": Intrinsic.ATOMIC_DEC,
    "atomicExch": Intrinsic.ATOMIC_EXCHANGE,
    "atomicCAS": Intrinsic.ATOMIC_COMPARE_AND_SWAP,
}

_MEMORY = {
    **dict.fromkeys(("__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"), Intrinsic.CACHED_LOAD),
    **dict.fromkeys(("__stwb", "__stcg", "__stcs", "__stwt"), Intrinsic.CACHED_STORE),
    **dict.fromkeys(("memcpy", "__builtin_memcpy"), Intrinsic.COPY_MEMORY),
    "__pipeline_memcpy_async": Intrinsic.ASYNC_COPY,
    "memcpy_async": Intrinsic.GROUP_ASYNC_COPY,
    "load_matrix_sync": Intrinsic.LOAD_MATRIX,
    "store_matrix_sync": Intrinsic.STORE_MATRIX,
    **dict.fromkeys(
        (
            "__threadfence",
            "__threadfence_block",
            "__threadfence_system",
            "__nanosleep",
            "__pipeline_wait_prior",
            "__coalint_pipeline_wait",
        ),
        Intrinsic.MEMORY_FENCE,
    ),
}

_CONTROL = {
    **dict.fromkeys(
        ("__brkpt", "__pipeline_commit", "__prof_trigger"),
        Intrinsic.NO_EFFECT,
    ),
    "printf": Intrinsic.PRINT,
    "__builtin_assume": Intrinsic.ASSERTION,
    "__coalint_assert": Intrinsic.CHECKED_ASSERTION,
    # The kernel is over for all threads, or the program promises never to come here.
    **dict.fromkeys(("__trap", "__assertfail", "__builtin_trap", "__builtin_unreachable"), Intrinsic.TRAP),
}


def _conversions(mode: str) -> tuple[str, ...]:
    """Return the names of the functions that round a floating-point number to an integer in this mode."""
    return tuple(
        f"__{source}2{target}_{mode}" for source in ("float", "double") for target in ("int", "uint", "ll", "ull")
    )


def _library(name: str) -> tuple[str, ...]:
    """Return the names of the C library's functions that round so to an integer."""
    return tuple(f"{length}{name}{suffix}" for length in ("l", "ll") for suffix in ("", "f"))


def _of_both_types(*names: str) -> tuple[str, ...]:
    """Return the names of functions of `double` and of `float`."""
    return tuple(f"{name}{suffix}" for name in names for suffix in ("", "f"))


# What kind of number a floating-point one is, and the integers that it is near.
_INTEGERS_OF_FLOATS = (
    "isnan isinf isfinite signbit isnanf isinff finitef __isnanf __isnan __isinff __isinf __finitef __finite __isnand "
    "__isinfd __isfinited __isfinitef __isfinite __signbit __signbitf __signbitd __builtin_isnan __builtin_isinf "
    "__builtin_isfinite __builtin_isnormal __builtin_signbit ilogb ilogbf lrint lrintf lround lroundf llrint llrintf "
    "llround llroundf"
).split()

_FUNCTIONS = {
    "__popc": Intrinsic.POPULATION_COUNT,
    "__clz": Intrinsic.COUNT_LEADING_ZEROS,
    "__ffs": Intrinsic.FIND_FIRST_SET,
    "__brev": Intrinsic.REVERSE_BITS,
    **dict.fromkeys(("abs", "labs", "llabs", "fabs", "fabsf"), Intrinsic.ABSOLUTE),
    **dict.fromkeys(("min", "umin", "ullmin", "llmin", "fmin", "fminf"), Intrinsic.MINIMUM),
    **dict.fromkeys(("max", "umax", "ullmax", "llmax", "fmax", "fmaxf"), Intrinsic.MAXIMUM),
    **dict.fromkeys(("floor", "floorf", *_conversions("rd")), Intrinsic.ROUND_DOWN),
    **dict.fromkeys(("ceil", "ceilf", *_conversions("ru")), Intrinsic.ROUND_UP),
    **dict.fromkeys(("trunc", "truncf", *_conversions("rz")), Intrinsic.ROUND_TOWARDS_ZERO),
    **dict.fromkeys(("round", "roundf", *_library("round")), Intrinsic.ROUND_TO_NEAREST),
    **dict.fromkeys(("rint", "rintf", "nearbyint", "nearbyintf", *_library("rint")), Intrinsic.ROUND_TO_EVEN),
    **dict.fromkeys(_conversions("rn"), Intrinsic.ROUND_TO_EVEN),
    **dict.fromkeys(("sqrt", "sqrtf"), Intrinsic.SQUARE_ROOT),
    **dict.fromkeys(_of_both_types("fmod", "remainder"), Intrinsic.LOOPING_FUNCTION),
    **dict.fromkeys(_of_both_types("sin", "cos", "tan", "j0", "j1", "y0", "y1"), Intrinsic.ANGLE_FUNCTION),
    **dict.fromkeys(("__mul24", "__umul24"), Intrinsic.MULTIPLY_24),
    **dict.fromkeys(("clock", "clock64"), Intrinsic.CLOCK),
    "__umulhi": Intrinsic.MULTIPLY_HIGH_UNSIGNED,
    "__coalint_opaque": Intrinsic.UNKNOWN_VALUE,
    "__coalint_computed": Intrinsic.PURE,
    **dict.fromkeys(
        (
            "__popcll",
            "__clzll",
            "__ffsll",
            "__brevll",
            "__byte_perm",
            "__mulhi",
            "__mul64hi",
            "__umul64hi",
            "__sad",
            "__usad",
            "__funnelshift_l",
            "__funnelshift_r",
            "__funnelshift_lc",
            "__funnelshift_rc",
            "__dp4a",
            "__dp2a_lo",
            "__dp2a_hi",
            "__double_as_longlong",
            "__double2hiint",
            "__double2loint",
            "__float_as_int",
            "__float_as_uint",
            "__hadd",
            "__rhadd",
            *_INTEGERS_OF_FLOATS,
            "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
        ),
        Intrinsic.PURE,
    ),
}

_TABLE = {
    "operator[]": Meaning(Intrinsic.SUBSCRIPT_OPERATOR),
    **_BARRIERS,
    **_WARP_PRIMITIVES,
    "__coalint_load_matrix": Meaning(Intrinsic.LOAD_FRAGMENT, "load_matrix_sync"),
    "__coalint_store_matrix": Meaning(Intrinsic.STORE_FRAGMENT, "store_matrix_sync"),
    **{name: Meaning(intrinsic) for name, intrinsic in (_MEMORY | _CONTROL | _FUNCTIONS).items()},
}

_SCOPES = ("_block", "_system")
_COMPARISONS = frozenset({"==", "!=", "<=", ">="})
_PASSED_ON = ("__cvta_", "__builtin_expect")
_TEXTURES = ("tex1D", "tex2D", "tex3D", "texCubemap", "surf1D", "surf2D", "surf3D", "surfCubemap")
# How the names of functions begin that compute in registers: half precision, conversions, several numbers in one.
_ARITHMETIC = (
    *("__h", "__bfloat", "__low", "__high", "__float", "__double", "__int", "__uint", "__short", "__ushort", "__ll"),
    *("__ull", "__v", "__nv_"),
)


@lru_cache(maxsize=4096)
def meaning(name: str) -> Meaning:
    """Return what a call of this name means, where the function has no body."""
    entry = _TABLE.get(name)
    if entry is not None:
        return entry
    if name.startswith("operator"):
        symbol = name.removeprefix("operator")
        assigns = symbol.endswith("=") and symbol not in _COMPARISONS
        return Meaning(Intrinsic.ASSIGNING_OPERATOR if assigns else Intrinsic.OPERATOR)
    if name.startswith("__shfl"):
        return Meaning(Intrinsic.SHUFFLE_RELATIVE, masked=name.endswith("_sync"))
    if name.startswith("__match_"):
        return Meaning(Intrinsic.MATCH_ANY, masked=name.endswith("_sync"))
    if name.startswith("atomic"):
        return _atomic(name)
    if name.startswith("__builtin_assume_aligned"):
        return Meaning(Intrinsic.ASSUME_ALIGNED)
    if name.startswith(_PASSED_ON):
        return Meaning(Intrinsic.SAME_VALUE)
    if name.startswith(_TEXTURES):
        return Meaning(Intrinsic.TEXTURE_READ)
    return Meaning(Intrinsic.ARITHMETIC) if name.startswith(_ARITHMETIC) else _NOTHING


def _atomic(name: str) -> Meaning:
    plain = name
    for scope in _SCOPES:
        plain = plain.removesuffix(scope)
    return Meaning(_ATOMICS.get(plain, Intrinsic.ATOMIC_OTHER), system_scope=name.endswith("_system"))


def call(
    span: Span,
    type_: ir.Type,
    name: str,
    function: str | None,
    arguments: tuple[ir.Expression, ...],
    *,
    receiver: ir.Expression | None = None,
    constructor: bool = False,
    callee: ir.Expression | None = None,
    reason: str = "",
    changes: frozenset[int] | None = None,
    keeps: frozenset[int] = frozenset(),
    foreign: bool = False,
) -> ir.Call:
    """Return a call of the function of this name with what it means."""
    meant = meaning(name)
    return ir.Call(
        span=span,
        type=type_,
        name=meant.spelled or name,
        function=function,
        arguments=arguments,
        receiver=receiver,
        constructor=constructor,
        callee=callee,
        reason=reason,
        changes=changes,
        keeps=keeps,
        foreign=foreign,
        intrinsic=meant.intrinsic,
        masked=meant.masked,
        system_scope=meant.system_scope,
    )
