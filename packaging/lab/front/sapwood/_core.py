"""Stands in the place of the core, which sapwood-lab does not have, and says so."""

from sapwood import ABSENT

raise ImportError(ABSENT, name="sapwood")
