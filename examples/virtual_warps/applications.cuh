// Five applications that are no graphs, in virtual warps: section 4.3 of S. Hong, S. K. Kim, T. Oguntebi, K. Olukotun,
// "Accelerating CUDA graph algorithms at maximum warp", PPoPP 2011.
//
// A virtual warp is `width` neighbouring lanes (core/virtual_warp.cuh): SISD, all of them do the same; in `simd_for`
// lane k does items k, k + width, …. With width 1 each is one thread, which is what figure 11 compares with. Each
// virtual warp takes every me.warps()-th piece of work.
#pragma once

#include "core/virtual_warp.cuh"

namespace applications {

using warpath::WarpMember;

// How many of sorted values are less than x, or with `equal` not greater.
__device__ inline unsigned rank_of(int x, const int* values, unsigned count, bool equal) {
    unsigned low = 0;
    while (low < count) {
        const unsigned middle = (low + count) / 2;
        if (values[middle] < x || (equal && values[middle] == x)) low = middle + 1;
        else count = middle;
    }
    return low;
}

// A pass of merge sort: pairs of sorted runs become one each. A virtual warp merges a pair; each of its lanes finds by
// binary search in one run where values of the other go. Of equal values those of the first run come first.
template <unsigned width>
__global__ void merge_runs(unsigned n, unsigned run, const int* values, int* merged) {
    const WarpMember me(width);
    const unsigned pairs = (n + 2 * run - 1) / (2 * run);
    for (unsigned pair = me.warp(); pair < pairs; pair += me.warps()) {
        const unsigned begin = pair * 2 * run, middle = min(n, begin + run), end = min(n, begin + 2 * run);
        me.simd_for(middle - begin, [&](unsigned i) {
            const int x = values[begin + i];
            merged[begin + i + rank_of(x, values + middle, end - middle, false)] = x;
        });
        me.simd_for(end - middle, [&](unsigned i) {
            const int x = values[middle + i];
            merged[begin + i + rank_of(x, values + begin, middle - begin, true)] = x;
        });
    }
}

// A step of LU decomposition without pivoting, in place: column k of L, and what it takes from the rows below. A virtual
// warp has a row.
template <unsigned width>
__global__ void eliminate(unsigned n, unsigned k, float* matrix) {
    const WarpMember me(width);
    const float* const pivot = matrix + k * n;
    for (unsigned i = k + 1 + me.warp(); i < n; i += me.warps()) {
        float* const row = matrix + i * n;
        const float factor = me.once([&] { return row[k] /= pivot[k]; });
        me.simd_for(n - k - 1, [&](unsigned j) { row[k + 1 + j] -= factor * pivot[k + 1 + j]; });
    }
}

// The first kernel of back propagation: sums[j] += Σ inputs[i] · weights[i, j]. A virtual warp adds up a chunk of rows by
// itself, its lanes side by side in each row, and then to the sums of all: no barrier, no reduction.
template <unsigned width>
__global__ void feed_forward(unsigned inputs, unsigned outputs, unsigned chunk, const int* input, const int* weights, int* sums) {
    const WarpMember me(width);
    for (unsigned first = me.warp() * chunk; first < inputs; first += me.warps() * chunk) {
        const unsigned last = min(inputs, first + chunk);
        me.simd_for(outputs, [&](unsigned j) {
            int sum = 0;
            for (unsigned i = first; i < last; ++i) sum += input[i] * weights[i * outputs + j];
            atomicAdd(sums + j, sum);
        });
    }
}

// A neural network on many streams of data that start anywhere: scores[s] = Σ weights[i] · data[begins[s] + i]. A virtual
// warp has a stream, which its lanes fetch side by side.
template <unsigned width>
__global__ void score_streams(unsigned streams, unsigned length, const unsigned* begins, const int* data, const int* weights,
                              int* scores) {
    const WarpMember me(width);
    for (unsigned s = me.warp(); s < streams; s += me.warps()) {
        int mine = 0;
        me.simd_for(length, [&](unsigned i) { mine += weights[i] * data[begins[s] + i]; });
        for (unsigned lanes = width / 2; lanes > 0; lanes /= 2) mine += __shfl_down_sync(me.mask(), mine, lanes, width);
        me.once([&] { return scores[s] = mine; });
    }
}

// K-means: the nearest centre of each point, of equally near ones the first. A virtual warp has a point, its lanes the
// features. One thread for each point is faster: there is nothing to balance, and `points` is a column for each feature.
template <unsigned width>
__global__ void nearest_centre(unsigned n, unsigned features, unsigned centres, const int* points, const int* centre, unsigned* nearest) {
    const WarpMember me(width);
    for (unsigned p = me.warp(); p < n; p += me.warps()) {
        unsigned best = 0;
        int least = 0;
        for (unsigned c = 0; c < centres; ++c) {
            int mine = 0;
            me.simd_for(features, [&](unsigned f) {
                const int difference = points[f * n + p] - centre[c * features + f];
                mine += difference * difference;
            });
            for (unsigned lanes = width / 2; lanes > 0; lanes /= 2) mine += __shfl_xor_sync(me.mask(), mine, lanes, width);
            if (c == 0 || mine < least) {
                best = c;
                least = mine;
            }
        }
        me.once([&] { return nearest[p] = best; });
    }
}

}  // namespace applications
