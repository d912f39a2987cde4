"""What all stages hand to each other: source places, the IR, facts about kernels, findings.

Imports nothing else of coalint.
"""
