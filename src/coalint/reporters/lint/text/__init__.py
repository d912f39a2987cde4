"""The report for people: one finding short or long, and what stands at the report's end."""
