"""NetworkX's tree."""
