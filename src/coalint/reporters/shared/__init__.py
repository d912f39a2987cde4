"""What several reports share: the console, source frames, positions, summaries."""
