"""Lets the tests of this folder import the helpers of `tests/interpreter`, such as `written`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "interpreter"))
