"""What the options of nvcc, clang, gcc, hipcc and icpx mean to somebody who only reads the source."""

from __future__ import annotations

from enum import Enum

from coalint.core.records import record


class Keep(Enum):
    """An option that changes what the source means, and how its value is carried over."""

    DEFINE = "-D"
    UNDEFINE = "-U"
    FOLDER = "-I"
    SYSTEM_FOLDER = "-isystem"
    QUOTE_FOLDER = "-iquote"
    LATER_FOLDER = "-idirafter"
    FORCED = "-include"
    FORCED_MACROS = "-imacros"
    STANDARD = "-std"
    LANGUAGE = "-x"
    ARCHITECTURE = "-arch"
    HOST_OPTIONS = "-Xcompiler"
    RESPONSE_FILE = "--options-file"
    MACROS = "macros"
    AS_IT_IS = "as it is"


class Drop(Enum):
    """Why an option is not handed on."""

    OUTPUT = "concerns output files: coalint writes none"
    CODE = "would make the compiler load code"
    DIAGNOSTICS = "concerns the compiler's messages"
    GENERATION = "concerns the generated code, not what the source means"
    LINKING = "concerns linking"
    DRIVER = "concerns how the compiler runs"
    SYSTEM = "selects system headers other than those of coalint"
    HOST = "applies to host code only"
    INPUT = "is an input file"
    UNKNOWN = "is not known to coalint"
    NO_FOLDER = "there is no such folder"
    NO_MACRO = "is not a macro name"
    NO_FILE = "is not a file that may be read"
    OUTSIDE = (
        "is outside of the repository and not a folder of headers: give it on the command line if this is intended"
    )
    OWN_HEADERS = "holds {library}, for which coalint has its own headers"
    STANDARD = "is older than C++17, which coalint's own headers need: parsed as C++17"
    OTHER_STANDARD = "is no C++ standard that libclang knows (the newest is c++26)"
    DEVICE = "names no single NVIDIA GPU"


@record(frozen=True, slots=True)
class Option:
    """What to do with an option; `valued` ones take what follows `=`, or else the next word.

    `macros` are what it defines; where it is valued, only for these `values`.
    """

    action: Keep | Drop
    valued: bool = False
    macros: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


def _table() -> dict[str, Option]:
    table: dict[str, Option] = {}
    for names, keep in _KEPT:
        table |= {name: Option(keep, valued=True) for name in names.split()}
    for names, macros in _MACROS:
        table |= {name: Option(Keep.MACROS, macros=macros) for name in names.split()}
    for names, value, macro in _MACROS_BY_VALUE:
        table |= {name: Option(Keep.MACROS, True, (macro,), (value,)) for name in names.split()}
    table |= {name: Option(Keep.AS_IT_IS) for name in _AS_THEY_ARE.split()}
    for drop, valued, names in _DROPPED:
        table |= {name: Option(drop, valued) for name in names.split()}
    return table


_KEPT = (
    ("-D --define-macro", Keep.DEFINE),
    ("-U --undefine-macro", Keep.UNDEFINE),
    ("-I --include-path --include-directory", Keep.FOLDER),
    ("-isystem --system-include -cxx-isystem", Keep.SYSTEM_FOLDER),
    ("-iquote", Keep.QUOTE_FOLDER),
    ("-idirafter --include-directory-after", Keep.LATER_FOLDER),
    ("-include --pre-include --include", Keep.FORCED),
    ("-imacros --imacros", Keep.FORCED_MACROS),
    ("-std --std", Keep.STANDARD),
    ("-x --x --language", Keep.LANGUAGE),
    (
        "-arch --gpu-architecture --cuda-gpu-arch --offload-arch -gencode --generate-code --gencode",
        Keep.ARCHITECTURE,
    ),
    ("-Xcompiler --compiler-options", Keep.HOST_OPTIONS),
    ("--options-file -optf", Keep.RESPONSE_FILE),
)

# What `nvcc --dryrun` (13.0) defines for its preprocessor under these options.
_MACROS = (
    ("-dc --device-c -dw --device-w", ("__CUDACC_RDC__",)),
    ("-ewp --extensible-whole-program", ("__CUDACC_EWP__",)),
    ("-G --device-debug", ("__CUDACC_DEBUG__",)),
    (
        "-extended-lambda --extended-lambda -expt-extended-lambda --expt-extended-lambda",
        ("__CUDACC_EXTENDED_LAMBDA__",),
    ),
    ("-expt-relaxed-constexpr --expt-relaxed-constexpr", ("__CUDACC_RELAXED_CONSTEXPR__",)),
    ("-fopenmp -qopenmp -fiopenmp", ("_OPENMP=201511",)),
    ("-pthread -pthreads", ("_REENTRANT",)),
)
_MACROS_BY_VALUE = (
    ("-rdc --relocatable-device-code", "true", "__CUDACC_RDC__"),
    ("-default-stream --default-stream", "per-thread", "CUDA_API_PER_THREAD_DEFAULT_STREAM=1"),
)

_AS_THEY_ARE = """
    -fms-extensions -fno-ms-extensions -fms-compatibility -fdeclspec -fsigned-char -fno-signed-char -funsigned-char
    -fno-unsigned-char -fchar8_t -fno-char8_t -fno-operator-names -ftrigraphs -fno-trigraphs -fshort-enums
    -fdelayed-template-parsing -fno-delayed-template-parsing -frelaxed-template-template-args -fblocks -fcoroutines
    -fno-dollars-in-identifiers -fdollars-in-identifiers -fno-gnu-keywords -fgnu-keywords -trigraphs
"""
AS_THEY_ARE_WITH_VALUE = ("-ftemplate-depth=", "-fconstexpr-depth=", "-fconstexpr-steps=", "-fbracket-depth=")

_DROPPED = (
    (
        Drop.OUTPUT,
        True,
        """-o --output-file --output -MF --dependency-output -MT --dependency-target-name -MQ -MJ -odir
        --output-directory -keep-dir --keep-dir -dependency-file -dependency-dot -header-include-file
        --serialize-diagnostics -serialize-diagnostics -serialize-diagnostic-file -diagnostic-log-file -stats-file
        -time --time -fdevice-time-trace --fdevice-time-trace -dumpbase -dumpdir -aux-info -idp --input-drive-prefix
        -ddp --dependency-drive-prefix -dp --drive-prefix -opt-record-file -fmodules-cache-path
        -foptimization-record-file -fcrash-diagnostics-dir -fproc-stat-report -ivfsoverlay -qpp-config --qpp-config
        -objcmt-migrate-output-dir""",
    ),
    (
        Drop.OUTPUT,
        False,
        """-c --compile -E --preprocess -S -M -MM -MD -MMD -MG -MP -MV --generate-dependencies -emit-llvm
        --generate-nonsystem-dependencies --generate-dependencies-with-compile -emit-ast -emit-pch -emit-obj
        --generate-nonsystem-dependencies-with-compile --generate-dependency-targets -save-temps --save-temps -keep
        --keep -cuda --cuda -cubin --cubin -fatbin --fatbin -ptx --ptx -optix-ir --optix-ir -ltoir --ltoir -lib --lib
        -objtemp --objdir-as-tempdir -save-stats -gen-reproducer -clean --clean-targets -ftime-trace -ftime-report
        -fsyntax-only -pipe --write-dependencies --write-user-dependencies --dependencies --user-dependencies""",
    ),
    (
        Drop.CODE,
        True,
        """-load -plugin -add-plugin -fplugin -fpass-plugin -wrapper -specs --specs -mllvm -B -cc1 -cc1as -ccc-gcc-name
        -fmodule-file -fmodule-map-file -fprebuilt-module-path -include-pch -include-pth -fprofile-use
        -fprofile-instr-use -fthinlto-index""",
    ),
    (Drop.CODE, False, "-fmodules -fcxx-modules -fimplicit-module-maps -fmodules-ts"),
    (
        Drop.DIAGNOSTICS,
        True,
        """-diag-suppress --diag-suppress -diag-error --diag-error -diag-warn --diag-warn -ferror-limit
        -fmessage-length -ftemplate-backtrace-limit --ftemplate-backtrace-limit -opt-info --optimization-info
        -brief-diag --brief-diagnostics""",
    ),
    (
        Drop.DIAGNOSTICS,
        False,
        """-w --disable-warnings -pedantic -pedantic-errors -v --verbose -err-no --display-error-number -no-err-no
        --no-display-error-number -res-usage --resource-usage --help -h --version -V -H -Q -###""",
    ),
    (
        Drop.GENERATION,
        True,
        """-Xptxas --ptxas-options -Xcuda-ptxas -Xcuda-fatbinary -maxrregcount --maxrregcount -ftz --ftz
        -prec-div --prec-div -prec-sqrt --prec-sqrt -fmad --fmad --optimize -Ofc --Ofast-compile -dopt --dopt -e
        --entries -m --machine -t --threads -split-compile --split-compile -split-compile-extended
        --split-compile-extended -jtd --jump-table-density -compress-mode --compress-mode -frandom-seed
        --frandom-seed -sanitize --sanitize -code --gpu-code -device-stack-protector --device-stack-protector
        -static-global-template-stub --static-global-template-stub --param -march -mcpu -mtune -target --target
        -device-entity-has-hidden-visibility --device-entity-has-hidden-visibility -Xassembler -Xopenmp-target
        -Xsycl-target-backend -Xs""",
    ),
    (
        Drop.GENERATION,
        False,
        """-use_fast_math --use_fast_math -lineinfo --generate-line-info -pg --profile -g --debug -noeh
        --no-exceptions -m64 --m64 -m32 -lto --lto -dlto --dlink-time-opt -gen-opt-lto --gen-opt-lto -restrict
        --restrict -src-in-ptx --source-in-ptx -keep-device-functions --keep-device-functions -reloc-ptx
        --relocatable-ptx -extra-device-vectorization --extra-device-vectorization -nohdinitlist
        --no-host-device-initializer-list -nohdmoveforward --no-host-device-move-forward --no-align-double
        -no-compress --no-compress -astoolspatch --compile-as-tools-patch --cuda-device-only --cuda-host-only
        -fgpu-rdc -fno-gpu-rdc --fdevice-syntax-only -fdevice-syntax-only -fcuda-flush-denormals-to-zero
        -ffp-contract -fsycl -fhip-new-launch-api""",
    ),
    (
        Drop.LINKING,
        True,
        """-l --library -L --library-path -Xlinker --linker-options -Xarchive --archive-options -Xnvlink -z -T -u -rpath
        --nvlink-options -Xoffload-linker -cudart --cudart -cudadevrt --cudadevrt -hls --host-linker-script -arbin
        --archiver-binary -framework -Xdevice-linker""",
    ),
    (
        Drop.LINKING,
        False,
        """-link --link -dlink --device-link -shared --shared -static -r --relocatable-link -nodlink --no-device-link
        -rdynamic -nostdlib -nodefaultlibs -s -pie -no-pie -aug-hls --augment-host-linker-script
        -forward-unknown-to-host-linker --forward-unknown-to-host-linker""",
    ),
    (
        Drop.DRIVER,
        True,
        """-ccbin --compiler-bindir -ldir --libdevice-directory -target-dir --target-directory -run-args --run-args
        --config --gcc-toolchain --cuda-path --rocm-path -working-directory -Xthinlto""",
    ),
    (
        Drop.DRIVER,
        False,
        """-forward-unknown-to-host-compiler --forward-unknown-to-host-compiler -forward-unknown-opts
        --forward-unknown-opts -noprof --dont-use-profile -dryrun --dryrun -run --run -use-local-env --use-local-env
        -force-cl-env-setup --force-cl-env-setup -allow-unsupported-compiler --allow-unsupported-compiler -jobserver
        --jobserver -code-ls --list-gpu-code -arch-ls --list-gpu-arch""",
    ),
    (Drop.SYSTEM, True, "-isysroot --sysroot -iframework -F -iprefix -iwithprefix -iwithprefixbefore -resource-dir"),
    (Drop.SYSTEM, False, "-nostdinc -nostdinc++ -nobuiltininc -nocudainc -nocudalib -I- -ansi -undef"),
    (Drop.HOST, True, "-Xarch_host"),
)

TABLE = _table()

# What takes a value from nvcc alone.
NVCC_VALUED = {"-Werror": Drop.DIAGNOSTICS, "--Werror": Drop.DIAGNOSTICS, "-O": Drop.GENERATION}

# Options whose value is written to them directly, the longest first.
JOINED = ("-idirafter", "-isystem", "-include", "-imacros", "-iquote", "-D", "-U", "-I", "-L", "-l", "-o", "-x", "-MF")

# Families that share a beginning; what is more special stands above.
FAMILIES: tuple[tuple[str, Drop], ...] = (
    ("-fplugin", Drop.CODE),
    ("-fpass-plugin", Drop.CODE),
    ("-fmodule", Drop.CODE),
    ("-fprebuilt", Drop.CODE),
    ("-fimplicit-module", Drop.CODE),
    ("-load", Drop.CODE),
    ("-plugin", Drop.CODE),
    ("-mllvm", Drop.CODE),
    ("-ccc-", Drop.CODE),
    ("-specs", Drop.CODE),
    ("--config", Drop.DRIVER),
    ("-fuse-ld", Drop.LINKING),
    ("-fcrash-diagnostics", Drop.OUTPUT),
    ("-ftime-trace", Drop.OUTPUT),
    ("-fsave-optimization", Drop.OUTPUT),
    ("-foptimization-record", Drop.OUTPUT),
    ("-fproc-stat", Drop.OUTPUT),
    ("-fprofile", Drop.OUTPUT),
    ("-fcs-profile", Drop.OUTPUT),
    ("-fdump", Drop.OUTPUT),
    ("-fbuild-session", Drop.OUTPUT),
    ("-save-temps", Drop.OUTPUT),
    ("--save-temps", Drop.OUTPUT),
    ("-emit-", Drop.OUTPUT),
    ("-print-", Drop.OUTPUT),
    ("--print-", Drop.OUTPUT),
    ("-dump", Drop.OUTPUT),
    ("-M", Drop.OUTPUT),
    ("-Wl,", Drop.LINKING),
    ("-Wa,", Drop.GENERATION),
    ("-W", Drop.DIAGNOSTICS),
    ("--W", Drop.DIAGNOSTICS),
    ("-fdiagnostics", Drop.DIAGNOSTICS),
    ("-fcolor-diagnostics", Drop.DIAGNOSTICS),
    ("-fno-diagnostics", Drop.DIAGNOSTICS),
    ("-O", Drop.GENERATION),
    ("-g", Drop.GENERATION),
    ("-m", Drop.GENERATION),
    ("-f", Drop.GENERATION),
    ("-q", Drop.GENERATION),
    ("-d", Drop.OUTPUT),
    ("--offload", Drop.GENERATION),
    ("--hip", Drop.GENERATION),
    ("--rocm", Drop.DRIVER),
    ("--cuda", Drop.GENERATION),
)
