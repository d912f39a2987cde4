"""The values of the interpreted program: algebra, store, conditions. Imports core."""
