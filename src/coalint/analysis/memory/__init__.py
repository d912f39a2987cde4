"""The variables of a thread: where they lie and what they hold."""
