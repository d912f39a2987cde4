"""The process that analyses an editor's texts: what it is asked, how it is run, what it does."""
