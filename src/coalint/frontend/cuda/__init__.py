"""CUDA C++ and HIP, parsed by libclang with bundled headers.

`build` reads how a file is compiled, `libclang` parses it, `repair` declares what it lacks, `templates` finds
instances, `lowering` makes the IR of it. Imports core and the front-end interface.
"""
