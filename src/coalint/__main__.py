"""`python -m coalint`."""

import sys

from coalint.cli import main

sys.exit(main())
