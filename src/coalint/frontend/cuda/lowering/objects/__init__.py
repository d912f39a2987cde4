"""Objects: classes, their bases, layout, construction and destruction."""
