"""What the hardware counts: sectors, bank wavefronts, paddings, per architecture."""
