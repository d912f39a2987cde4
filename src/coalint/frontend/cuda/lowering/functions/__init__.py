"""Calls of functions, methods and constructors, and what is known of those without a body."""
