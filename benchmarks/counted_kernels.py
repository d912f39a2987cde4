"""Programs of random kernels, whose counts of whole launches tell what a compiler makes of code that people write.

    python benchmarks/counted_kernels.py FOLDER [--programs 30] [--seed 1] [--repeating]
    bash benchmarks/profile_programs.sh FOLDER 500            # on a machine with a GPU, nvcc and ncu
    python benchmarks/programs.py executions FOLDER           # where a count is not the one that is predicted

Each statement stands in a line of its own. All numbers of a launch are literals of its call, so that what coalint calls
exact can be compared. A program has as many kernels as `profile_programs.sh` profiles of one. With `--repeating`
kernels ask the same conditions again, load the same places and their neighbours.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

KERNELS = 20
BYTES = 4 << 20
FUNCTIONS = """\
struct View {
    const float *p;
    __device__ const float &operator[](int i) const {
        return p[i];
    }
    __device__ float at(int i) const {
        return p[i];
    }
};
__device__ float twice(const float *p, int i) {
    float v = p[i];
    return v + v;
}
__device__ float inside(const float *p, int i, int n) {
    if (i < n)
        return p[i];
    return 0;
}
__device__ void put(float *p, int i, int n, float v) {
    if (i < n)
        p[i] = v;
}
__device__ int clamped(int i, int last) {
    return min(max(i, 0), last);
}
"""
INDICES = "t|t + 1|t + 64|2 * t|2 * t + 1|t * m|t / 2|t ^ 1|t + n|b|n|0|63 - (t & 63)|(t + 5) % 32|t * 4 + 2".split("|")
CONDITIONS = (
    "t < n;t > 9;t == 0;(t & 31) == 0;t % 2 == 0;b == 0;n > 3;t >= 32 && t < n + 32;t < 100;(t & 1) || t > n".split(";")
)
LOOPS = (
    "int @ = 0; @ < 4; @++|int @ = 0; @ < n; @++|int @ = t; @ < n; @ += 32|int @ = t & 31; @ < 100; @ += 32|"
    "int @ = m; @ > 0; @ /= 2|int @ = 0; @ < m; @++|int @ = b; @ < n; @ += 2|int @ = 0; @ < (t & 3); @++"
).split("|")
PLACES = "threadIdx.x|threadIdx.x ^ 1|2 * threadIdx.x % 64|3|threadIdx.x / 2".split("|")
PAIRS = ["2 * threadIdx.x", "2 * threadIdx.x + 1"]
PURE = "#|# * 2|# + 1|fabsf(#)|sqrtf(#)|expf(#)|1 / (# + 2)|fmaxf(#, 1)|-#|# * #".split("|")


class Kernel:
    """The lines of one kernel, made by chance."""

    def __init__(self, chance: random.Random, *, repeating: bool = False) -> None:
        self._chance = chance
        self._conditions: list[str] = CONDITIONS
        self._indices: list[str] = INDICES
        self._places: list[str] = PLACES
        if repeating:
            self._conditions = chance.sample(CONDITIONS, 2)
            self._indices = chance.sample(INDICES, 4)
            self._places = [*PAIRS, *chance.sample(PLACES, 1)]
        self._values: list[str] = []
        self._counters: list[str] = []
        self._made = 0
        self.has_tile = chance.random() < 0.4

    def lines(self, name: str) -> Iterator[str]:
        """Yield the lines of the kernel."""
        restrict = self._chance.choice(["", "", "__restrict__ "])
        arrays = f"float *{restrict}o, const float *{restrict}x, const float *{restrict}y"
        yield f"__global__ void {name}({arrays}, View w, int n, int m) {{"
        if self.has_tile:
            yield "    __shared__ float s[256];"
        yield "    int b = blockIdx.x;"
        yield "    int t = b * blockDim.x + threadIdx.x;"
        if self.has_tile:
            yield "    s[threadIdx.x] = x[t];"
            yield "    __syncthreads();"
        for _ in range(self._chance.randint(3, 7)):
            yield from self._statement(1)
        yield f"    o[t + 4096] = {' + '.join(self._values) or self._load()};"
        yield "}"

    def _statement(self, depth: int) -> Iterator[str]:
        pick, pad = self._chance.random(), "    " * depth
        if pick < 0.35 or depth > 3:
            yield f"{pad}float v{self._made} = {self._computed()};"
            self._values.append(f"v{self._made}")
            self._made += 1
        elif pick < 0.5 and self._values:
            operator = self._chance.choice(["=", "+=", "+=", "*="])
            yield f"{pad}{self._chance.choice(self._values)} {operator} {self._computed()};"
        elif pick < 0.65:
            yield pad + self._store()
        elif pick < 0.85:
            yield f"{pad}if ({self._chance.choice(self._conditions)}) {{"
            yield from self._block(depth)
            if self._chance.random() < 0.3:
                yield f"{pad}}} else {{"
                yield from self._block(depth)
            yield f"{pad}}}"
        elif pick < 0.95:
            counter = f"i{self._made}"
            self._made += 1
            yield f"{pad}for ({self._chance.choice(LOOPS).replace('@', counter)}) {{"
            self._counters.append(counter)
            yield from self._block(depth)
            self._counters.pop()
            yield f"{pad}}}"
        elif depth == 1 and self._chance.random() < 0.5:
            yield f"{pad}if ({self._chance.choice(self._conditions)})"
            yield f"{pad}    return;"
        elif depth == 1 and self.has_tile:
            yield f"{pad}__syncthreads();"
        else:
            yield f"{pad}put(o, {self._index()}, n, {self._value()});"

    def _block(self, depth: int) -> Iterator[str]:
        known = len(self._values)
        for _ in range(self._chance.randint(1, 3)):
            yield from self._statement(depth + 1)
        if self._values[known:]:
            yield f"{'    ' * (depth + 1)}o[{self._index()}] = {' + '.join(self._values[known:])};"
        del self._values[known:]

    def _store(self) -> str:
        value = self._value() if self._values else "1"
        if self.has_tile and self._chance.random() < 0.4:
            return f"s[threadIdx.x] = {value};"
        if self._chance.random() < 0.1:
            return f"atomicAdd(&o[{self._index()}], {value});"
        return f"o[{self._index()}] {self._chance.choice(['=', '=', '+='])} {value};"

    def _computed(self) -> str:
        return self._chance.choice(PURE).replace("#", self._load() if self._chance.random() < 0.8 else self._value())

    def _value(self) -> str:
        return self._chance.choice(self._values) if self._values else self._load()

    def _load(self) -> str:
        at, array = self._index(), self._chance.choice("xxyo")
        if self.has_tile and self._chance.random() < 0.5:
            return f"s[{self._chance.choice(self._places)}]"
        forms = [f"{array}[{at}]"] * 6
        forms += [f"__ldg(&x[{at}])", f"w[{at}]", f"w.at({at})", f"twice({array}, {at})", f"inside(x, {at}, n)"]
        forms += [f"({self._chance.choice(self._conditions)} ? x[{at}] : 0)", f"x[clamped({at} - 1, n)]"]
        return self._chance.choice(forms)

    def _index(self) -> str:
        if self._counters and self._chance.random() < 0.6:
            form = self._chance.choice(["@", "@ * 64 + t", "t * 4 + @", "t + @", "@ * m"])
            return form.replace("@", self._chance.choice(self._counters))
        return self._chance.choice(self._indices)


def program(chance: random.Random, *, repeating: bool = False) -> str:
    """Return a program that launches each of its kernels once."""
    names = [f"k{number}" for number in range(KERNELS)]
    kernels = ["\n".join(Kernel(chance, repeating=repeating).lines(name)) for name in names]
    lines = [FUNCTIONS, *kernels, "int main() {"]
    for array in "oxy":
        lines += [
            f"    float *{array};",
            f"    cudaMalloc(&{array}, {BYTES});",
            f"    cudaMemset({array}, 0, {BYTES});",
        ]
    for name in names:
        n, m = chance.choice([20, 64, 200]), chance.choice([1, 3, 8])
        lines.append(f"    {name}<<<2, 64>>>(o, x, y, View{{x}}, {n}, {m});")
    return "\n".join([*lines, "    return cudaDeviceSynchronize();", "}", ""])


def main() -> None:
    """Write the programs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--programs", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--repeating", action="store_true")
    arguments = parser.parse_args()
    names = [f"random_{arguments.seed}_{number}" for number in range(arguments.programs)]
    for name in names:
        (arguments.folder / name).mkdir(parents=True, exist_ok=True)
        (arguments.folder / name / "kernels.cu").write_text(program(random.Random(name), repeating=arguments.repeating))
    (arguments.folder / "list.txt").write_text("".join(f"{name}|kernels.cu||\n" for name in names))


if __name__ == "__main__":
    main()
