"""Size and alignment of the types of the bundled headers, against nvcc's (benchmarks/type_layouts.py)."""

from __future__ import annotations

from pathlib import Path

from bundled_headers import FORCED, complaints, headers, parse

LAYOUTS = Path(__file__).resolve().parents[2] / "data" / "type_layouts.txt"
# No kernel keeps these in memory: handles of groups, fragments of registers, structs of the host's interfaces.
HANDLES = ("cooperative_groups::", "nvcuda::wmma::fragment")
OF_THE_HOST = (
    "cudaConditionalNodeParams cudaDeviceProp cudaFuncAttributes cudaGraphNodeParams cudaMemAllocNodeParams "
    "cudaMemPoolProps cudaPointerAttributes cudaResourceDesc cudaResourceViewDesc timezone tm va_list"
).split()


def layouts() -> dict[str, tuple[int, int]]:
    rows = [line.split("\t") for line in LAYOUTS.read_text().splitlines() if not line.startswith("#")]
    return {name: (int(size), int(align)) for name, size, align in rows}


def test_types_are_as_large_and_as_aligned_as_those_of_cuda() -> None:
    expected = {name: layout for name, layout in layouts().items() if not name.startswith(HANDLES)}
    expected = {name: layout for name, layout in expected.items() if name not in OF_THE_HOST}
    assert len(expected) > 250
    names = list(expected)
    lines = [f'#include "{header}"' for header in headers()]
    lines += [f"using t_{n} = {name}; t_{n} *v_{n}; int s_{n} = sizeof(t_{n});" for n, name in enumerate(names)]
    source = "\n".join(lines)
    assert not complaints(source, *FORCED)
    found = {}
    for cursor in parse(source, *FORCED).cursor.get_children():
        if cursor.spelling.startswith("v_") and cursor.spelling[2:].isdigit():
            type_ = cursor.type.get_pointee().get_canonical()
            found[names[int(cursor.spelling[2:])]] = type_.get_size(), type_.get_align()
    wrong = {name: (found.get(name), layout) for name, layout in expected.items() if found.get(name) != layout}
    assert not wrong, "\n".join(map(str, wrong.items()))
