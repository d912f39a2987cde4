"""What the syntax of a loop changes: variables, steps, effects of calls; and the variables that it carries."""
