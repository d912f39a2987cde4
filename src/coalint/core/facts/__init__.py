"""Facts about a kernel that analysis finds and rules judge: lanes, launches, accesses, barriers and races.

Imports the source spans, the IR and findings' notes from core, nothing above.
"""
