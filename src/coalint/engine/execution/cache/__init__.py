"""Results of earlier runs, and what they depend on."""
