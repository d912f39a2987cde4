"""The Python interface behind `coalint.lint`, `coalint.inspect` and `coalint.render`.

Imports the engine and the reporters; only the package itself and the plugin for pytest import it.
"""
