"""The command ``sapwood`` of sapwood-lab, also as ``python -m sapwood``: 'sapwood reproduce steps'."""

import sys

from sapwood import ABSENT
from sapwood.cli import main as command_line


def main() -> None:
    """Run the command line. A command that is not in sapwood-lab says what it needs."""
    try:
        command_line()
    except ImportError as error:
        if not (error.name or "").startswith("sapwood"):
            raise
        sys.exit(f"sapwood: sapwood-lab has the command 'sapwood reproduce steps' alone; {ABSENT}")


if __name__ == "__main__":
    main()
