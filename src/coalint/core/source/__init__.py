"""Source text: spans, comments, text edits, the overlay of unsaved text. Imports nothing else of coalint."""
