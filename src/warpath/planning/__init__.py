"""What runs, where, and how: every choice that is made for a graph, each constant with its origin."""
