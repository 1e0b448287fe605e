"""Lets the tests of this folder import `handmade`, the game that they are about."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
