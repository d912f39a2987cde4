"""Changes of source text: fixes and ignore comments, applied and checked."""
