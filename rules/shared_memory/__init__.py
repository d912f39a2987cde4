"""Rules on shared memory: COA2xx."""
