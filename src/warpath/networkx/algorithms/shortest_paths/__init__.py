"""NetworkX's shortest paths."""
