"""Dependency trees, and phrase structure by a grammar."""
