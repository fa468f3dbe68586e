"""Pictures of updates and of searches: for a terminal, as SVG, as pages of HTML and of PDF."""
