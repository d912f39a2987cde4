"""What rules share: copies, tiles, wording. Imports core, machine and `coalint.rule`."""
