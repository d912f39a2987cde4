"""CUDA's functions without bodies, by what they mean to the analysis (CUDA C++ Programming Guide, chapter 10)."""

from __future__ import annotations

BLOCK_BARRIERS = frozenset(
    {"__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or", "__barrier_sync"}
    | {"__barrier_sync_count"}
    | {"__coalint_grid_sync", "__coalint_cluster_sync", "__coalint_barrier_wait"}
)

# What the user wrote for the names that the bundled headers use.
SPELLED = {
    "__coalint_grid_sync": "grid.sync",
    "__coalint_cluster_sync": "cluster.sync",
    "__coalint_barrier_wait": "barrier.wait",
    "__coalint_tile_sync": "tile.sync",
    "__coalint_tile_exchange": "scan",
    "__coalint_tile_reduce": "reduce",
}

# Results that all lanes of a warp share.
VOTES = frozenset(
    {"__ballot_sync", "__any_sync", "__all_sync", "__activemask", "__ballot", "__any", "__all", "__uni_sync"}
    | {f"__reduce_{operation}_sync" for operation in ("add", "min", "max", "and", "or", "xor")}
)

CACHED_LOADS = frozenset({"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"})
CACHED_STORES = frozenset({"__stwb", "__stcg", "__stcs", "__stwt"})

# No effect on variables, no result of interest.
IGNORED = frozenset(
    {
        "printf",
        "__threadfence",
        "__threadfence_block",
        "__threadfence_system",
        "__nanosleep",
        "__brkpt",
        "__pipeline_commit",
        "__pipeline_wait_prior",
        "__prof_trigger",
        "__builtin_assume",
        "__coalint_assert",
        "__coalint_pipeline_wait",
    }
)

# Nothing comes behind them: the kernel is over for all threads, or the program promises never to come here.
ENDS = frozenset({"__trap", "__assertfail", "__builtin_trap", "__builtin_unreachable"})

# How the names of functions begin that compute in registers: half precision, conversions, several numbers in one.
ARITHMETIC = (
    *("__h", "__bfloat", "__low", "__high", "__float", "__double", "__int", "__uint", "__short", "__ushort", "__ll"),
    *("__ull", "__v", "__nv_"),
)

# Of these, what may be part of a way in which threads wait for one another.
FENCES = frozenset(
    {"__threadfence", "__threadfence_block", "__threadfence_system", "__nanosleep"}
    | {"__pipeline_wait_prior", "__coalint_pipeline_wait"}
)

TEXTURES = ("tex1D", "tex2D", "tex3D", "texCubemap", "surf1D", "surf2D", "surf3D", "surfCubemap")

# Integer functions of their arguments alone.
PURE = frozenset(
    {"min", "max", "umin", "umax", "ullmin", "ullmax", "llmin", "llmax", "abs", "labs", "llabs"}
    | {"__popc", "__popcll", "__clz", "__clzll", "__ffs", "__ffsll", "__brev", "__brevll", "__byte_perm"}
    | {"__mul24", "__umul24", "__mulhi", "__umulhi", "__mul64hi", "__umul64hi", "__sad", "__usad"}
    | {"__funnelshift_l", "__funnelshift_r", "__funnelshift_lc", "__funnelshift_rc", "__dp4a", "__dp2a_lo", "__dp2a_hi"}
    | {"__double_as_longlong", "__double2hiint", "__double2loint", "__double2ll_rn", "__double2ll_rz"}
    | {"__float_as_int", "__float_as_uint", "__float2int_rn", "__float2int_rz", "__float2int_rd", "__float2int_ru"}
    | {
        "__float2uint_rn",
        "__float2uint_rz",
        "__double2int_rn",
        "__double2int_rz",
        "__hadd",
        "__rhadd",
    }
    | {"isnan", "isinf", "isfinite", "signbit", "__isnanf", "lrintf", "lroundf", "llrintf"}
    | {"__coalint_opaque"}
    | {"clock", "clock64", "cudaOccupancyMaxActiveBlocksPerMultiprocessor"}
)
