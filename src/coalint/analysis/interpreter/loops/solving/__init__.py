"""The values of carried variables as functions of the iteration, and how many iterations there are."""
