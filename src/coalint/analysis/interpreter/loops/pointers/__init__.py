"""What a loop changes through pointers and members."""
