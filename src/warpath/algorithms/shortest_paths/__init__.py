"""Paths by weight, or by another measure: from a source, between two vertices, k of them."""
