"""Host functions, evaluated for the launches in them."""
