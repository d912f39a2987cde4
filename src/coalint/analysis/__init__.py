"""From IR to accesses and barriers: symbolic values, lanes, uniformity."""
