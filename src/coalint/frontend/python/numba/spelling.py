"""How Numba's kernels spell what messages and fixes name."""

from coalint.core.ir.spelling import Spelling

NUMBA = Spelling(
    language="Numba",
    thread_index="cuda.threadIdx",
    block_index="cuda.blockIdx",
    block_extent="cuda.blockDim",
    grid_extent="cuda.gridDim",
    warp_size="cuda.warpsize",
    component="{register}.{axis}",
    comment="#",
    block_barrier="cuda.syncthreads",
    warp_barrier="cuda.syncwarp",
    statement="{function}()",
    shuffle="cuda.shfl_sync",
    shuffle_up="cuda.shfl_up_sync",
    shuffle_down="cuda.shfl_down_sync",
    ballot="cuda.ballot_sync",
    popcount="cuda.popc",
    warp_reduction="a loop of cuda.shfl_down_sync",
    group_reduction="a loop of cuda.shfl_down_sync",
    alignment="align=True",
    aligned_record="np.dtype([...], align=True)",
    assume_aligned="{pointer}",
    launch_bounds="max_registers",
    shape="tuple",
    allocation="cuda.device_array",
    misaligned_fault="CUDA_ERROR_MISALIGNED_ADDRESS",
    subscript="{array}[{index}]",
    extent="{extent}",
    kernel_mark="@cuda.jit",
)
