"""The memory of the interpreted program: the variables of one thread and what they hold."""
