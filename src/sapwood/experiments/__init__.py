"""The papers' tables, one file each."""
