"""Calls: bodies evaluated in place, functions known by their meaning, lambdas."""
