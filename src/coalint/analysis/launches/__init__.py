"""The specializations under which a kernel is analysed: block shapes, arguments, assumptions."""
