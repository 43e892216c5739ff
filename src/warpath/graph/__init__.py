"""What a graph is: CSR first, its other representations, its statistics."""
