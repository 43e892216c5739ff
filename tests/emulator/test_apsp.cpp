// All pairs' shortest paths: the kernels of floyd_warshall.cuh and minplus.cuh, in a given order.

#include "floyd_warshall.cuh"
#include "minplus.cuh"

using namespace warpath;

namespace {

constexpr unsigned base = 32;

// As aligned as device memory is.
template <class T>
struct Aligned {
    std::vector<uint4> storage;
    explicit Aligned(std::size_t size) : storage((size * sizeof(T) + 15) / 16, uint4{~0u, 0xABCDu, ~0u, 0x7Fu}) {}
    explicit Aligned(const std::vector<T>& values) : Aligned(values.size()) { std::copy(values.begin(), values.end(), data()); }
    T* data() { return reinterpret_cast<T*>(storage.data()); }
};

// "steps" are rows of six numbers: low and −1s for Close; first, size, gap_at, gap, low, high for Relax.
template <class Algebra, class Word, class Tile, bool predecessors, bool lazy = false>
void close(const emulate::Input& in, emulate::Output& out) {
    using Element = std::make_signed_t<std::conditional_t<std::is_floating_point_v<Memory<Word>>, int, Memory<Word>>>;
    using Given = std::conditional_t<std::is_floating_point_v<Memory<Word>>, Memory<Word>, Element>;
    const auto given = in.array<Given>("distance");
    Aligned<Given> distances(given);
    Aligned<int> tree(predecessors ? in.array<int>("predecessor") : std::vector<int>{});
    const unsigned n = in.count("n"), columns = n / WordOf<Word>::distances;
    const std::uint64_t seed = in.seed();
    Memory<Word>* const distance = reinterpret_cast<Memory<Word>*>(distances.data());
    int* const predecessor = predecessors ? tree.data() : nullptr;
    const auto steps = in.array<int>("steps");
    constexpr unsigned threads = pivot_threads<base>;
    for (std::size_t i = 0; i < steps.size(); i += 6) {
        if (steps[i + 1] < 0) {
            const unsigned low = static_cast<unsigned>(steps[i]);
            std::vector<Scalar<Word>> factor(base * base);
            const std::size_t row = std::size_t{low} * n;
            emulate::launch(1, threads, 1, 0, seed, close_pivot<Algebra, Word, base, predecessors>, distance + row + low,
                            predecessors ? predecessor + row + low : nullptr, n, factor.data());
            if (n > base)
                emulate::launch(n / base - 1, threads, 1, 0, seed, close_panel<Algebra, Word, base, predecessors>,
                                distance + row, predecessors ? predecessor + row : nullptr, n, low / base, factor.data());
            continue;
        }
        const auto number = [&](std::size_t which) { return static_cast<unsigned>(steps[i + which]); };
        const unsigned first = number(0), size = number(1), gap_at = number(2), gap = number(3), low = number(4);
        const unsigned depth = number(5) - low, pitch = (size + Tile::rows - 1) / Tile::rows * Tile::rows;
        Aligned<Word> packed(std::size_t{pitch} * depth);
        emulate::launch({(size + 31) / 32, depth / 32}, 64, 1, 0, seed, pack<Word>, distance + std::size_t{first} * n + low,
                        n, size, gap_at, gap, packed.data(), pitch);
        Word* const words = reinterpret_cast<Word*>(distance);
        const unsigned tiles_down = pitch / Tile::rows, tiles_across = (columns + Tile::columns - 1) / Tile::columns;
        const unsigned chunks = depth / Tile::depth, each = WordOf<Word>::distances;
        std::vector<unsigned char> a_paths(tiles_down * chunks), b_paths(tiles_across * chunks);
        if constexpr (lazy) {
            const auto none = static_cast<Memory<Word>>(in.array<Given>("none")[0]);
            emulate::launch({tiles_down, chunks}, 64, 1, 0, seed, look_for_paths<Word>,
                            reinterpret_cast<const Memory<Word>*>(packed.data()), pitch * each, size * each,
                            Tile::rows * each, Tile::depth, none, a_paths.data());
            emulate::launch({tiles_across, chunks}, 64, 1, 0, seed, look_for_paths<Word>, distance + std::size_t{low} * n,
                            n, n, Tile::columns * each, Tile::depth, none, b_paths.data());
            // What is not to be used would show.
            for (unsigned i = 0; i < a_paths.size(); ++i)
                for (unsigned k = 0; a_paths[i] == 0 && k < Tile::depth; ++k)
                    for (unsigned row = 0; row < Tile::rows; ++row)
                        packed.data()[std::size_t{i % chunks * Tile::depth + k} * pitch + i / chunks * Tile::rows + row] = Word{};
        }
        emulate::launch({tiles_across, tiles_down}, Tile::threads, 1, 0, seed,
                        minplus<Algebra, Word, Tile, predecessors, lazy>, packed.data(), pitch,
                        words + std::size_t{low} * columns, words + std::size_t{first} * columns, columns, size, gap_at,
                        gap, columns, depth, predecessors ? predecessor + std::size_t{low} * n : nullptr,
                        predecessors ? predecessor + std::size_t{first} * n : nullptr, a_paths.data(),
                        b_paths.data());
    }
    out.array("distance", std::vector<Given>(distances.data(), distances.data() + std::size_t{n} * n));
    if (predecessors) out.array("predecessor", std::vector<int>(tree.data(), tree.data() + std::size_t{n} * n));
}

// Every step of the plain algorithm.
template <class Algebra, class Word, bool predecessors>
void plain(const emulate::Input& in, emulate::Output& out) {
    auto distance = in.array<Word>("distance");
    auto predecessor = in.array<int>("predecessor");
    const unsigned n = in.count("n");
    for (unsigned k = 0; k < n; ++k)
        emulate::launch({(n + 63) / 64, 3}, 64, 1, 0, in.seed(), relax_through<Algebra, Word, predecessors>,
                        distance.data(), predecessor.data(), n, k);
    out.array("distance", distance);
    out.array("predecessor", predecessor);
}

using Wide = Tile<32, 64, 8, 3, 8, 8, 2, 1>;   // 4 × 8 threads
using Tall = Tile<64, 32, 16, 2, 8, 4, 4, 1>;  // 8 × 8

}  // namespace

EMULATOR_TEST(float32) { close<Shortest, float, Wide, false>(in, out); }
EMULATOR_TEST(float32_tree) { close<Shortest, float, Tall, true>(in, out); }
EMULATOR_TEST(float32_positive) { close<ShortestNonNegative, float, Wide, false>(in, out); }
EMULATOR_TEST(float32_positive_tree) { close<ShortestNonNegative, float, Tall, true>(in, out); }
EMULATOR_TEST(float64_tree) { close<Shortest, double, Tall, true>(in, out); }
EMULATOR_TEST(int32) { close<Shortest, int, Tall, false>(in, out); }
EMULATOR_TEST(int32_tree) { close<Shortest, int, Wide, true>(in, out); }
EMULATOR_TEST(int64_tree) { close<Shortest, long long, Tall, true>(in, out); }
EMULATOR_TEST(int32_positive) { close<Shortest, unsigned, Wide, false>(in, out); }
EMULATOR_TEST(int32_positive_tree) { close<Shortest, unsigned, Wide, true>(in, out); }
EMULATOR_TEST(int64_positive_tree) { close<Shortest, unsigned long long, Tall, true>(in, out); }
EMULATOR_TEST(int16) { close<Shortest, Pair<Signed16>, Wide, false>(in, out); }
EMULATOR_TEST(int16_tree) { close<Shortest, Pair<Signed16>, Tall, true>(in, out); }
EMULATOR_TEST(int16_positive) { close<Shortest, Pair<Unsigned16>, Tall, false>(in, out); }
EMULATOR_TEST(int16_positive_tree) { close<Shortest, Pair<Unsigned16>, Wide, true>(in, out); }
EMULATOR_TEST(minimax) { close<Minimax, int, Tall, true>(in, out); }
EMULATOR_TEST(minimax_16) { close<Minimax, Pair<Signed16>, Tall, true>(in, out); }
EMULATOR_TEST(widest) { close<Widest, float, Wide, true>(in, out); }
EMULATOR_TEST(widest_16) { close<Widest, Pair<Signed16>, Wide, true>(in, out); }
EMULATOR_TEST(most_reliable) { close<MostReliable, double, Tall, true>(in, out); }
EMULATOR_TEST(float32_positive_lazy) { close<ShortestNonNegative, float, Wide, false, true>(in, out); }
EMULATOR_TEST(int32_tree_lazy) { close<Shortest, int, Wide, true, true>(in, out); }
EMULATOR_TEST(int16_tree_lazy) { close<Shortest, Pair<Signed16>, Tall, true, true>(in, out); }
EMULATOR_TEST(int16_positive_tree_lazy) { close<Shortest, Pair<Unsigned16>, Wide, true, true>(in, out); }
EMULATOR_TEST(plain_int32) { plain<Shortest, int, true>(in, out); }
