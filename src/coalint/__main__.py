"""`python -m coalint`."""

import sys

from coalint.cli.main import main

sys.exit(main())
