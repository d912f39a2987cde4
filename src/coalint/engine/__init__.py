"""The pipeline: which files, how they are compiled, checked, cached, and which findings are reported.

Imports rules, analysis, machine, the front-end interface and core; knows no reporter and no command line.
"""
