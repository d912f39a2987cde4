"""Rules on accesses that nvcc joins into one vector instruction."""

from __future__ import annotations

from dataclasses import replace

import pytest
from project import Project
from rule_findings import LOOP, findings, in_loop, kept, only, shared, text
from synthetic import access, changed, lanes_of, specialization, warps

from coalint.core.facts.access import Access, LoopStride, Memory, Operation, RecordField


def vector_field(record: str, size: int, names: str, offset: int, align: int = 1) -> Access:
    field = RecordField(record, size, names[offset // 4], offset, 4, record_align=align)
    memory = Memory("points", size)
    return access(lambda x, y, z: size * x + offset, block=(256, 1, 1), field=field, memory=memory)


@pytest.mark.parametrize(
    ("record", "size", "used", "align", "codes"),
    [
        ("float2", 8, "xy", 8, []),
        ("float2", 8, "x", 8, ["COA102"]),
        ("float4", 16, "xyzw", 16, []),
        ("float4", 16, "xyz", 16, []),  # one LDG.128 in the machine code
        ("float4", 16, "xy", 16, ["COA102"]),
        ("Particle", 16, "xyzw", 4, ["COA102"]),
        ("AlignedParticle", 16, "xyzw", 16, []),
        ("float3", 12, "xyz", 4, ["COA102"]),
    ],
)
def test_fields_of_an_aligned_struct_are_one_instruction(
    record: str, size: int, used: str, align: int, codes: list[str]
) -> None:
    fields = [vector_field(record, size, "xyzw", 4 * "xyzw".index(name), align) for name in used]
    assert list(kept(*fields)) == codes


@pytest.mark.parametrize(("record", "align", "advises"), [("uchar4", 4, False), ("Pixel", 1, True)])
def test_no_alignment_is_advised_that_is_there_already(record: str, align: int, advises: bool) -> None:
    fields = [RecordField(record, 4, name, offset, 1, record_align=align) for offset, name in enumerate("xyz")]
    stores = [
        access(
            lambda x, y, z, at=field.offset: 4 * x + at,  # type: ignore[misc]
            block=(256, 1, 1),
            bytes=1,
            op=Operation.STORE,
            field=field,
            memory=Memory("pixels", 4),
        )
        for field in fields
    ]
    finding = findings(*stores)["COA102"][0]
    assert ("__align__" in finding.help) is advises
    assert "from or to a local variable" in finding.help


def test_half_a_vector_says_what_the_joined_access_costs() -> None:
    halves = [vector_field("float4", 16, "xyzw", offset, 16) for offset in (0, 4)]
    finding = findings(*halves)["COA102"][0]
    assert finding.message.endswith("takes 16 sectors per request (ideal: 8)")
    assert "this access of 4 bytes with its neighbours into one of 8: the numbers are for the" in text(finding)


def test_fields_are_joined_though_the_pitch_is_not_known(project: Project) -> None:
    """As nvcc 13.2 compiles it, to STG.64: the type says how a struct is aligned, whatever its address is made of."""
    project.put(
        "k.cu",
        "template <class T> __device__ T *at(T *p, size_t pitch, int x, int y) "
        "{ return (T *)((char *)p + y * pitch) + x; }\n"
        "__global__ void k(float2 *out, int pitch) {\n    float2 *q = at(out, pitch, threadIdx.x, threadIdx.y);\n"
        "    q->x = 1;\n    q->y = 2;\n}\n"
        "__global__ void lone(float2 *out, int pitch) { at(out, pitch, threadIdx.x, threadIdx.y)->y = 2; }\n"
        "void run(float2 *p, int n) { k<<<1, dim3(32, 8)>>>(p, n); lone<<<1, dim3(32, 8)>>>(p, n); }\n",
    )
    report = project.lint(".").report
    assert [(found["code"], found["kernel"]) for found in report["diagnostics"]] == [("COA102", "lone")]


def pairs(
    first: int, op: Operation = Operation.LOAD, memory: Memory | None = None, expression: str = "s[2*t + 1]"
) -> list[Access]:
    """`s[2*t + first]` and its successor, in shared memory."""
    memory = memory or Memory("s", 4, (1024,))
    return [
        shared(
            lambda x, y, z, s=start: 8 * x + s,
            (256, 1, 1),
            memory,
            op=op,
            expression=expression,
            offset_bytes=start,
        )
        for start in (4 * first, 4 * first + 4)
    ]


def test_neighbours_in_shared_memory_are_one_instruction() -> None:
    assert not findings(*pairs(0))
    assert not findings(*pairs(0, Operation.STORE))
    assert len(findings(*pairs(1))["COA202"]) == 2
    assert len(findings(*pairs(0, Operation.ATOMIC))["COA202"]) == 2


def test_what_only_the_launch_tells_joins_nothing() -> None:
    """As nvcc 13.2 compiles them: it knows neither a parameter nor where a carved pointer begins."""
    dynamic = Memory("sram", 4, (None,), dynamic=True)
    assert not findings(*pairs(0, memory=dynamic, expression="sram[2*t]"))
    assert not findings(*pairs(0, memory=dynamic, expression="floats[2*t]"))
    assert len(findings(*pairs(64, memory=dynamic, expression="second[2*t]"))["COA202"]) == 2
    in_second = pairs(0, memory=dynamic, expression="second[2*t]")
    second = [changed(one, common="4*n", common_names=("n",)) for one in in_second]
    assert len(findings(*second)["COA202"]) == 2
    walked = [changed(one, common="2048*col", common_names=("col",), loops=in_loop(2048, None)) for one in second]
    assert not findings(*walked)
    launched = replace(specialization((256, 1, 1)), arguments=(("pitch", 2),))
    by_argument = [replace(one, specialization=launched) for one in pairs(0, expression="s[pitch*t]")]
    assert len(findings(*by_argument)["COA202"]) == 2
    assert not findings(*(replace(one, specialization=launched) for one in pairs(0)))


def test_an_unrolled_loop_over_neighbours_is_one_instruction() -> None:
    """The register tile of a matrix product: `As[k * 128 + row * 8 + i]` over i, four lanes to a row."""
    memory = Memory("As", 4, (1024,))
    loops = (LoopStride("k", 512, "512", 8, LOOP), LoopStride("i", 4, "4", 8, LOOP))
    load = shared(lambda x, y, z: 32 * (x // 4), (256, 1, 1), memory, loops=loops)
    assert not findings(changed(load, lanes=replace(load.result.lanes, alignment=4)))  # type: ignore[type-var]
    assert list(findings(replace(load, loops=loops[:1]))) == ["COA202"]


def test_a_joined_column_still_conflicts() -> None:
    """`tile[x][k]` over k becomes 16-byte loads, whose eight lanes per phase all meet in the same banks."""
    memory = Memory("tile", 4, (32, 32))
    column = shared(lambda x, y, z: 128 * x, (32, 8, 1), memory, loops=in_loop(4, 32))
    rows = [warps((32, 8, 1), lambda x, y, z, k=k: 128 * x + 4 * k) for k in range(32)]  # type: ignore[misc]
    finding = only(kept(changed(column, lanes=lanes_of(rows))), "COA201")
    assert finding.message.endswith("takes 32 wavefronts per request (ideal: 4)")
    assert "an 8-way bank conflict" in text(finding)
    assert "this access of 4 bytes with its neighbours into one of 16" in text(finding)
