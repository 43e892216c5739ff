"""NetworkX's link analysis."""
