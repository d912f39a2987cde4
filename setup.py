"""Builds the package; where COALINT_COMPILE is set, with its analysis compiled: see `packaging/compiled/`."""

import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).parent / "packaging" / "compiled"))

from commands import options

setup(**options())
