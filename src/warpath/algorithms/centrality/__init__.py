"""Measures of vertices and edges that are made of all shortest paths."""
