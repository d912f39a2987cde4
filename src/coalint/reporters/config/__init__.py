"""The settings that hold, as text or JSON."""
