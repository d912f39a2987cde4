"""What several commands share, or what is too long for one command's module."""
