"""NetworkX's components."""
