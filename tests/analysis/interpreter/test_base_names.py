"""What members of a base are called in a struct that adds none."""

from __future__ import annotations

from project import Project


def test_members_of_a_base_that_is_as_large_as_the_struct_have_their_names(project: Project) -> None:
    project.put(
        "k.cu",
        """\
struct Base {
    float *data;
    long strides[3];
    __device__ float *at(int z, int y, int x) const { return data + z * strides[0] + y * strides[1] + x * strides[2]; }
};
struct Wrap : Base {
    __device__ float &in(int z, int y, int x) const { return *static_cast<const Base &>(*this).at(z, y, x); }
};
__device__ Wrap &whole(Base &base) { return static_cast<Wrap &>(base); }
__global__ void k(Wrap out) { out.in(blockIdx.y, blockIdx.x, threadIdx.x) = 0; }
void run(Wrap out) { k<<<dim3(4, 4), 256>>>(out); }
""",
    )
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert finding["message"].endswith("for a general `out.strides[2]`")
