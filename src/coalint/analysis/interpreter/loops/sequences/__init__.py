"""Loop variables whose values are known one by one: tables, rotations, guarded steps."""
