"""Cursors of libclang to IR, one module per kind of construct.

Handlers take the `context` protocol; `unit` is the class behind it.
"""
