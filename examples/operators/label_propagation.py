"""Which vertices hang together? Each takes the smallest number that it hears of."""

import numpy as np

import warpath as wp


@wp.operator
def tell(u, v, label):
    return wp.atomic_min(label, v, label[u])


graph = wp.generate.erdos_renyi(5000, 6000, seed=3)
label = np.arange(graph.num_vertices)
iterations = wp.traverse(graph, wp.Frontier(graph), tell, label)
print(len(np.unique(label)), "components after", iterations, "iterations")
