"""What code reads and changes: escaped variables, used parts of structs."""
