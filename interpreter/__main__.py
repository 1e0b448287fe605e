"""Run the command line: `python -m rulewright.interpreter` is the same as `rulewright`."""

import sys

from rulewright.interpreter.cli import main

if __name__ == "__main__":
    sys.exit(main.main())
