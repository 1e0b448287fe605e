"""Lets the tests of this folder import `chunks`, the reader of the files of cases."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
