"""Python's syntax tree to the IR: expressions, statements, calls, hosts."""
