"""The grammar of the command line, its help, and what one parsed line asks for."""
