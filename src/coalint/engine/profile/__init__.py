"""The traffic of whole launches: executed instructions, sectors and wavefronts of every access, kernel by kernel."""
