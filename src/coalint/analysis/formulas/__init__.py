"""What users read of open addresses: strides, and conditions under which an access is good, made with sympy.

May import `domain`, `warps` and the machine model. sympy is imported only where an answer is not stored yet.
"""
