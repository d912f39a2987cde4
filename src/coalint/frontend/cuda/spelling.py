"""How CUDA C++ spells what messages and fixes name."""

from coalint.core.ir.spelling import Spelling

CUDA = Spelling(
    language="CUDA",
    thread_index="threadIdx",
    block_index="blockIdx",
    block_extent="blockDim",
    grid_extent="gridDim",
    warp_size="warpSize",
    component="{register}.{axis}",
    comment="//",
    block_barrier="__syncthreads",
    warp_barrier="__syncwarp",
    statement="{function}();",
    shuffle="__shfl_sync",
    shuffle_up="__shfl_up_sync",
    shuffle_down="__shfl_down_sync",
    ballot="__ballot_sync",
    popcount="__popc",
    warp_reduction="__reduce_{operation}_sync",
    group_reduction="cg::reduce",
    alignment="__align__({bytes})",
    aligned_record="struct __align__({bytes}) {name} {{ ... }};",
    assume_aligned="__builtin_assume_aligned({pointer}, {bytes})",
    launch_bounds="__launch_bounds__",
    shape="dim3",
    allocation="cudaMalloc",
    misaligned_fault="cudaErrorMisalignedAddress",
    subscript="{array}[{index}]",
    extent="[{extent}]",
    kernel_mark="__global__",
)
