"""``python -m sapwood``."""

from sapwood.cli import main

main()
