"""Front ends: each reads one language and hands over the IR. Imports core alone.

`interface` says what a front end is; `cuda` reads CUDA C++ and HIP, `python` the CUDA source in Python files.
"""
