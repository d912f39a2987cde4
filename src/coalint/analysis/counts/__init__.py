"""How often a launch executes an access: warp instructions over all blocks, warps and iterations of loops.

May import `domain` and `warps`.
"""
