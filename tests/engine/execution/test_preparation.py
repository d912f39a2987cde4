"""What a run does once, before it forks workers: nothing is left for a check to import."""

from __future__ import annotations

import subprocess
import sys

import pytest
from project import Project

pytestmark = pytest.mark.workers

CODE = """
import sys
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.execution.preparation import prepare
from coalint.engine.registry import installed_rules
from coalint.machine.architecture import architecture

job = Job((), architecture("sm_80"), installed_rules().rules)
source = Source("k.cu")
prepare([source], job)
before = set(sys.modules)
result = check_file(source, job)
print(len(result.checked), sorted(name for name in set(sys.modules) - before if name.startswith("coalint.")))
"""


def test_a_check_imports_no_module_of_its_own(project: Project) -> None:
    kernel = "__global__ void k(float *out, const float *in) { out[threadIdx.x] = in[8 * threadIdx.x]; }\n"
    project.put("k.cu", kernel + "void run(float *a) { k<<<4, 256>>>(a, a); }\n")
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert done.stdout == "1 []\n"
