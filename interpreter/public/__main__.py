"""Run the command line: `python -m rulewright` is the same as `rulewright`."""

import sys

from rulewright.interpreter.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
