"""The texts of --help beside the options: purpose, examples, exit codes; at most 80 columns wide."""

from __future__ import annotations

from coalint.core.records import record


@record(frozen=True)
class Page:
    """The texts of one command.

    Attributes:
        description: The text before the options.
        epilog: The text after the options.
    """

    description: str
    epilog: str


OVERVIEW = Page(
    """\
Says, line by line and without a GPU, a CUDA toolkit or a build, what each
warp's memory accesses will cost: how many 32-byte sectors a global access
touches, how many ways a shared access conflicts, whether a barrier can be
missed by part of a block.""",
    """\
examples:
  coalint lint kernels/                 report what costs more than it needs
  coalint inspect kernels/gemm.cu:42    show every access of one line
  coalint show kernels/gemm.cu:42       draw the sectors or banks they touch
  coalint rule unpadded-tile-column     explain a rule
  coalint COMMAND --help                the options of a command, with examples

environment:
  COALINT_OUTPUT_FORMAT   the format of `lint` where no option names one; comes
                          before that of a configuration file
  COALINT_CACHE_DIR       where results are kept for later runs
  COALINT_TOOLKIT         where headers come from that coalint's own lack
  COALINT_PURE            runs the sources of a compiled analysis if it is set
  NO_COLOR                no colours, whatever the terminal can show

exit codes:
  0 nothing found, 1 findings, 2 wrong usage or an error, 130 interrupted""",
)

PAGES = {
    "lint": Page(
        """\
Reports accesses that cost more than they need, and barriers that part of a
block can miss. A folder stands for its .cu and .cuh files that git does not
ignore, and for Python files and notebooks with kernels for Numba or CuPy, or
with CUDA source for CuPy, PyCUDA or PyTorch;
a file named explicitly is read whatever its suffix. Findings go to stdout,
everything else to stderr. Text for people has the worst first, a dozen lines
for each cause, and counts what is info; a pipe gets it unwrapped.""",
        """\
examples:
  coalint lint kernels/
  coalint lint kernels/ --max-findings 10 --verbose
  coalint lint kernels/ --show-info --sort path
  coalint lint kernels/ --arch sm_90 -p build
  coalint lint kernels/ -I include -D TILE=32 -- -fno-exceptions
  coalint lint kernels/ --assume 'blockDim.x == 256' --select COA2
  coalint lint kernels/ -o sarif=coalint.sarif -o junit=coalint.xml
  coalint lint kernels/ --statistics
  coalint lint kernels/ --diff-base origin/main
  coalint lint kernels/ --fix
  coalint lint kernels/ --add-ignores --diff
  coalint lint - --stdin-filename kernels/transpose.cu
  coalint lint kernels/ --watch

exit codes:
  0  no finding at or above --fail-on
  1  findings
  2  wrong usage, something that cannot be read or written, an internal error;
     the rest is reported all the same""",
    ),
    "baseline": Page(
        """\
Keeps a list of findings that are known. `lint --baseline FILE` leaves them out
and reports what is new. They are known by file, kernel, rule and expression,
so that the list holds while lines move.""",
        """\
examples:
  coalint baseline create kernels/      list all findings that there are now
  coalint baseline prune kernels/       strike out those that are gone
  coalint lint --baseline coalint-baseline.json kernels/

exit codes:
  0  done
  2  wrong usage, something that cannot be read or written, an internal error;
     the list is then left as it was""",
    ),
    "config": Page(
        """\
Shows the settings that hold for a file or folder, and what set each: a
configuration file, the command line, or the default. The nearest of
.coalint.toml, coalint.toml and [tool.coalint] of pyproject.toml counts.""",
        """\
examples:
  coalint config                        what holds in the working directory
  coalint config kernels/transpose.cu   what holds for this file
  coalint config --output-format json
  coalint config --output-format schema > coalint.schema.json

exit codes:
  0  shown
  2  wrong usage, a configuration that is wrong""",
    ),
    "inspect": Page(
        """\
Lists every access to memory and every barrier of the kernels, with what it
costs per request (is/ideal), its stride in bytes with respect to threadIdx.x,
and whether that is exact, symbolic or unknown, and why. The accesses of a line
that is named are drawn beneath, as `coalint show` draws them, with the command
that draws another warp, iteration or number.""",
        """\
examples:
  coalint inspect kernels/transpose.cu
  coalint inspect kernels/transpose.cu:29       with maps of the line's accesses
  coalint inspect kernels/transpose.cu:29:15    of the one at this column
  coalint inspect kernels/ --output-format json

exit codes:
  0 done, 2 wrong usage, something that cannot be read, or an internal error""",
    ),
    "profile": Page(
        """\
Counts what each launch executes and moves: for every access the executed warp
instructions, its sectors (global memory) or wavefronts (shared memory), what
is moved beyond the ideal, and its share of that in the kernel. Kernels that
waste most stand first. Where the source leaves a size open the number is a
formula in it, as 4*ceil(n/32), until --let gives it.""",
        """\
examples:
  coalint profile kernels/transpose.cu
  coalint profile kernels/saxpy.cu --let n=1048576
  coalint profile kernels/ --output-format json
  coalint profile kernels/ -o profile.html

exit codes:
  0 done, 2 wrong usage, something that cannot be read, or an internal error""",
    ),
    "show": Page(
        """\
Draws the accesses of a line, for one warp: its 32 lanes against the sectors
and lines of global memory that they touch, or against the banks and words of
shared memory that they need, wavefront by wavefront. Beneath stand totals, as
`inspect` counts them, and what is seen. A value that the lanes are multiples
of and that nothing gives, as a pitch, is taken as 1024 (32 in shared memory)
until --let gives it. With -o the suffix of the file names the format.""",
        """\
examples:
  coalint show kernels/transpose.cu:29
  coalint show kernels/transpose.cu:29:15 --lanes 0-7
  coalint show kernels/transpose.cu:29 --let pitch=100 --warp 3
  coalint show kernels/reduce.cu:18 --iteration step=3
  coalint show kernels/transpose.cu:29 --block 16,16 --kernel 'transpose<float>'
  coalint show kernels/transpose.cu:29 -o map.svg

exit codes:
  0  shown, or the reason given why it cannot be drawn
  2  wrong usage, no access at that place, something that cannot be read, an
     internal error""",
    ),
    "verify": Page(
        """\
Shows what coalint predicts for a source beside what Nsight Compute counted on
a GPU, line by line, and says where they differ. The instances and launches
that were profiled are analysed, whatever else the source launches.""",
        """\
examples:
  nvcc -lineinfo -o k kernel.cu
  ncu --section SourceCounters --import-source yes -o k ./k
  ncu --import k.ncu-rep --page source --csv --print-source cuda,sass > k.csv
  coalint verify kernel.cu --ncu k.csv
  ncu --import k.ncu-rep --page raw --csv > k.raw.csv
  coalint verify kernel.cu --ncu k.csv --ncu-raw k.raw.csv

exit codes:
  0 all equal, 1 some differ, 2 wrong usage or an error""",
    ),
    "explain-compile": Page(
        """\
Shows how a file is read: the command of the build that was found for it, what
became of each argument, the headers found in the repository, what libclang
says, and the kernels that it sees.""",
        """\
examples:
  coalint explain-compile kernels/transpose.cu
  coalint explain-compile kernels/transpose.cu -p build/compile_commands.json

exit codes:
  0 done, 2 wrong usage, something that cannot be read, or an internal error""",
    ),
    "rule": Page(
        """\
Explains a rule: what it reports, why that is bad, an example, what to write
instead, what the hardware counts. Without a name, lists all rules that are
installed.""",
        """\
examples:
  coalint rule
  coalint rule COA201
  coalint rule divergent-barrier unpadded-tile-column

exit codes:
  0 done, 2 there is no such rule""",
    ),
    "server": Page(
        """\
Serves an editor by the Language Server Protocol, on stdin and stdout:
diagnostics of what is in the editor, what an access costs where the pointer
rests on it, fixes and comments as code actions. docs/editors.md says how to
set editors up. Needs: pip install 'coalint[lsp]'.""",
        """\
examples:
  coalint server

exit codes:
  0 the editor ended it, 2 what it needs is not installed""",
    ),
    "clean": Page(
        """\
Removes the results that earlier runs kept for later ones.""",
        """\
examples:
  coalint clean
  coalint clean --cache-dir .coalint-cache

exit codes:
  0 done, 2 the folder cannot be removed""",
    ),
    "completion": Page(
        """\
Prints a script that lets a shell complete commands, options, their values and
the names of rules.""",
        """\
examples:
  coalint completion bash > ~/.local/share/bash-completion/completions/coalint
  coalint completion zsh > ~/.zfunc/_coalint    with ~/.zfunc in $fpath
  coalint completion fish > ~/.config/fish/completions/coalint.fish

exit codes:
  0 done, 2 there is no such shell""",
    ),
}
