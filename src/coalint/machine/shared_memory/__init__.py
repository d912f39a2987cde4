"""Shared memory: banks, wavefronts, atomics, asynchronous copies. Imports core and the architecture."""
