"""The hardware model: what an access costs in sectors and wavefronts, per architecture.

Imports core alone. HARDWARE facts come from the CUDA C++ Programming Guide and from counters of an H200.
"""
