"""NetworkX's traversal."""
