"""``python -m cardstats``: the same as the command ``cardstats``."""

import sys

from cardstats.cli import main

if __name__ == "__main__":
    sys.exit(main())
