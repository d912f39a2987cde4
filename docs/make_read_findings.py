"""Writes docs/read-findings.md from docs/data/read_findings.json: findings in public libraries that a person judged."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
VERDICTS = ("worth acting on", "true", "of no use", "misleading", "false")

HEAD = """\
# Findings that were read

Libraries that this project had never looked at were linted as a newcomer would do it (`coalint lint FOLDER`, no
options), and every finding was judged by hand. `docs/data/read_findings.json` lists each finding with its verdict and
one line that explains it.

A verdict compares the finding with the access, its index and the basis that it names. Some findings were judged in the
context of the whole function (all errors, and all of COA301 and COA303), many only from the lines that the finding
quotes. No GPU counters were taken. The verdicts:

- *worth acting on*: a correct error or warning that names something that can be improved;
- *true*: a correct info;
- *of no use*: correct, but there is nothing to gain;
- *misleading*: a real access, but the reason, place or number is wrong;
- *false*: what the finding reports does not exist.

The first round led to fixes. The second round was read after them, in libraries that had not been read before. What was
changed between the rounds:

- Loads whose neighbours use the rest of the same sectors, runs that merely start off a sector boundary, and bank
  conflicts that cost one wavefront outside loops are now infos.
- Narrow block rows are named as the reason where they are the reason.
- Accesses in one kernel that are one stride apart are one finding.

The third round is five libraries that had not been read before. The first run over them reported 72 errors and
warnings: 43 were worth acting on (60 %), 3 misleading and 1 false. The table shows the report after the fixes that
this led to. The fourth round is the libraries of the first two rounds with the same version: all errors and
warnings, and the infos where the table has them (OpenPCDet, lightseq, Gpufit, bitsandbytes and curobo were linted
some fixes earlier). The fifth round is three libraries that had not been read before, linted once, after all these
fixes. What was changed:

- A macro that only switches code on no longer lowers the findings in that code.
- Row lengths are recognized by their names, and branches that fix a number are followed: no finding asks whether a
  row length is 1.
- Structs of a library, loads that share their sectors, and conflicts between two rows that no padding removes are
  infos.
- The steps of one reduction that relies on lockstep are one finding, and so are the barriers after one exit.
- A count of warps is never assumed to exceed what the block has.
- Rows that a loop walks to their end are not called padded, and rows of an odd number of words are not called
  unpadded.
- Padding at most doubles a row.
- The names of the runtime's errors, attributes and copies are known.

In these three rounds, errors and warnings were judged from the finding, its reason and its basis, with the source
open where these left a doubt; infos were mostly judged from the finding alone.

Changed after the fifth round: stores of one value by all lanes of a warp, read by one of them, are no race; and the
rows of a tensor may be one element long, where only their first one is used.

The sixth round is seven repositories that had not been read before, with the version of the fifth round. The
warnings were read with the lines around them, and with the whole function where these left a doubt; most infos from the
finding and the lines that it quotes. The infos of torch-ngp are a sample of 14, those of diff-gaussian-rasterization
were not judged. The seventh round is their warnings after these changes:

- Where parameters decide whether threads part before a barrier, the message names the value for which none does.
  Fields and globals count too. A parameter that is to be the size of a warp makes the finding an info.
- Alternatives are weighed with the other conditions: `!(x >= 4 && x + 7 < n) && x < n` are the ends of a row.
- What at most 8 lanes do at such ends is an info, and so are uneven loads of which a short loop uses the rest.
- A finding about bank conflicts advises a pitch only at an access that the pitch helps.

The eighth round is the warnings of two repositories that none of these changes is from. In AutoDock-GPU the host fills
up the list that the barrier's loop walks, which is not followed.

The ninth round is the errors and warnings of ten repositories, nine of them read for the first time, after the changes
that they led to. With the version of the eighth round, nvdiffrast had 28 of them, GPUMD 24 and MinkowskiEngine 5; the
others were first run with some of these changes. They were judged from the finding, its reason and its basis, with the
source open for the error, the races and what these left in doubt. torchsparse and MinkowskiEngine were linted with all
changes, the others some changes earlier. What was changed:

- Iterations that are looked at one by one count once in what a tile's rows hold, so that padded rows count as padded.
  COA201 and COA203 stand only at accesses that the advised rows help, and a 2-way conflict for which rows would grow by
  half is an info.
- Parameters that count a few components by their names (`dim`, `D`, `channels`), and the rows of tensors of which a few
  columns are used, are tried small: loads of all of them are an info that names the parameter.
- Interleaved accesses that the caches join are infos, up to what was measured on an H100 and an H200
  (`benchmarks/interleaved.cu`); so are small tables that all blocks read, and what a few rows of the whole grid do.
- What is missed at a warp primitive is not said to be the lanes that have gone back to the caller, where another
  condition parts them.
- Errors that follow from a type that nothing declares are infos that name the type.

The tenth round is the errors and warnings of two repositories that none of these changes is from; a third,
pytorch_sparse, had none.

The eleventh, twelfth, thirteenth and fourteenth round are the errors and warnings of repositories that had not been
read before, each as it was first linted, with what had been changed up to then: no fix that a round shows is from the
repositories of that round. They were judged with the lines around them open, the errors, the races and what these left
in doubt with the whole function. Without errors and warnings were vilib and RAFT-Stereo (eleventh round), KNN_CUDA
(twelfth) and pytorch_spline_conv (fourteenth). What was changed before the eleventh round:

- What could save less than 3 % of a kernel's sectors and wavefronts is an info: what is done once before or after the
  loop that takes the time, conflicts beside many sectors. Where data decide how often a loop runs, loops count 8 times.
- The diagonals of small square blocks are infos.

Between the eleventh and the twelfth:

- Sizes of cub's storages are not known (three false errors), nor are launches with blanks in their brackets an error in
  included files.
- A struct that is moved in pieces is one finding for its declaration, and so are the calls that one mask leaves out and
  what all threads update in place.
- Loads in loops whose length is open use the sectors between lanes that lie close; what one block moves is an info in
  files whose other kernels have more blocks.

Between the twelfth and the thirteenth:

- Where the launch chooses among block shapes, what rests on an open row length is an info: the shape may follow it.
- Structs of a library at any stride, and rows of which a warp crosses one end, are infos.

Between the thirteenth and the fourteenth:

- No size is taken for so large that the pieces of one shared array overlap (four false warnings).
- A narrow block is an info where the same kernel is launched with a wide one too, and so are three of four numbers that
  are loaded together.

After the fourteenth: operands of an asm statement may lack a comma, as nvcc takes them (a false warning), and rows of a
tensor of which up to eight columns are used, nearly all of them, are tried that long.

Of the 199 errors and warnings of these four rounds 142 are worth acting on (71 %), 35 of no use, 13 misleading and 9
false: less than in the repositories that were read often.

The fifteenth round is the repositories of the eleventh, twelfth and thirteenth again, after the changes up to
the fourteenth, without dgl, mamba and cudaBeliefProp, which were not linted again as a whole; the verdicts are
those of the earlier rounds. The fixes are from these repositories: it shows what became of their findings, not what
others will have.

Since then what a kernel makes once beside a long loop of arithmetic is an info (three warnings of gpuRIR).

The sixteenth round is the errors and warnings of twenty repositories that had not been read before, as they were first
linted: eight of machine learning, six of science, six of graphics and images. TurboTransformers had none. The
seventeenth is sixteen further ones, linted while what the sixteenth led to was being changed; cuda_voxelizer,
inplace_abn and spconv had none. Most of it is LeetCUDA, a collection of variants of a few kernels, whose findings were
judged from what they say, with the source of three files open. The eighteenth round is the repositories of both after
the changes, but for those whose fixes were not tried on them again (tandem, tsne-cuda, nvblox, CCTag,
gaussian-splatting-cuda, diff-surfel-rasterization). What was changed:

- Names for the channels of pixels (`ch`, `m_numChannels`) count few, and what is called the stride of a row is its
  length: 27 of the misleading ones. Rows of colours and of tensors with few columns are loaded together.
- Where another load has fetched the same sectors: before a loop, at the taps beside it, through a field that is loaded
  again in a loop in which it stays. So are pieces of values, and stores of up to three that fill a row.
- Narrow blocks: rows of 16 threads are an info, rows of 8 in kernels that do more than copy, by times that were
  measured on an H100 (`benchmarks/windows.cu`).
- A kernel that tells no blocks apart is one block; tables with a column for each block; kernels in a repository's
  folder of tests; an instance of a template that the host takes by the size that its cost rests on.
- One part of a transform's complex numbers, and one component of vectors that the file's other functions use whole.
- Slight bank conflicts in kernels that move more sectors than wavefronts; what is made once beside a loop that stages
  tiles.
- False ones: barriers in loops whose end is rounded up where it must be, lanes that part for none of the sizes that are
  tried (COA303), bounds that an undeclared function gives, updates that are the same when made again (COA304), and
  errors in headers that nvcc compiles.

The nineteenth round is the errors and warnings of 34 repositories that had not been read before, and a sample of
their infos over all rules, with the version after these changes and nothing changed meanwhile: eleven of machine
learning, eleven of science, twelve of graphics, vision and signals. Without errors and warnings were
text-generation-inference, CoMD-CUDA, XSBench, SlabHash, cubvh, cuNSearch, GPU-path-tracing-tutorial-4 and dedisp. Of
the 270 errors and warnings 164 are worth acting on (61 %), 69 of no use, 32 misleading and 5 false, two of these
errors; 45 of them, four worth acting on, are of deepwave alone, where one macro of the build is missing: without it
160 of 225 (71 %). Nine are misleading by a strict reading: barriers after a loop that is the last of its kernel, which
threads may leave. Of 454 infos 425 are true. Changed after it:

- Floating-point numbers that the lanes of a warp load from one address part no lanes (the two false errors).
- The copy that a function returns and nobody uses is not loaded; offsets that are written as multiples of a vector are
  merged, as nvcc does; `alignas` behind `__shared__` is no error (the other false ones).
- What follows from one undeclared name or macro is told once, with that name (deepwave, TransformerEngine, cholla).
- A block of which only the bounds are known is as wide as a square tile with an element for each thread.

Left: what a kernel does that sets up the states of random numbers, variants that are slow on purpose, code of debug
builds, paths that only a diverged warp takes, columns that have no other order, and atomics on both halves of a pair.

The twentieth round is 26 repositories that had not been read before, as they were first linted, after further
changes: sectors that the other warps of a block use, paths beside those with whole vectors, macros that only the
build gives, and what a program does once before the loop that launches its kernels. It was read more strictly than
the earlier ones: by the whole kernel, its launches and the sizes that they pass. Of 178 errors and warnings 45 are
worth acting on (25 %), 89 of no use, 29 misleading and 15 false, two of these errors; of 84 warnings of ccminer 40
were read, and 8 of pg-strom about symbolic links that had been checked out as texts are left out. Without errors and
warnings were faster-rcnn.pytorch, hip-training-series and tutorial-multi-gpu. The infos are a sample of at most
twelve of each repository: 249 of 273 are true. What was not worth acting on:

- A block shape that is assumed though the source speaks against it: most of the false ones.
- Hashes and rows of 64 bytes that each thread loads or stores once, beside hundreds of operations on integers
  (ccminer).
- Copies of one kernel in several folders, for lists of a thousand boxes (tensorrtx): 20 findings of four kernels.
- Barriers and shuffles in a branch that is the last of its kernel: nvcc lets the others exit there, as after a
  `return`, but the language does not say so.
- Kernels that nothing calls (darknet, SIRIUS), the elements of a diagonal, and columns at the edge.

Changed after it: a block of which only the number of threads is declared is no known shape, a guessed one has no layers
that the kernel does not use, and shows no race where its threads would leave the rows of a tile; values that a loop
leaves part lanes for certain only where no parameter decides (the false error of gromacs); copies of one kernel are one
finding; rows of 8 doubles are loaded at no cost, as measured; and errors in kernels that were read in part are infos.
Then: threads that a parameter keeps from a kernel's last branch have left it (COA302), kernels that nothing launches
and variants that are plain by their names are infos, and an assumed block names no size with which no thread stays
away.

The twenty-first round is nine small repositories after that, as they were first linted: eight errors and warnings, of
which six are worth acting on, one is misleading and one of no use. Infos are the first eight of a repository, judged
from the finding and the line that it quotes.

The twenty-second round is ten repositories that had not been read before, as they were first linted: of AMGX the
folders of solvers, colourings and aggregation. Without errors and warnings were cuda_voxelizer, openMVS,
VapourSynth-BM3DCUDA, Megatron-LM, marlin and Deformable-Convolution-V2-PyTorch. The errors and warnings were read with
their kernels, most of their launches too; infos of four repositories, from the finding and its line. Of 128 errors and
warnings 81 are worth acting on (63 %), 39 of them of warp-rnnt alone; none is false, but both errors are misleading.
Changed after it:

- Host functions that are named, as by a `switch` that returns pointers to them, are read for their launches: twelve
  findings of ggml rested on an assumed block beside a launch in sight.
- Lanes that skip ahead by `continue` may come to a warp primitive in a later iteration: a warning (the two errors).
- Switches that a build in Python defines are tried where instances of kernels have errors (eight of ColossalAI).
- Loads of whole vectors whose neighbours are loaded too, rows at unknown distances of which the next iterations use the
  rest, and rows of a struct that is a tensor, are infos.
- All accesses of a kernel that step over rows are one finding, 40 of warp-rnnt are 24 now; what a helper is handed by
  reference is reported where it is picked; and blocks that walk the elements are named as what threads should count.

Left: quantized formats that allow no wider loads, pairs of which a choice tells the second one, kernels that run once
over a few thousand things, and the lane at the edge of even steps.

A second reader, who was not blind to these verdicts, judged ggml, ColossalAI and xmrig-cuda of this round otherwise for
31 of 58 warnings, most of them about whether there is something to gain: 23 worth acting on, 25 of no use, 10
misleading, where the table has 21, 25 and 12.

The twenty-third round is eight repositories that had not been read before, linted once: two collections of a
beginner's programs, and mixbench, CoreNeuron, SP-Bench, SageAttention, and of safari and xformers what is their own.
Three of them have errors or warnings. Of 29 warnings 24 are worth acting on, 4 of no use and 1 is misleading; there is
no error. Most are of kernels that were written to show what is slow. The one that misleads is the worst kind: it
advised rows that copies of 16 bytes cannot be aligned in. Kernels of xmrig-cuda's headers, which had been lost, brought
an error, which was false. Changed after it:

- Functions with external linkage in headers anywhere in the repository launch kernels for the unit that includes them.
- Lanes of a mask that run a loop of their own are not known to part, where it is only known that the warp does.
- Rows stay aligned for copies and matrices whose lanes are not known.
- A table bounds the sectors of an index that is loaded, and a stride in bytes is good at an element's size.
- Kernels that are called `warmup` are slow on purpose (four of the 29), and diagonals of matrices are infos.

The twenty-fourth round is sixteen repositories that had not been read before, as they were first linted, chosen for
launches that are out of sight or open: PyTorch extensions, templates behind wrappers, kernels in headers. Eight are of
machine learning (point-transformer, Pointcept, Uni-Core, bevfusion, omniserve, exllamav3, flashinfer and MONAI), three
of science and graphics (DualSPHysics, warp, nvbio), and hoomd-blue, of which only parsing warnings are left; without
errors and warnings were simple-knn, ByteTransformer, punica and ginkgo. Of omniserve, exllamav3, flashinfer, warp,
DualSPHysics and hoomd-blue some folders or files were linted; `JSphGpu_ker.cu` and others of DualSPHysics took longer
than there was time. All errors and warnings were read with their kernels and launches, by one reader; infos were not
judged. Of 84 errors and warnings 51 are worth acting on (61 %), 30 of no use, 1 misleading and 2 false; the four
errors are true. What was not worth acting on:

- Rows of neighbours that are stored once after a search over all points (six of point-transformer, Pointcept and
  bevfusion), by the strict reading: a heap in local memory and the search take most of the time.
- Coordinates of points that begin at a chosen place (three), whose loads share their sectors.
- One field of a struct or vector that everything else uses whole, pairs that a small kernel moves once.
- What the host checks with `TORCH_CHECK` before the launch (two COA303).
- Both false ones are of instances that the host takes by a size: one element a row, by a logarithm; 8 and 16 floats,
  by a common divisor that is at most 4.
- Five times, an unknown type that a switch of the build declares.

Changed after it:

- `throw` of an object with a destructor ends what the host does: what PyTorch's checks say of sizes was lost.
- A loop of one iteration walks no chunk. Instances that the host takes by the logarithm of a size are taken by that
  size, and a common divisor with a constant is at most that constant.
- The sample of 24 instances of a template had taken one row of the table of its arguments (all 24 of 264 in Uni-Core).
- Loops up to a number that was loaded before wait for nobody: the races of furthest point sampling in point-transformer
  and Pointcept, which had been missed, are found.
- Structs whose neighbours threadIdx.y walks are swapped axes, not values in pieces; one component is an info where
  another path of the kernel moves the vectors whole.
- Macros of HIP's name are supposed in files that are written for it: the unknown type of hoomd-blue is declared.

Left: stores after a search, one component that is stored, and stores that few threads make.

Changed before the twenty-fifth round:

- What is stored once after a search through an open number of elements is an info (four of the six above; in
  bevfusion's ball query, too, and what Pointcept's clusters store).
- Asynchronous copies that fill in zeros have numbers, and offsets that loops flip back and forth are followed.

The twenty-fifth round is fourteen repositories, as they were first linted: fused-ssim, Mask2Former, BEVDet, lmdeploy
(`src`) and KNN_CUDA, TurboTransformers and spconv without warnings, of machine learning; qsim, espresso and qmcpack, of
science; colmap (`src`), lc0 and VapourSynth-BM3DCUDA, without warnings; Open3D (`cpp`) took longer than 700 s. Some of
BEVDet's kernels stand in repositories of earlier rounds, too. The races and barriers were read with their functions,
most others with their loops, by one reader; infos were not judged. Of 69 warnings (there was no error) 59 are worth
acting on (86 %), 9 of no use, 1 misleading, none false. Among them are races that the programs have: lmdeploy moves a
running sum on while others read it, lc0 overwrites sums of which other threads still need some. What was not:

- The misleading one is a race between lanes of one warp that is told of threads 0 and 255: nothing was found of the
  launch, which has 32 threads. In an assumed block the finding says since that one warp needs `__syncwarp()` alone.
- Values of two pieces at a stride that a caller passes as 1 (two of qmcpack): since then infos, as others of one piece.
- A few features of a point, marks in few boxes, small tables and kernels that run once.

The twenty-sixth round is 46 repositories that had not been read before, as they were first linted. 22 of them have
errors or warnings, which the table lists. Without were, of machine learning, marlin, pytorch_sparse, stylegan3, EDVR,
cunn, tiny-cuda-nn, xformers, Megatron-LM, CenterNet, clean-pvnet, jittor and flownet2; of science, graphics and
others, dlib, BGHT, traccc, GooFit, GPUMPM, ethminer and celeritas; LULESH, PhiFlow, tutel and a few others hold no
CUDA; surfelwarp and MMseqs2 took longer than 700 s beside other work. Of 161 errors and warnings 98 are worth acting
on (61 %), 61 of no use, 1 misleading and 1 false; 45 of those of no use say only that something could not be read.
What was changed:

- Headers that a C++ file launches the kernels of are read through it (QuEST, 18 warnings), an option under which a
  file includes the header of what it lacks is supposed (beagle-lib: 108 kernels instead of none), and a header that
  does not parse by itself is an info (cusplibrary, QUICK), as is a template of a text (ScaleLLM).
- `std::common_type` has no type where there is none: the error that it raised made libclang crash (claymore: 71
  kernels instead of 16).
- Threads that part before a barrier or a warp primitive only if they have read different values are a warning that
  says so: the false error is of a mask that names all lanes only where all have read it (GPU_IPC).
- A library's struct under the program's own name stays the library's (qulacs).

Left: weights that are packed once when a model is loaded, centers that are set to zero, few classes, structs of
tests.

The twenty-seventh round is 17 further ones, linted after these changes: cudamat, votenet, s4, MNN and
How_to_optimize_in_GPU with warnings, cumf_sgd, fairseq, second.pytorch, py-faster-rcnn and effective_transformer
without, of machine learning; abacus-develop and ozIMMU with, mmc, miniBUDE, CoreNeuron and cuCollections without, of
science. Of 64 errors and warnings 44 are worth acting on (69 %), 9 of no use, 3 misleading and 8 false: errors at
vectors of four floats in an instance for halves, which MNN's host takes only for elements of 4 bytes. Such instances
are infos since where a number chooses the launch and it has a sound one, no finding advises to align
`std::complex`, and PyTorch's complex
numbers have their functions (s4). With these it is 46 of 52 (88 %).

In both rounds the errors, races and barriers were read with their functions, most others with their loops, by one
reader; infos were not judged.

Changed before the twenty-eighth round: kernels that one macro makes are one finding; what kernels cost that set
something up by their names, or stand in a folder of benchmarks, is an info; the exchange that gives a lock back is
no contended atomic.

The twenty-eighth round is 50 repositories that had not been read before, as they were first linted. 29 of them
have errors or warnings, which the table lists. Without were, of machine learning, BitNet, DCNv2, DeepV2D, NATTEN,
Quest, forknet, jax and intrasm_engine; of science, graphics and others, GASAL2, cunumeric, fusibile, gamer,
gipuma, nvcomp, owl and stdgpu; CLBlast, mallocMC, picongpu and sputnik hold no CUDA sources by their names, and
MatX took longer than 700 s. Of 218 errors and warnings 178 are worth acting on (82 %), 30 of no use, 4 misleading
and 6 false; 15 of those of no use say only that something could not be read. Among the true ones are masks that
leave out lanes which call a shuffle (TNN, 24 places; dgSPARSE, seven digits for eight), races of block reductions
(HugeCTR, FastFold) and barriers that part of a warp or block may miss (NNPOps, HierarchicalKV, kmcuda). What was
not, and was changed:

- Two accesses to shared memory were taken for global memory and called exact: a lambda that an object held had
  lost what it captured (DeepEP). Objects hold what their lambdas captured; what is out of sight in such a case is
  unknown.
- Stores of several iterations were counted as one vector although an iteration may end the loop (kmcuda), which
  nvcc stores one by one.
- Two errors were of barriers that work: in the branch that a kernel ends with (nunchaku), and in both arms of a
  branch that whole warps take (HugeCTR). An H200 ran the latter to the right results, and hung where a warp parts.
  Both are warnings.
- Four findings were of a copy of CUB, in a block of a guessed shape (TNN). Shapes follow what a template's
  arguments leave to be read, masks are no error in a guessed block, and copies of other projects are reported as
  infos.
- What could not be read: constants of the driver API, `typeof`, Thrust's device allocators and tuples of
  references, volatile halves, `this_thread()`, and macros that nothing defines, which are named as the cause. What
  a name means in a kernel that coalint's headers lack is an info.
- Lanes of a warp that walk pieces of a row of open length have a known distance, and so one finding (FastFold, 14
  to 7).

Left: two indices for each element, scales that neighbours share, results that are stored once.

The twenty-ninth round is 34 further ones, linted after these changes, most of them small: the 17 of the table, and
without errors and warnings hqq, inplace_abn and softmax-splatting of machine learning, and BabelStream, BitCrack,
GpuBTree, Kangaroo, NVIDIA_SGEMM_PRACTICE, TeaLeaf, VanitySearch, dedisp, fast_gicp, gtsam_points, merge-spmv,
mixbench, openMVS and xGPU of science and others; EET took longer than 700 s. Of 72 errors and warnings 43 are
worth acting on (60 %), 23 of no use and 6 false; 14 say only that something could not be read, ten of them of
SuiteSparse, whose kernels a program compiles with macros of its own. Changed since:

- Two errors were of a `cuda::barrier` at which the other threads arrive in another branch (icicle); a wait of such
  a barrier does not diverge.
- Two warnings were of a barrier and a shuffle under an element of a local array, which a loop changes in a way
  that is not followed (QuaRot). A simpler kernel of this kind had an error. Such elements part no threads for
  sure.
- Copies of other projects are known by a release in the folder's name, too (`cub-1.8.0`), errors that follow from
  undefined macros and unknown types are infos, and `base` beside `padding` is a plain variant.

Linted again with these changes, 40 of the repositories of both rounds have 176 errors and warnings, of which 156
are worth acting on (89 %): 114 of 123 of the twenty-eighth and 42 of 53 of the twenty-ninth round; none is false,
both errors are true. HugeCTR, raft, TNN and kilonerf were not linted again, and HierarchicalKV is not counted: six
kernels more of it are analysed, with two misleading findings of tiles of a warp in a loop up to `n * TILE_SIZE`.
Simpler kernels of this kind have none since, which had; that of HierarchicalKV stays, since what its launches pass
is not followed to them.

In both rounds all errors, races and barriers were read with their functions, most others with their loops and
launches, by one reader. Infos were not judged one by one; of the 998 of these 40 repositories 48 were drawn at
random and read: all are true.
"""
ROUNDS = (
    (1, "First round, before the fixes"),
    (2, "Second round, after the fixes"),
    (3, "Third round: five libraries that were read for the first time"),
    (4, "Fourth round: the earlier libraries again"),
    (5, "Fifth round: three libraries that no fix is from"),
    (6, "Sixth round: seven repositories that were read for the first time"),
    (7, "Seventh round: their warnings after the fixes"),
    (8, "Eighth round: two repositories that no fix is from"),
    (9, "Ninth round: ten repositories after the fixes"),
    (10, "Tenth round: two repositories that no fix is from"),
    (11, "Eleventh round: eight repositories, as they were first linted"),
    (12, "Twelfth round: five further repositories, as they were first linted"),
    (13, "Thirteenth round: six further repositories, as they were first linted"),
    (14, "Fourteenth round: further repositories that no fix is from"),
    (15, "Fifteenth round: the repositories of three rounds after the fixes"),
    (16, "Sixteenth round: twenty repositories, as they were first linted"),
    (17, "Seventeenth round: further repositories, linted while fixes were made"),
    (18, "Eighteenth round: the repositories of both rounds after the fixes"),
    (19, "Nineteenth round: 34 repositories that no fix is from"),
    (20, "Twentieth round: 26 repositories, read more strictly"),
    (21, "Twenty-first round: nine small repositories that no fix is from"),
    (22, "Twenty-second round: ten repositories that no fix is from"),
    (23, "Twenty-third round: eight repositories that no fix is from"),
    (24, "Twenty-fourth round: sixteen repositories whose launches are open"),
    (25, "Twenty-fifth round: fourteen repositories, as they were first linted"),
    (26, "Twenty-sixth round: 46 repositories, as they were first linted"),
    (27, "Twenty-seventh round: seventeen further ones, after these changes"),
    (28, "Twenty-eighth round: fifty repositories, as they were first linted"),
    (29, "Twenty-ninth round: 34 further ones, after these changes"),
)


def page(data: dict[str, Any]) -> str:
    """Return the page."""
    findings = data["findings"]
    parts = [HEAD]
    for number, title in ROUNDS:
        chosen = [finding for finding in findings if finding["round"] == number]
        grave = [finding for finding in chosen if finding["severity"] != "info"]
        good = sum(finding["verdict"] == "worth acting on" for finding in grave)
        parts.append(
            f"## {title}\n\n{len(chosen)} findings, {len(grave)} of them errors or warnings, of which {good} are worth "
            f"acting on ({100 * good / len(grave):.0f} %){_wrong(chosen)}.\n\n{_table(chosen)}"
        )
    return "\n".join(parts)


def _table(findings: list[dict[str, Any]]) -> str:
    counts = Counter((f["repository"], f["commit"][:10], f["rule"], f["severity"], f["verdict"]) for f in findings)
    rows = sorted({key[:4] for key in counts})
    lines = [f"| repository | commit | rule | severity | {' | '.join(VERDICTS)} |", "|---" * 4 + "|---:" * 5 + "|"]
    for row in rows:
        numbers = [counts[*row, verdict] or "" for verdict in VERDICTS]
        lines.append(f"| {' | '.join(map(str, (*row, *numbers)))} |")
    return "\n".join(lines) + "\n"


def _wrong(findings: list[dict[str, Any]]) -> str:
    counts = Counter(finding["verdict"] for finding in findings)
    return f"; {counts['misleading']} of all are misleading, {counts['false']} false"


if __name__ == "__main__":
    data = json.loads((DOCS / "data" / "read_findings.json").read_text())
    (DOCS / "read-findings.md").write_text(page(data))
