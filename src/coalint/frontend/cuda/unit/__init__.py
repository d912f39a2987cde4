"""A parsed translation unit on its way to a module: its functions are found, probed, lowered, and what lacks told."""
