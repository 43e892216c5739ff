"""Virtual warps for what is no graph: the applications of Hong et al., figure 11.

``python applications.py`` runs them on a GPU, with virtual warps of 1 to 32 threads, and prints how many times
faster each width is than one thread for each piece of work. The kernels are in ``applications.cuh``.
"""

from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
KERNELS = ("merge_runs", "eliminate", "feed_forward", "score_streams", "nearest_centre")
WIDTHS = (1, 4, 8, 16, 32)


def merge_sort(xp, launch, values):
    """Sorted values: pairs of runs are merged until there is one."""
    merged = xp.zeros(len(values), values.dtype)
    run = 1
    while run < len(values):
        launch("merge_runs", np.uint32(len(values)), np.uint32(run), values, merged)
        values, merged = merged, values
        run *= 2
    return values


def lu(xp, launch, matrix):
    """L below the diagonal, and U, in place of a matrix of n · n numbers."""
    n = round(len(matrix) ** 0.5)
    for k in range(n - 1):
        launch("eliminate", np.uint32(n), np.uint32(k), matrix)
    return matrix


def back_propagation(xp, launch, data, weights):
    """Sums of a layer's inputs."""
    outputs = len(weights) // len(data)
    sums = xp.zeros(outputs, np.int32)
    sizes = np.uint32(len(data)), np.uint32(outputs), np.uint32(32)
    launch("feed_forward", *sizes, data, weights, sums)
    return sums


def neural_network(xp, launch, begins, data, weights):
    """A score of each stream."""
    scores = xp.zeros(len(begins), np.int32)
    sizes = np.uint32(len(begins)), np.uint32(len(weights))
    launch("score_streams", *sizes, begins, data, weights, scores)
    return scores


def k_means(xp, launch, points, centres, features):
    """The nearest centre of each point; points are a column for each feature."""
    n = len(points) // features
    nearest = xp.zeros(n, np.uint32)
    sizes = np.uint32(n), np.uint32(features), np.uint32(len(centres) // features)
    launch("nearest_centre", *sizes, points, centres, nearest)
    return nearest


def problems(size, seed=1):
    """Each application, what it takes, and what is right; ``size`` is the number of values to sort."""
    rng = np.random.default_rng(seed)
    n = max(4, round(size**0.5) // 2)

    def integers(count, low=-9, high=10):
        return rng.integers(low, high, count, np.int32)

    values = integers(size, -size, size)
    dominant = (rng.random((n, n)) + n * np.eye(n)).astype(np.float32)
    lower, upper = eliminated(dominant)
    data, weights = integers(size), integers((size, 16))
    stream, begins = integers(64), rng.permutation(size - 64)[: size // 16].astype(np.uint32)
    points, centres = integers((9, size // 8)), integers((5, 9))
    distance = ((points[None] - centres[:, :, None]) ** 2).sum(axis=1)
    return {
        "merge sort": (merge_sort, [values], np.sort(values)),
        "LU": (lu, [dominant.ravel()], (np.tril(lower, -1) + upper).ravel()),
        "back propagation": (back_propagation, [data, weights.ravel()], data @ weights),
        "neural network": (
            neural_network,
            [begins, data, stream],
            np.array([stream @ data[b : b + 64] for b in begins]),
        ),
        "k-means": (
            k_means,
            [points.ravel(), centres.ravel(), 9],
            distance.argmin(axis=0),
        ),
    }


def eliminated(matrix):
    """L and U of a matrix, by NumPy."""
    lower, upper = np.eye(len(matrix)), matrix.astype(np.float64)
    for k in range(len(matrix)):
        lower[k + 1 :, k] = upper[k + 1 :, k] / upper[k, k]
        upper[k + 1 :] -= lower[k + 1 :, k : k + 1] * upper[k]
    return lower, upper


def main():
    """Run all on a GPU."""
    import cupy
    from cupyx.profiler import benchmark

    from warpath.cuda.compile import KERNELS as HEADERS

    names = [f"applications::{kernel}<{width}>" for kernel in KERNELS for width in WIDTHS]
    module = cupy.RawModule(
        code='#include "applications.cuh"',
        options=("-std=c++20", f"-I{HEADERS}", f"-I{HERE}"),
        name_expressions=names,
    )
    blocks = 4 * cupy.cuda.Device().attributes["MultiProcessorCount"]
    for name, (application, arguments, expected) in problems(2**20).items():
        seconds = {}
        for width in WIDTHS:

            def launch(kernel, *values, width=width):
                function = module.get_function(f"applications::{kernel}<{width}>")
                function((blocks,), (256,), values)

            def run(application=application, arguments=arguments, launch=launch):
                there = [cupy.asarray(a) if isinstance(a, np.ndarray) else a for a in arguments]
                return application(cupy, launch, *there)

            assert np.allclose(run().get(), expected, rtol=1e-3, atol=1e-3), f"{name}, {width}"
            seconds[width] = float(np.median(benchmark(run, n_repeat=20).gpu_times))
        gains = (f"{width}: {seconds[1] / seconds[width]:.2f}×" for width in WIDTHS[1:])
        print(f"{name:<18}{', '.join(gains)}")


if __name__ == "__main__":
    main()
