"""How a run is executed: in processes or on an executor, with a cache."""
