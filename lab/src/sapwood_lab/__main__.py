"""``python -m sapwood_lab``."""

from sapwood_lab.command import main

if __name__ == "__main__":
    main()
