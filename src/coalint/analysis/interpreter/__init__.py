"""Abstract interpretation of a kernel: expressions, lvalues, statements, calls, loops.

Handlers take the `state` protocol; `expressions.Interpreter` is the class behind it.
"""
