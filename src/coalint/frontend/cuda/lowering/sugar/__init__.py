"""Shorthands of C++ as what they stand for: range-based for, structured bindings, lambdas."""
