"""Comments that hide findings, and findings about comments."""
