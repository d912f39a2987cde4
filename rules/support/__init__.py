"""What rules share: tiles, vectorization, wording. Imports core, machine and `coalint.rule`."""
