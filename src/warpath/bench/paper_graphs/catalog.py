"""The graphs of the five papers: what their tables print, and the recipe of each stand-in.

A row's figures are the paper's own; what a table leaves out is None. Figures that a recipe needs
beyond them are said to be guesses, or where they come from.
"""

from dataclasses import dataclass

from warpath.bench.paper_graphs.published import Published
from warpath.bench.paper_graphs.recipes import (
    Recipe,
    circuit,
    fitted_rmat,
    graph500,
    hexagons,
    mesh,
    power_law,
    random,
    rmat,
    roads,
    stencil,
    triangulation,
)

_M, _K = 1e6, 1e3

_HBF = "H-BF, table 1"
_HONG = "Hong et al., table 2"
_MISHRA = "Mishra et al., table II"
# The text that we have gives only the names of the survey's benchmarks and of load-balanced BFS's table 1, and
# only four of the latter's twelve; the others are Merrill et al.'s (PPoPP 2012).
_SURVEY = "survey, figures 12–15 (sizes: SuiteSparse)"
_EXPAND = "load-balanced BFS, table 1 (sizes: SuiteSparse)"
_MERRILL = "Merrill et al., table 1 (sizes: SuiteSparse)"
_MERRILL_OWN = "Merrill et al., table 1 (sizes: its name)"

_IMPOSSIBLE = "no degrees with that mean and maximum deviate by more than {most}"
_ROOT_MEAN_SQUARE = "Poisson's law has 2; the root of the mean square is √20 = 4.47"
_ROUGH = "a road map has near 0.9 (H-BF, table 1)"


@dataclass(frozen=True)
class Row:
    """A graph of a paper's, and what stands for it.

    Attributes
    ----------
    published : Published
    recipe : Recipe
    dataset : str or None
        The original's name in `warpath.datasets`.
    """

    published: Published
    recipe: Recipe
    dataset: str | None = None


ROWS: dict[str, Row] = {
    # -- H-BF ------------------------------------------------------------------------------------
    "asia.osm": Row(Published(12.0 * _M, 25.4 * _M, 2.1, 0.5, 9, 38_576, False, "road", _HBF),
        roads(aspect=19), "asia_osm"),
    "USA-road-d.CAL": Row(Published(1.9 * _M, 4.7 * _M, 2.5, 0.9, 7, 2_575, True, "road", _HBF),
        roads(), "USA-road-d.CAL"),
    "delaunay_n20": Row(Published(2**20, 6.3 * _M, 6.0, 1.3, 23, 380, False, "triangulation", _HBF,
            {"vertices": "1.9 M are printed; 6.3 M arcs, a mean of 6.0 and the name say 2²⁰"}),
        triangulation, "delaunay_n20"),
    "msdoor": Row(Published(415 * _K, 20.6 * _M, 49.7, 11.7, 78, 167, False, "mesh", _HBF),
        # Half of the range over √12 deviates by 11.7; the mean is fitted.
        mesh((7.5, 88), aspect=9.5), "msdoor"),
    "circuit5M_dc": Row(Published(3.5 * _M, 19.2 * _M, 5.4, 2.1, 27, 135, True, "circuit", _HBF),
        circuit(reach=4), "circuit5M_dc"),
    "rmat.3Mv.20Me": Row(Published(3.0 * _M, 20.0 * _M, 6.7, 10.2, 521, 15, False, "rmat", _HBF),
        fitted_rmat(0.62)),
    "flickr": Row(Published(820 * _K, 9.8 * _M, 12.0, 87.7, 10_272, 12, True, "social", _HBF),
        power_law(), "flickr"),
    "hugetrace_00000": Row(Published(4.6 * _M, 13.8 * _M, 3.0, 0.0, 3, 4_119, False, "mesh", _HBF),
        hexagons, "hugetrace-00000"),
    "wiki-talk": Row(Published(2.4 * _M, 5.0 * _M, 2.1, 99.9, 100_022, 9, True, "social", _HBF),
        power_law(), "wiki-Talk"),
    "as-Skitter": Row(Published(1.7 * _M, 22.2 * _M, 13.1, 136.9, 35_455, 31, False, "internet", _HBF),
        power_law(), "as-Skitter"),
    "random_2Mv.128Me": Row(Published(2.0 * _M, 128.0 * _M, 64.0, 8.0, 114, 5, False, "random", _HBF),
        random),
    # -- Hong et al. -----------------------------------------------------------------------------
    "RMAT": Row(Published(4 * _M, 48 * _M, 12.0, None, None, None, True, "rmat", _HONG),
        rmat()),
    "Random": Row(Published(4 * _M, 48 * _M, 12.0, None, None, None, True, "random", _HONG),
        random),
    "LiveJournal": Row(Published(4_308_451, 68_993_773, None, None, None, None, True, "social", _HONG),
        # The largest out-degree of SNAP's graph; the deviation is a guess.
        power_law((40, 20_293)), "soc-LiveJournal1"),
    "Patents": Row(Published(1_765_311, 10_564_104, None, None, None, None, True, "citation", _HONG),
        # The largest number of citations in SNAP's graph; the deviation is a guess.
        power_law((8, 770)), "cit-Patents"),
    # -- Mishra et al. -----------------------------------------------------------------------------
    "rmat20": Row(Published(2**20, 8.26 * _M, 8, 177.40, 1_181, None, True, "rmat", _MISHRA,
            {"deviation": _IMPOSSIBLE.format(most="97")}),
        fitted_rmat(0.6423)),
    "road-FLA": Row(Published(1.07 * _M, 2.71 * _M, 3, 2.45, 8, None, True, "road", _MISHRA,
            {"deviation": _ROUGH, "degree": "2.71 M over 1.07 M is 2.5"}),
        roads(deviation=0.9), "USA-road-d.FLA"),
    "road-W": Row(Published(6.26 * _M, 15.12 * _M, 4, 2.74, 9, None, True, "road", _MISHRA,
            {"deviation": _ROUGH, "degree": "15.12 M over 6.26 M is 2.4"}),
        roads(deviation=0.9), "USA-road-d.W"),
    "road-USA": Row(Published(23.95 * _M, 57.71 * _M, 3, 2.74, 9, None, True, "road", _MISHRA,
            {"deviation": _ROUGH, "degree": "57.71 M over 23.95 M is 2.4"}),
        roads(deviation=0.9), "USA-road-d.USA"),
    "ER20": Row(Published(2**20, 4.19 * _M, 4, 4.47, 15, None, True, "random", _MISHRA,
            {"deviation": _ROOT_MEAN_SQUARE}),
        random),
    "ER23": Row(Published(2**23, 33.55 * _M, 3, 4.46, 10, None, True, "random", _MISHRA,
            {"deviation": _ROOT_MEAN_SQUARE, "degree": "33.55 M over 8.39 M is 4",
             "largest": "under Poisson's law with mean 4, of 8 M degrees over 20,000 are "
                        "larger than 10"}),
        random),
    "Graph500": Row(Published(2**24, 335.00 * _M, 20, 20_900, 924_000, None, True, "kron", _MISHRA,
            {"deviation": _IMPOSSIBLE.format(most="4,300"),
             "largest": "twice the out-degree that Graph500's quarters make: arcs in and "
                        "out, it seems"}),
        graph500()),
    # -- the survey ------------------------------------------------------------------------------
    "great-britain_osm": Row(Published(7_733_822, 16_313_034, None, None, None, None, False, "road", _SURVEY),
        # The deviation and the largest degree of H-BF's map of Asia stand for these.
        roads(deviation=0.5), "great-britain_osm"),
    "web-NotreDame": Row(Published(325_729, 1_497_134, None, None, None, None, True, "web", _SURVEY),
        power_law((21.5, 3_445)), "web-NotreDame"),  # a guess
    "circuit5M": Row(Published(5_558_326, 59_524_291, None, None, None, None, True, "circuit", _SURVEY),
        power_law((1_356.6, 1_290_501)), "circuit5M"),  # a guess
    "kron_g500-logn20": Row(Published(2**20, 89_239_674, None, None, None, None, False, "kron", _SURVEY),
        # 48 edges per vertex before parallel ones are merged: the name of the series says it.
        graph500(edge_factor=48, simple=True, sentence="R-MAT, Graph500's quarters, simple"), "kron_g500-logn20"),
    # -- load-balanced BFS -------------------------------------------------------------------------
    "germany.osm": Row(Published(11_548_845, 24_738_362, None, None, None, None, False, "road", _EXPAND),
        roads(deviation=0.5), "germany_osm"),
    "hugebubbles-00020": Row(Published(21_198_119, 63_580_358, None, None, None, None, False, "mesh", _EXPAND),
        hexagons, "hugebubbles-00020"),
    "rmat.2Mv.128Me": Row(Published(2.0 * _M, 128.0 * _M, None, None, None, None, False, "rmat", _MERRILL_OWN),
        rmat()),
    "grid5pt.5000": Row(Published(25.0 * _M, 125.0 * _M, None, None, None, None, False, "mesh", _MERRILL_OWN),
        stencil(2)),
    "grid7pt.300": Row(Published(27.0 * _M, 188.5 * _M, None, None, None, None, False, "mesh", _MERRILL_OWN),
        stencil(3)),
    "nlpkkt160": Row(Published(8_345_600, 225_422_112, None, None, None, None, False, "mesh", _MERRILL),
        mesh(26, reach=1), "nlpkkt160"),
    "audikw1": Row(Published(943_695, 77_651_847, None, None, None, None, False, "mesh", _MERRILL),
        # The range is a guess.
        mesh((40, 124)), "audikw_1"),
    "cage15": Row(Published(5_154_859, 99_199_551, None, None, None, None, False, "mesh", _MERRILL),
        # The range is a guess.
        mesh((7, 28)), "cage15"),
    "kkt_power": Row(Published(2_063_494, 12_771_361, None, None, None, None, False, "circuit", _MERRILL),
        # The range is a guess.
        mesh((0, 8.5), sentence="a lattice, the nearest places joined"), "kkt_power"),
    "coPapersCiteseer": Row(Published(434_102, 32_073_440, None, None, None, None, False, "citation", _MERRILL),
        power_law((101, 1_188)), "coPapersCiteseer"),  # a guess
}  # fmt: skip
