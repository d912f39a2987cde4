"""What a branch changed, and the findings in it."""
