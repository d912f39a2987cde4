"""Reads exports of Nsight Compute: the CSV of its source page, and launch shapes from that of its raw page.

Imports `core` and the records of `verification.counters`.
"""
