"""Size and alignment of the types of the bundled headers, against nvcc's (benchmarks/type_layouts.py)."""

from __future__ import annotations

from pathlib import Path

import pytest
from bundled_headers import FORCED, complaints, headers, parse

LAYOUTS = Path(__file__).resolve().parents[2] / "data" / "type_layouts.txt"
# No kernel keeps a group in memory: it stands for registers, and its bundled form for the ranks that these give.
HANDLES = ("cooperative_groups::",)
# nvcc takes `timezone` for the variable of glibc, not for the struct; what a `va_list` is, libclang's target decides.
OTHER_MEANING = ("timezone", "va_list")
# Strings, streams, errors, locks and allocators: nothing of them runs in kernels, so they have names and no contents.
OF_THE_HOST = """
std::string std::logic_error std::runtime_error std::invalid_argument std::domain_error std::length_error
std::out_of_range std::range_error std::overflow_error std::underflow_error std::type_info std::ios_base std::streampos
std::ios std::ostream std::istream std::iostream std::streambuf std::ostringstream std::istringstream std::stringstream
std::mutex std::recursive_mutex std::error_code std::system_error std::seed_seq std::random_device
cub::CachingDeviceAllocator thrust::system_error thrust::error_code
""".split()


def layouts() -> dict[str, tuple[int, int]]:
    rows = [line.split("\t") for line in LAYOUTS.read_text().splitlines() if not line.startswith("#")]
    return {name: (int(size), int(align)) for name, size, align in rows}


def bundled(names: list[str]) -> dict[str, tuple[int, int]]:
    lines = [f'#include "{header}"' for header in headers()]
    lines += [f"using t_{n} = {name}; t_{n} *v_{n}; int s_{n} = sizeof(t_{n});" for n, name in enumerate(names)]
    source = "\n".join(lines)
    assert not complaints(source, *FORCED)
    found = {}
    for cursor in parse(source, *FORCED).cursor.get_children():
        if cursor.spelling.startswith("v_") and cursor.spelling[2:].isdigit():
            type_ = cursor.type.get_pointee().get_canonical()
            found[names[int(cursor.spelling[2:])]] = type_.get_size(), type_.get_align()
    return found


@pytest.mark.slow
def test_types_are_as_large_and_as_aligned_as_those_of_cuda_but_for_those_named_here() -> None:
    expected = layouts()
    assert len(expected) > 250
    found = bundled(list(expected))
    wrong = {name for name, layout in expected.items() if found.get(name) != layout}
    named = {name for name in expected if name.startswith(HANDLES) or name in (*OTHER_MEANING, *OF_THE_HOST)}
    assert wrong == named, {name: (found.get(name), expected[name]) for name in wrong ^ named}
