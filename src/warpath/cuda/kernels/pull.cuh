// One bottom-up level: vertices that were not reached look for a neighbour that was.
//
// S. Beamer, K. Asanović, D. Patterson, "Direction-optimizing breadth-first search", SC 2012.
//
// What is in the encoding:
//
//   - `before` holds all vertices reached in earlier iterations, not only the last. If v was not
//     reached and has such a neighbour u, then u was reached in the last iteration, or v would
//     have been reached earlier. So no bitmap of the frontier is needed, nor its making.
//   - `after` = `before` and what this level finds. Each of its words is written once, by the
//     warp that owns it: no atomics, and no clearing.
//   - A warp takes 256 vertices, lists those not reached in shared memory, and gives one to each
//     lane; a lane that is done takes the next of the list while others go on. Lanes so do not
//     wait for the one with the longest search.
//   - A lane reads four neighbours by one aligned load and looks up those that are its own.
//   - When the list is empty and few lanes still search, their warp helps them, one after the
//     other, with 128 neighbours at a time: the rest of a hub's list.
//   - A vertex without in-arcs can never be found. In a symmetric graph nobody has it as a
//     neighbour either, so it is marked as reached, and later levels skip it.
#pragma once

#include "core/memory.cuh"
#include "core/scan.cuh"
#include "core/warp.cuh"
#include "frontier/bitmap.cuh"

namespace warpath {

constexpr unsigned pull_words = 8;                          // of the bitmap, that a warp takes at once
constexpr unsigned pull_vertices = pull_words * word_bits;  // 256: their numbers fit in a byte
constexpr unsigned helped_lanes = 2;  // searching lanes, from which the warp works for one at a time: measured 2, 8, 16 on an H200

// A warp's part of shared memory.
struct PullScratch {
    unsigned found[pull_words];
    unsigned char list[pull_vertices];
};

// What a warp did.
struct PullCount {
    unsigned found;
    Count inspected;
};

// The first of arcs [arc, end) within arc's aligned four that leads to a member of `set`; `target`
// is where. Returns whether there is one.
template <class Offset>
__device__ __forceinline__ bool probe_four(const Vertex* column_indices, Offset arc, Offset end, Bitmap set, Vertex& target) {
    const Offset first = arc & ~Offset{3};
    const uint4 four = read_only_four(column_indices, first);
    const Vertex neighbor[4] = {four.x, four.y, four.z, four.w};
    bool hit[4];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) hit[j] = first + j >= arc && first + j < end && set.contains(neighbor[j]);
    target = hit[0] ? neighbor[0] : hit[1] ? neighbor[1] : hit[2] ? neighbor[2] : neighbor[3];
    return hit[0] || hit[1] || hit[2] || hit[3];
}

// Find a predecessor for each vertex of my warp's words that has one.
template <class Offset, class Operator>
__device__ PullCount pull(const Csr<Offset>& reverse, const Operator& op, Bitmap before, Bitmap after, bool symmetric,
                          Workers workers, PullScratch& scratch) {
    const unsigned lane = lane_id(), words = words_of(reverse.vertices);
    PullCount count{0, 0};
    for (Count start = Count{workers.rank} * pull_words; start < words; start += Count{workers.count} * pull_words) {
        const unsigned my_word = static_cast<unsigned>(start) + lane;
        const bool owns = lane < pull_words && my_word < words;
        const unsigned reached = owns ? before.words[my_word] : ~0u;

        // List the vertices not reached: each lane those of 8 bits.
        if (lane < pull_words) scratch.found[lane] = 0;
        unsigned open = ~(from_lane(reached, lane / 4) >> lane % 4 * 8) & 0xFFu;
        unsigned mine = static_cast<unsigned>(__popc(open));
        const unsigned places = inclusive_scan(mine), listed = from_lane(places, warp_lanes - 1);
        if (listed > 0) {
            unsigned place = places - mine;
            for (; open != 0; open &= open - 1)
                scratch.list[place++] = static_cast<unsigned char>(lane * 8 + static_cast<unsigned>(__ffs(static_cast<int>(open))) - 1);
        }
        __syncwarp();  // the list and the empty words are there

        unsigned taken = 0;  // of the list
        Vertex number = 0;   // of my vertex, among the 256
        Offset arc = 0, end = 0;
        while (true) {
            const unsigned idle = lanes_where(arc >= end);
            if (taken == listed && static_cast<unsigned>(__popc(~idle)) <= helped_lanes) break;
            if (arc >= end && taken + rank_in(idle) < listed) {
                number = scratch.list[taken + rank_in(idle)];
                const Vertex v = static_cast<Vertex>(start) * word_bits + number;
                arc = read_only(reverse.row_offsets + v);
                end = read_only(reverse.row_offsets + v + 1);
                if (symmetric && arc == end) atomicOr(scratch.found + number / word_bits, 1u << number % word_bits);
            }
            taken = min(listed, taken + static_cast<unsigned>(__popc(idle)));
            if (arc < end) {
                Vertex u;
                const bool hit = probe_four(reverse.column_indices, arc, end, before, u);
                const Offset next = (arc & ~Offset{3}) + 4;
                count.inspected += min(next, end) - arc;
                arc = next;
                if (hit) {
                    op.settle(u, static_cast<Vertex>(start) * word_bits + number);
                    atomicOr(scratch.found + number / word_bits, 1u << number % word_bits);
                    ++count.found;
                    end = arc = 0;
                }
            }
        }
        // Together, for each lane that still searches.
        for (unsigned searching = lanes_where(arc < end); searching != 0; searching &= searching - 1) {
            const unsigned who = static_cast<unsigned>(__ffs(static_cast<int>(searching))) - 1;
            const Offset first = from_lane(arc, who), last = from_lane(end, who);  // `first` is a multiple of four
            for (Offset row = first; row < last; row += 4 * warp_lanes) {
                const Offset own = row + 4 * lane;
                Vertex u = 0;
                const bool hit = own < last && probe_four(reverse.column_indices, own, last, before, u);
                if (own < last) count.inspected += min(Offset{4}, last - own);
                const unsigned hits = lanes_where(hit);
                if (hits == 0) continue;
                u = from_lane(u, static_cast<unsigned>(__ffs(static_cast<int>(hits))) - 1);
                if (lane == who) {
                    op.settle(u, static_cast<Vertex>(start) * word_bits + number);
                    atomicOr(scratch.found + number / word_bits, 1u << number % word_bits);
                    ++count.found;
                }
                break;
            }
        }
        __syncwarp();  // all findings are there
        if (owns) after.words[my_word] = reached | scratch.found[lane];
        __syncwarp();  // they were read
    }
    count.found = warp_sum(count.found);
    count.inspected = warp_sum(count.inspected);
    return count;
}

}  // namespace warpath
