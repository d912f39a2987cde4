"""Which findings are left out: by selection, comments, baseline, unchanged lines."""
