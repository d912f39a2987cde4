"""The precompiled header: it changes the time of a parse and nothing else, and no damage to it is ever fatal."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from amounts import first, quarter

from coalint.core import ir
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.config.settings import Settings
from coalint.engine.units.plan import plan
from coalint.frontend.cuda.libclang import precompiled, precompiled_files
from coalint.frontend.cuda.libclang.errors import errors
from coalint.frontend.cuda.libclang.parse import parse
from coalint.frontend.cuda.load import load
from coalint.machine.architecture import architecture

FIXTURES = sorted(str(path) for path in (Path(__file__).resolve().parents[4] / "fixtures").rglob("*.cu"))
KERNEL = "__global__ void k(float *a) { a[threadIdx.x * N] = min(a[0], 1.f); }\n"


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    """A process remembers what it found in a folder; each test begins as a new one."""
    forget()
    yield
    forget()


def forget() -> None:
    precompiled._precompiled.clear()
    precompiled._wanted.clear()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("headers"))


def content(module: ir.Module) -> tuple[object, ...]:
    """What of a module does not depend on where libclang keeps it in memory."""
    functions = [(f.span, f.name, f.bundled, len(f.parameters), repr(shape(f.body))) for f in module.functions.values()]
    functions.sort()
    kernels = [
        (k.name, k.span, k.template_arguments, k.bounds, k.guessed, shape(k.function.body)) for k in module.kernels
    ]
    return kernels, functions, module.problems


def shape(node: ir.Expression | ir.Statement) -> object:
    """A tree with everything but the keys of its declarations."""
    own: list[object] = [type(node).__name__, node.span]
    if isinstance(node, ir.Expression):
        own.append(node.type)
    match node:
        case ir.Name():
            own += [node.variable.name, node.variable.type, node.variable.storage, node.variable.constant]
        case ir.Call():
            own += [node.name, node.function is None, node.constructor]
        case ir.Literal():
            own.append(node.value)
        case ir.Builtin():
            own += [node.register, node.axis]
        case ir.Member():
            own += [node.field, node.offset]
    return own, [shape(child) for child in ir.children(node)]


@pytest.mark.slow
@pytest.mark.parametrize("path", quarter(FIXTURES), ids=lambda path: Path(path).stem)
def test_the_same_is_lowered_with_it(path: str, shared: str) -> None:
    with_it = load(path, (), shared)
    assert content(with_it) == content(load(path))
    assert with_it.kernels


def test_bundled_functions_and_registers_are_told_apart(tmp_path: Path) -> None:
    source = tmp_path / "k.cu"
    source.write_text(
        "__global__ void k(float *a, dim3 blockIdx) {\n"
        "  a[cooperative_groups::this_thread_block().thread_rank() + blockIdx.x] = threadIdx.x; }\n"
        "__device__ int own() { return 1; } __global__ void m(int *a) { a[0] = own(); }\n"
    )
    module = load(str(source), (), str(tmp_path / "headers"))
    bundled = {f.name: f.bundled for f in module.functions.values()}
    assert bundled.pop("thread_rank")
    assert [name for name, inside in bundled.items() if not inside] == ["k", "m", "own"]
    registers = {node.register for kernel in module.kernels for node in walk(kernel.function.body)}
    assert registers == {ir.Register.THREAD_INDEX}


def walk(node: ir.Expression | ir.Statement) -> Iterator[ir.Builtin]:
    if isinstance(node, ir.Builtin):
        yield node
    for child in ir.children(node):
        yield from walk(child)


def wrong(folder: Path | str | None, *flags: str, source: str = KERNEL, ahead: tuple[str, ...] = ()) -> list[str]:
    unit = parse("k.cu", flags, source, None if folder is None else str(folder), ahead=ahead)
    return [error.spelling for error in errors(unit)]


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("flags", "built"),
    first(
        [
            (("-DN=4", "-D", "M=5", "-U", "Q", "-UQ2", "-I/tmp", "-isystem", "/tmp", "-Wall", "-g"), 1),
            (("-std=c++20",), 2),
            (("-D", "CUDART_VERSION=11000"), 2),
            (("-imacros", "/dev/null"), 1),
            ((), 1),
            (("-DN=4",), 1),
            (("-DCUDART_VERSION=11000",), 2),
            (("-DNDEBUG",), 2),
            (("--cuda-gpu-arch=sm_90",), 2),
            (("-fshort-enums",), 2),
            (("-O2",), 2),
        ],
        4,
    ),
)
def test_one_for_each_set_of_flags_that_it_depends_on(flags: tuple[str, ...], built: int, tmp_path: Path) -> None:
    precompiled.precompiled((), str(tmp_path))
    assert wrong(tmp_path, *flags) == wrong(None, *flags)
    assert len(files(tmp_path)) == built


def test_it_is_built_on_a_machine_without_a_cuda_toolkit(tmp_path: Path) -> None:
    """clang looks for one in fixed places, and lets device code declare `printf` only where it finds one."""
    nowhere = f"--cuda-path={tmp_path}"
    assert precompiled.precompiled((nowhere,), str(tmp_path))
    assert wrong(tmp_path, nowhere) == wrong(None, nowhere) == wrong(None)


def test_a_macro_of_the_command_line_is_the_same_before_and_behind_it(tmp_path: Path) -> None:
    source = '#if CUDART_VERSION != 11000 || N != 4\n#error "no"\n#endif\n' + KERNEL
    flags = ("-DN=4", "-UCUDART_VERSION", "-DCUDART_VERSION=11000")
    assert wrong(tmp_path, *flags, source=source) == wrong(None, *flags, source=source)


def test_what_the_user_forces_comes_behind_it(tmp_path: Path) -> None:
    first = tmp_path / "first.h"
    first.write_text("static_assert(sizeof(float4) == 16); constexpr int N = 4;")
    assert wrong(tmp_path / "headers", "-include", str(first)) == []
    assert len(files(tmp_path / "headers")) == 1


@pytest.mark.parametrize("damage", ["cut", "empty", "foreign", "flipped"])
def test_a_damaged_one_is_replaced(damage: str, tmp_path: Path) -> None:
    assert wrong(tmp_path, "-DN=1") == []
    (name,) = files(tmp_path)
    data = (tmp_path / name).read_bytes()
    half = len(data) // 2
    damaged = {
        "cut": data[:half],
        "empty": b"",
        "foreign": b"\x7fELF" * 100,
        "flipped": data[:half] + b"\xff" + data[half + 1 :],
    }
    (tmp_path / name).write_bytes(damaged[damage])
    precompiled._precompiled.clear()
    assert wrong(tmp_path, "-DN=1") == []
    assert [(tmp_path / name).stat().st_size for name in files(tmp_path)] == [len(data)]


@pytest.mark.slow
def test_one_that_is_damaged_or_removed_while_it_is_in_use_costs_time_only(tmp_path: Path) -> None:
    for removed in (False, True):
        forget()
        assert wrong(tmp_path, "-DN=1") == []
        path = tmp_path / files(tmp_path)[0]
        if removed:
            path.unlink()
        else:
            path.write_bytes(b"no")
        assert wrong(tmp_path, "-DN=1") == []
        assert wrong(tmp_path, "-DN=1") == []
        assert files(tmp_path) == []


def test_one_of_another_libclang_or_other_headers_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert wrong(tmp_path, "-DN=1") == []
    monkeypatch.setattr(precompiled, "_contents", lambda: b"others")
    precompiled._precompiled.clear()
    assert wrong(tmp_path, "-DN=1") == []
    assert len(files(tmp_path)) == 2


def test_a_folder_that_cannot_be_written_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert wrong(tmp_path / "file" / "headers", "-DN=1") == []


def test_flags_that_break_the_headers_break_no_more_than_without(tmp_path: Path) -> None:
    flags = ("-DN=1", "-Dfloat4=3")
    assert wrong(tmp_path, *flags) == wrong(None, *flags) != []
    assert files(tmp_path) == []


def test_a_file_that_libclang_refuses_does_not_discard_it(tmp_path: Path) -> None:
    assert wrong(tmp_path, "-DN=1") == []
    with pytest.raises(Exception, match="could not parse"):
        wrong(tmp_path, "-x", "c++-nonsense")
    assert len(files(tmp_path)) == 1


@pytest.mark.slow
def test_the_folder_does_not_grow_without_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(precompiled_files, "KEPT", 2)
    for version in range(4):
        assert wrong(tmp_path, "-DN=1", f"-DCUDA_VERSION={version}") == []
    assert len(files(tmp_path)) == 2


def _build(folder: str) -> list[str]:
    precompiled._precompiled.clear()
    return wrong(folder, "-DN=1")


@pytest.mark.slow
@pytest.mark.workers
def test_processes_that_build_it_at_once_do_no_harm(tmp_path: Path) -> None:
    with ProcessPoolExecutor(4, mp_context=get_context("fork")) as pool:
        assert list(pool.map(_build, [str(tmp_path)] * 8)) == [[]] * 8
    assert all(name.endswith(precompiled_files.SUFFIX) for name in files(tmp_path))


def test_a_file_with_which_libclang_crashes_behind_it_is_checked_without(tmp_path: Path) -> None:
    path, headers = tmp_path / "k.cu", tmp_path / "headers"
    path.write_text("__global__ void k(float* p) { p[2 * threadIdx.x] = 1; }\n")
    job = Job((), architecture("sm_80"), (), headers=str(headers))
    found = [check_file(Source(str(path), precompiled=used), job) for used in (False, True)]
    assert found[0] == found[1]
    assert found[0].kernels
    check_file(Source(str(path), precompiled=False), replace(job, headers=str(tmp_path / "others")))
    assert headers.exists()
    assert not (tmp_path / "others").exists()


# --- headers ahead of the first line

AHEAD = (
    "coalint/cuda_std.h",
    "coalint/std_later.h",
    "coalint/std_random.h",
    "coalint/std_values.h",
    "coalint/thrust.h",
)
WITH_AHEAD = "#include <random>\n#include <thrust/sort.h>\nthrust::less<int> before(std::mt19937);\n" + KERNEL
VOCABULARY = sorted(str(path) for path in (Path(__file__).resolve().parents[1] / "vocabulary").rglob("*.cu"))


def test_headers_that_two_parses_have_ahead_are_precompiled_for_the_second(tmp_path: Path) -> None:
    for made in (1, 2, 2):
        assert wrong(tmp_path, "-DN=1", source=WITH_AHEAD, ahead=AHEAD) == []
        assert len(files(tmp_path)) == made
    forget()
    assert wrong(tmp_path, "-DN=1", source=WITH_AHEAD, ahead=AHEAD) == []
    assert len(files(tmp_path)) == len(precompiled.precompiled((), str(tmp_path), AHEAD)) == 2, "it is taken at once"
    assert len(precompiled.precompiled((), str(tmp_path), AHEAD[:3])) == 1


def test_a_chain_of_which_something_is_gone_costs_time_only(tmp_path: Path) -> None:
    for kept in (None, 0, 1):
        forget()
        for _ in range(2):
            assert wrong(tmp_path, "-DN=1", source=WITH_AHEAD, ahead=AHEAD) == []
        chain = precompiled.precompiled((), str(tmp_path), AHEAD)
        assert len(chain) == 2
        if kept is not None:
            Path(chain[1 - kept]).unlink()
            assert wrong(tmp_path, "-DN=1", source=WITH_AHEAD, ahead=AHEAD) == []


def test_headers_ahead_that_do_not_parse_are_left_to_the_file(tmp_path: Path) -> None:
    flags = ("-DN=1", "-Dmt19937=3")
    for _ in range(3):
        assert wrong(tmp_path, *flags, source=WITH_AHEAD, ahead=AHEAD) != []
    assert len(files(tmp_path)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("path", VOCABULARY, ids=lambda path: Path(path).stem)
def test_the_same_is_lowered_with_headers_ahead(path: str, shared: str) -> None:
    (source,) = plan([path], Settings()).sources
    modules = [load(path, source.flags, shared, ahead=source.ahead) for _ in range(2)]
    assert content(modules[0]) == content(modules[1]) == content(load(path, source.flags, ahead=source.ahead))
    assert content(modules[0]) == content(load(path, source.flags))
