"""coalint's own rules, COA9xx: what it could not read, analyse or understand."""
