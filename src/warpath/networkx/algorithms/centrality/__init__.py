"""NetworkX's centrality."""
