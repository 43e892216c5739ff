"""Breadth-first search, from one end and from both, and components."""
