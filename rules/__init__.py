"""The built-in rules, one module each, named as the rule."""
