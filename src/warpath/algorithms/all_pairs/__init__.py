"""Distances of all pairs, or of many."""
