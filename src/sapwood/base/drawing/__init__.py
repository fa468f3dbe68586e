"""Sentences for a terminal and as SVG, and figures by matplotlib."""
