// One bottom-up level: vertices that were not reached look for a neighbour that was.
//
// S. Beamer, K. Asanović, D. Patterson, "Direction-optimizing breadth-first search", SC 2012.
//
// What is in the encoding:
//
//   - `before` holds all vertices reached in earlier iterations, not only the last. If v was not
//     reached and has such a neighbour u, then u was reached in the last iteration, or v would
//     have been reached earlier. So no bitmap of the frontier is needed, nor its making.
//   - Of a `before` that L2 does not hold and that has few vertices, a summary is looked up first (frontier/bitmap.cuh).
//   - `after` = `before` and what this level finds. Each of its words is written once, by the
//     warp that owns it: no atomics, and no clearing.
//   - A warp takes some words of the bitmap and lists their candidates, the vertices not reached,
//     in shared memory. It goes through the list in rounds. In each, a candidate looks at its next
//     four neighbours, by one aligned 16-byte load; a candidate that finds none that was reached and
//     has more stays listed for the next round. So lanes never wait for the one with the longest
//     search, and a lane has the loads of several candidates in flight.
//   - When fewer candidates are left than lanes, 2, 4, … 32 lanes look for each of them: the rest
//     of a hub's neighbours.
//   - A candidate's arcs are known by their distance from the first one of the warp's words, in 32 bits, also where
//     offsets have 64. Of words with more arcs than that no candidate is listed: their rows are all lanes', one by one.
//   - A vertex without in-arcs can never be found. In a symmetric graph no vertex has it as a
//     neighbour either, so it is missed at once and marked as reached, and later levels skip it.
//
// Tried and left out (H200, 2026-11). A list that is filled again from more words keeps rounds full: levels of few candidates are
// up to 1.7 times as fast, but the largest takes 1.1 times as long. It is bound by reads at random places of memory,
// 40 · 10⁹ a second. Writing what was found in the order of vertices gains 3 % on kron 27 and 7 % on G(2²², 2²⁶),
// and costs 2 % on R-MAT 23. A summary of 2¹⁸ bits in each block's shared memory (2026-12) gains 9 % on kron 27, 5 % on R-MAT 25
// with 64 edges per vertex and 2 % on R-MAT 23, but costs 2 to 3 % on random graphs, as there is less L1, and registers spill;
// of 2¹⁹ bits G(2²⁷, 2³¹) takes 1.55 times as long.
#pragma once

#include "core/memory.cuh"
#include "core/scan.cuh"
#include "core/warp.cuh"
#include "frontier/bitmap.cuh"

namespace warpath {

// Words of the bitmap that a warp takes at once: 16 warps' lists then take 32 KiB.
constexpr unsigned pull_words = 7;
constexpr unsigned pull_vertices = pull_words * word_bits;  // below 256: their numbers fit in a byte
// Candidates whose neighbours a lane has in flight, without spills (tests/cuda/test_compile.py).
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr int pull_in_flight = 1;
#else
constexpr int pull_in_flight = 2;
#endif
// Arcs of a warp's words, at most, so that the list can name them, and a round's step beyond the last does not wrap.
constexpr Count pull_arcs = ~0u - 4 * warp_lanes;

// A warp's part of shared memory.
struct PullScratch {
    unsigned arc[pull_vertices], end[pull_vertices];  // of a candidate: what it has not looked at, from the first arc on
    unsigned found[pull_words];
    unsigned char number[pull_vertices];  // which of the words' vertices it is
};

// What a lane did, in 32 bits as it looks at a 32nd of a row, or what a warp did.
template <class Amount>
struct PullCount {
    unsigned found;
    Amount inspected;
};

// A warp's candidates. All lanes call each function together.
template <class Offset, class Operator, class Summary>
class Candidates {
    const Csr<Offset>& reverse;
    const Operator& op;
    const Bitmap before;
    const Summary& summary;
    PullScratch& list;
    PullCount<unsigned>& count;
    Vertex first_vertex = 0;
    const Vertex* columns;  // from the first arc of the words on, or some of the three before it
    unsigned size = 0;

    // Bit i if the i-th of my four neighbours is the candidate's and was reached.
    template <unsigned i>
    __device__ __forceinline__ unsigned look(Vertex neighbor, unsigned arc, unsigned end, unsigned helper, bool pred) const {
        const unsigned own = (arc & ~3u) + 4 * helper + i;
        // Before the row the difference wraps round.
        const bool asks = summary.may_contain(neighbor, pred && own - arc < end - arc);
        // Some word in any case: ptxas would wait for each that is loaded under a condition before the next.
        const unsigned word = load_if(before.words + (asks ? neighbor / word_bits : 0), true);
        return static_cast<unsigned>(asks && Bitmap::contains(word, neighbor)) << i;
    }

    // One lane: u, which was reached, is the candidate's neighbour.
    __device__ __forceinline__ void commit(Vertex u, unsigned number) const {
        op.commit(u, first_vertex + number, typename Operator::Offer{});
        atomicOr(list.found + number / word_bits, 1u << number % word_bits);
        ++count.found;
    }

    // All lanes look at a row, until one has a hit.
    __device__ void search_row(unsigned number, Offset begin, Offset end) const {
        unsigned hits = 0;
        for (Offset first = begin; first < end && hits == 0; first += warp_lanes) {
            const bool mine = first + lane_id() < end;
            const Vertex u = read_only_if(reverse.column_indices + first + lane_id(), mine);
            count.inspected += mine;
            hits = lanes_where(before.contains(u, mine));
            if (hits != 0 && lane_id() == lowest_bit(hits)) commit(u, number);
        }
    }

    // `take` and `search` where the list cannot name the arcs.
    __device__ unsigned search_rows(unsigned reached, bool symmetric) const {
        unsigned missed = 0;
        for (unsigned w = 0; w < pull_words; ++w) {
            for (unsigned open = ~from_lane(reached, w); open != 0; open &= open - 1) {
                const unsigned bit = lowest_bit(open);
                const Vertex v = first_vertex + w * word_bits + bit;
                const Offset begin = read_only(reverse.row_offsets + v), end = read_only(reverse.row_offsets + v + 1);
                search_row(w * word_bits + bit, begin, end);
                if (!symmetric || begin < end) continue;
                if (lane_id() == 0) op.mark_unreached(v);
                if (lane_id() == w) missed |= 1u << bit;
            }
        }
        __syncwarp();  // what was found is there
        return missed;
    }

    // The low 32 bits of an offset, whose distance from another they give.
    __device__ __forceinline__ unsigned low_offset(Vertex v) const {
        constexpr unsigned words = sizeof(Offset) / sizeof(unsigned);  // little-endian
        return read_only(reinterpret_cast<const unsigned*>(reverse.row_offsets) + Count{words} * v);
    }

    // Each candidate looks at its next four neighbours, `width` lanes together at 4 · width.
    template <int k>
    __device__ __forceinline__ void probe(unsigned width) {
        const unsigned helper = lane_id() % width, a_row = warp_lanes / width;
        const unsigned group = (~0u >> (warp_lanes - width)) << (lane_id() - helper);  // the lanes of my candidate
        unsigned left = 0;
        for (unsigned first = 0; first < size; first += k * a_row) {
            unsigned arc[k], end[k], number[k];
            uint4 four[k];
#pragma unroll
            for (int j = 0; j < k; ++j) {
                const unsigned i = first + static_cast<unsigned>(j) * a_row + lane_id() / width;
                arc[j] = end[j] = 0;
                number[j] = 0;
                if (i < size) {
                    arc[j] = list.arc[i];
                    end[j] = list.end[i];
                    number[j] = list.number[i];
                }
                const unsigned own = (arc[j] & ~3u) + 4 * helper;
                four[j] = read_only_four_if(columns + own, own < end[j]);
            }
            __syncwarp();  // these entries were read, so that others may take their places
            // One by one: look-ups take most of a level's time, and often the first decides.
            unsigned hit[k];  // bit i: the neighbour at own + i was reached
#pragma unroll
            for (int j = 0; j < k; ++j) hit[j] = look<0>(four[j].x, arc[j], end[j], helper, true);
#pragma unroll
            for (int j = 0; j < k; ++j) hit[j] |= look<1>(four[j].y, arc[j], end[j], helper, hit[j] == 0);
#pragma unroll
            for (int j = 0; j < k; ++j) hit[j] |= look<2>(four[j].z, arc[j], end[j], helper, hit[j] == 0);
#pragma unroll
            for (int j = 0; j < k; ++j) hit[j] |= look<3>(four[j].w, arc[j], end[j], helper, hit[j] == 0);
#pragma unroll
            for (int j = 0; j < k; ++j) {
                const unsigned own = (arc[j] & ~3u) + 4 * helper, next = (arc[j] & ~3u) + 4 * width;
                const unsigned hits = lanes_where(hit[j] != 0) & group;
                if (own < end[j]) count.inspected += min(own + 4, end[j]) - max(own, arc[j]);
                if (hit[j] != 0 && (hits & lanes_below()) == 0)  // the first of its lanes
                    commit(hit[j] & 1u ? four[j].x : hit[j] & 2u ? four[j].y : hit[j] & 4u ? four[j].z : four[j].w, number[j]);
                const bool stays = helper == 0 && hits == 0 && next < end[j];
                const unsigned staying = lanes_where(stays);
                if (stays) {
                    const unsigned place = left + rank_in(staying);
                    list.arc[place] = next;
                    list.end[place] = end[j];
                    list.number[place] = static_cast<unsigned char>(number[j]);
                }
                left += count_bits(staying);
            }
        }
        size = left;
        __syncwarp();  // the next round's entries are there
    }

public:
    __device__ Candidates(const Csr<Offset>& reverse, const Operator& op, Bitmap before, const Summary& summary, PullScratch& list, PullCount<unsigned>& count)
        : reverse(reverse), op(op), before(before), summary(summary), list(list), count(count), columns(reverse.column_indices) {}

    // List the vertices from `from` on that are not reached and have in-arcs; miss those that have
    // none, if symmetric. Lane i has the i-th word, and gets the bits of the missed back.
    __device__ unsigned take(Vertex from, unsigned reached, bool symmetric) {
        constexpr int words = static_cast<int>(pull_words);
        first_vertex = from;
        if (lane_id() < pull_words) list.found[lane_id()] = 0;
        unsigned base = 0;
        if constexpr (sizeof(Offset) > sizeof(unsigned)) {
            const Offset first = read_only(reverse.row_offsets + from) & ~Offset{3};
            const Offset last = read_only(reverse.row_offsets + min(Count{from} + pull_vertices, Count{reverse.vertices}));
            if (last - first > pull_arcs) {
                __syncwarp();  // the empty words are there
                return search_rows(reached, symmetric);
            }
            columns = reverse.column_indices + first;
            base = static_cast<unsigned>(first);
        }
        unsigned arc[words], end[words];
#pragma unroll
        for (int w = 0; w < words; ++w) {
            const Vertex v = from + static_cast<unsigned>(w) * word_bits + lane_id();
            const bool open = !(from_lane(reached, static_cast<unsigned>(w)) >> lane_id() & 1u);
            // Some offset in any case, for the same reason.
            const Vertex row = open ? v : from;
            arc[w] = low_offset(row);
            end[w] = low_offset(row + open);
        }
        unsigned missed = 0;
#pragma unroll
        for (int w = 0; w < words; ++w) {
            const unsigned listed = lanes_where(arc[w] != end[w]);
            if (arc[w] != end[w]) {
                const unsigned place = size + rank_in(listed);
                list.arc[place] = arc[w] - base;
                list.end[place] = end[w] - base;
                list.number[place] = static_cast<unsigned char>(static_cast<unsigned>(w) * word_bits + lane_id());
            }
            size += count_bits(listed);
            const unsigned without = ~(from_lane(reached, static_cast<unsigned>(w)) | listed);
            if (symmetric && (without >> lane_id() & 1u)) op.mark_unreached(from + static_cast<unsigned>(w) * word_bits + lane_id());
            if (symmetric && lane_id() == static_cast<unsigned>(w)) missed = without;
        }
        __syncwarp();  // the list and the empty words are there
        return missed;
    }

    // Go through the list until it is empty. Lane i gets the bits of the i-th word that were found.
    __device__ unsigned search() {
        while (size > warp_lanes) probe<pull_in_flight>(1);
        while (size > 0) {
            unsigned width = warp_lanes;
            while (width * size > warp_lanes) width /= 2;
            probe<1>(width);
        }
        const unsigned found = lane_id() < pull_words ? list.found[lane_id()] : 0;
        __syncwarp();  // they were read
        return found;
    }
};

// Words of a bitmap, whose vertices have rows.
struct WordRange {
    unsigned begin, end;
};

// Find a predecessor for each vertex of my warp's words that has one. put(i, word) writes a word of `after`.
template <class Offset, class Operator, class Put, class Summary>
__device__ PullCount<Count> pull(const Csr<Offset>& reverse, const Operator& op, Bitmap before, const Put& put, bool symmetric,
                          Workers workers, PullScratch& scratch, const WordRange& own, const Summary& summary) {
    const unsigned lane = lane_id(), words = own.end;
    // A warp's share of the words, in as many equal steps as it takes.
    const unsigned share = (words - own.begin + workers.count - 1) / workers.count;
    const unsigned steps = (share + pull_words - 1) / pull_words, at_once = (share + steps - 1) / steps;
    const unsigned stride = workers.count * at_once;  // 32 bits suffice: a bitmap has at most 2²⁷ words
    PullCount<unsigned> count{0, 0};
    Candidates<Offset, Operator, Summary> candidates(reverse, op, before, summary, scratch, count);
    const auto reached_at = [&](unsigned start) {  // beyond the last word, all are
        return lane < at_once && start + lane < words ? before.words[start + lane] : ~0u;
    };
    const unsigned first = own.begin + workers.rank * at_once;
    unsigned upcoming = reached_at(first);
    for (unsigned start = first; start < words; start += stride) {
        const unsigned reached = upcoming;
        upcoming = reached_at(start + stride);  // under way meanwhile
        if (!any_lane(reached != ~0u)) {
            if (lane < at_once && start + lane < words) put(start + lane, reached);
            continue;
        }
        const unsigned missed = candidates.take(start * word_bits, reached, symmetric);
        const unsigned found = candidates.search() | missed;
        if (lane < at_once && start + lane < words) put(start + lane, reached | found);
    }
    return {warp_sum(count.found), warp_sum(Count{count.inspected})};
}

}  // namespace warpath
