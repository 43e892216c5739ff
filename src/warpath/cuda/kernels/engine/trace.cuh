// What a traversal leaves behind about each of its iterations.
#pragma once

#include "core/device.cuh"
#include "core/types.cuh"

namespace warpath {

enum TraceDirection : unsigned { trace_top_down, trace_bottom_up, trace_forward, trace_backward };
enum Mode : unsigned { mode_block, mode_cluster, mode_grid };

// One iteration; as in warpath/cuda/trace.py.
struct TraceRow {
    Count vertices;     // that were expanded; of those found by top-down iterations with a queue, the ones with arcs
    Count arcs;         // that were inspected
    Count nanoseconds;  // since the iteration before
    unsigned char direction, mode, balance, unused[5];
};

// Where a kernel writes its trace; as in warpath/cuda/trace.py.
struct TraceRows {
    TraceRow* first;
    unsigned count;  // 1 at least, or `first` is null and nothing is written
};

// What some iteration expanded, where blocks count it together.
struct Amount {
    Count vertices, arcs;
};

// The scope's first block writes it (engine/scope.cuh). Iterations beyond the last row are added to that.
template <bool enabled, class Scope>
class Trace {
    TraceRow* rows;
    unsigned last;
    Count& before;  // in shared memory, since only one thread needs it

public:
    __device__ Trace(const TraceRows& trace, Count& before) : rows(trace.first), last(trace.count - 1), before(before) {}

    // All threads of the grid call.
    __device__ void start() {
        if (enabled && Scope::is_first_block() && threadIdx.x == 0) before = global_timer();
    }
    // The first thread of each block calls.
    __device__ void record(unsigned iteration, Count vertices, Count arcs, TraceDirection direction, Mode mode, int balance) {
        if (!enabled || !Scope::is_first_block()) return;
        const Count now = global_timer();
        TraceRow& row = rows[min(iteration, last)];
        const bool first = iteration <= last;
        row.vertices = vertices + (first ? 0 : row.vertices);
        row.arcs = arcs + (first ? 0 : row.arcs);
        row.nanoseconds = now - before + (first ? 0 : row.nanoseconds);
        row.direction = static_cast<unsigned char>(direction);
        row.mode = static_cast<unsigned char>(mode);
        row.balance = static_cast<unsigned char>(balance);
        before = now;
    }
};

}  // namespace warpath
