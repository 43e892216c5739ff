// Several GPUs of one host, of one process or of several, that run a program together: a cooperative launch on each, which
// wait for each other.
//
// A GPU owns consecutive vertices, whole words of a bitmap, and has the rows of these. Vertices have the ids of the whole
// graph, and each GPU's arrays have an element for each. What an edge finds of a vertex that another GPU owns it
// writes to its own GPU's arrays, with a bit for the vertex. At the end of the iteration, after a barrier of all GPUs, owners
// read the bits of their vertices in the others' memory, and the values (`for_each_told`). So edges change no other GPU's
// memory, and each vertex is told of once per iteration. Breadth-first search lists edges instead (engine/told_edges.cuh). In a
// bottom-up level of it a GPU writes its words of the next bitmap to each GPU's memory (traverse.cuh).
//
// All GPUs take the same decisions, since the barrier adds up what they have counted in a step; but where each goes on alone for a
// while, with barriers of its own blocks (engine/gpu_local.cuh).
//
// What makes a write visible: a block's release at its own GPU's count, the last block's acquire there, and its fence at
// system scope before it writes to the others' mailboxes; the way back likewise. So what was written before the barrier, on any
// GPU, may be read after it, at system scope: `load_system`.
#pragma once

#include "core/device.cuh"
#include "core/scan.cuh"
#include "core/types.cuh"
#include "engine/trace.cuh"
#include "frontier/bitmap.cuh"
#include "operators/operator.cuh"

namespace warpath {

constexpr unsigned max_gpus = 16;  // as in warpath/cuda/multi_gpu.py

// What a GPU tells another one at a barrier.
template <class Counters>
struct Told {
    Counters counters;
    unsigned flag;  // of the control block
};

// The same on its way, in words of 32 bits. The number of the barrier stands above each, and both arrive as one. So the writer does
// not wait between the words and a flag that they are there: over NVLink, a microsecond or two.
template <class Counters>
struct Message {
    static constexpr unsigned size = sizeof(Told<Counters>) / sizeof(unsigned);

    Count words[size];

    __device__ void put(const Told<Counters>& told, unsigned round) {
        unsigned parts[size];
        memcpy(parts, &told, sizeof told);
#pragma unroll
        for (unsigned i = 0; i < size; ++i) store_system(&words[i], Count{round} << 32 | parts[i]);
    }
    // Whether all of it is there.
    __device__ bool take(Told<Counters>& told, unsigned round) const {
        unsigned parts[size];
        bool is_there = true;
#pragma unroll
        for (unsigned i = 0; i < size; ++i) {
            const Count word = load_system(&words[i]);
            parts[i] = static_cast<unsigned>(word);
            is_there &= static_cast<unsigned>(word >> 32) == round;
        }
        memcpy(&told, parts, sizeof told);
        return is_there;
    }
};

// In each GPU's memory, zero before the first launch. Messages of two rounds alternate: the GPU that writes one has met all others
// in the round before, so its message of two rounds ago was read.
template <class Counters>
struct Mailbox {
    Message<Counters> messages[2][max_gpus];
    unsigned round;  // this GPU's last barrier, counted from 1; the next launch counts on
    unsigned stop;   // the host's: a GPU did not start, so this one need not wait. Its answer is not used
};

// What of a GPU the others know.
struct Peer {
    void* mailbox;
    unsigned* bits[2];   // bitmaps of all vertices: of a program what it has found of others', and its prefilter
    void* values;        // of all vertices; of a breadth-first search what it tells (engine/told_edges.cuh)
    Vertex begin, end;   // the vertices that it owns; multiples of `word_bits`, or the last one's end
};

// A GPU without vertices has no word, also where the last one has begun.
inline __device__ unsigned end_word_of(Vertex begin, Vertex end) { return begin < end ? words_of(end) : begin / word_bits; }

struct Peers {
    Peer all[max_gpus];  // by value: behind a pointer each barrier would wait for two more loads
    unsigned rank, count;
    Vertex begin, end;  // the vertices that this GPU owns
    unsigned* told;     // its first bitmap
    unsigned horizon_buckets;  // how far GPUs go on alone (engine/gpu_local.cuh)

    // The i-th after this GPU.
    __device__ unsigned after(unsigned i) const { return (rank + i) % count; }
    __device__ const Peer& other(unsigned i) const { return all[after(i)]; }
    __device__ bool owns(Vertex v) const { return v - begin < end - begin; }
    // The words of its vertices' bits.
    __device__ unsigned first_word() const { return begin / word_bits; }
    __device__ unsigned end_word() const { return end_word_of(begin, end); }
};

// A control block of engine/loop.cuh, and what all GPUs have counted in the last step.
template <class Control>
struct SummedControl : Control {
    typename Control::Counters total;
};

template <class Control, class Shared>
class MultiGpuBarrier {
    using Counters = typename Control::Counters;
    Control* const control;
    Shared& shared;
    const Peers& peers;

    static __device__ Mailbox<Counters>& mailbox_of(const Peer& gpu) { return *static_cast<Mailbox<Counters>*>(gpu.mailbox); }

    // The last block's first thread: tells the other GPUs, and waits until all have told. It has seen all that blocks did.
    __device__ void meet() const {
        Mailbox<Counters>& mine = mailbox_of(peers.all[peers.rank]);
        const unsigned round = ++mine.round;
        Told<Counters> total{control->counters[(shared.progress.step + 1) % 3], control->flag};
        fence_system();  // where the words are seen, so is what blocks did
#pragma unroll 1
        for (unsigned i = 1; i < peers.count; ++i) mailbox_of(peers.other(i)).messages[round % 2][peers.rank].put(total, round);
#pragma unroll 1
        for (unsigned i = 1; i < peers.count; ++i) {
            const auto& message = mine.messages[round % 2][peers.after(i)];
            Told<Counters> told;
            while (!message.take(told, round) && load_system(&mine.stop) == 0) spin_system();
            total.counters.add(told.counters);
            total.flag = max(total.flag, told.flag);
        }
        fence_system();  // what the others wrote before is there
        control->total = total.counters;
        if (shares_flag) control->flag = total.flag;
    }

public:
    bool alone = false;  // whether this GPU's blocks meet without the others
    bool shares_flag = true;  // whether GPUs take each other's flag

    __device__ MultiGpuBarrier(Control* control, Shared& shared, const Peers& peers) : control(control), shared(shared), peers(peers) {
        if (threadIdx.x == 0) shared.barrier_target = 0;
    }

    // As of `GridBarrier`. Blocks count up `arrived`; the last one meets the other GPUs, and lets the blocks go by counting
    // once more.
    template <class Before, class Then>
    __device__ void sync(Before before, Then then) {
        __syncthreads();
        if (threadIdx.x == 0) {
            before();
            const unsigned target = shared.barrier_target += gridDim.x + 1;
            unsigned now = fetch_add_acq_rel(&control->arrived, 1) + 1;
            if (now == target - 1) {
                if (alone) control->total = control->counters[(shared.progress.step + 1) % 3];
                else meet();
                fetch_add_acq_rel(&control->arrived, 1);
            } else {
                while (static_cast<int>(now - target) < 0) {
                    now = load_acquire(&control->arrived);
                    spin();
                }
            }
            then();
        }
        __syncthreads();
    }
    template <class Then>
    __device__ void sync(Then then) {
        sync([] {}, then);
    }
};

// Vertices of a lane that `for_each_told` visits together, so that their loads from the other GPU overlap.
constexpr int told_together = 4;
// Of this number of GPUs words are read together, in each lane: loads over NVLink.
constexpr unsigned gpus_together = 3;
// Of a warp's 32 words, from which on lanes share a word: two in each. A guess.
constexpr unsigned many_told = 64;

// Visit the owned vertices that other GPUs have found: visit(peer, v, pred), arrays of `told_together`, by all lanes of a warp.
// Their bits are cleared where they stand. Between two barriers.
template <class Visit>
__device__ void for_each_told(const Peers& peers, Workers workers, Visit visit) {
    const unsigned end = peers.end_word();
    for (unsigned first = peers.first_word() + workers.rank * warp_lanes; first < end; first += workers.count * warp_lanes) {
        const unsigned word = first + lane_id();
        const bool is_mine = word < end;
        unsigned ahead[gpus_together];
#pragma unroll 1
        for (unsigned i = 1; i < peers.count; ++i) {
            if ((i - 1) % gpus_together == 0) {
#pragma unroll
                for (unsigned k = 0; k < gpus_together; ++k)
                    ahead[k] = load_system_if(peers.other(i + k).bits[0] + word, is_mine && i + k < peers.count);
            }
            const Peer& peer = peers.other(i);
            unsigned* const bits = peer.bits[0] + word;
            const unsigned told = ahead[0];
#pragma unroll
            for (unsigned k = 0; k + 1 < gpus_together; ++k) ahead[k] = ahead[k + 1];
            if (told != 0) store_system(bits, 0u);
            Vertex v[told_together];
            bool pred[told_together];
            if (warp_sum(count_bits(told)) >= many_told) {
                // A word after the other, a bit for each lane: neighbours' values come in one request.
                for (unsigned filled = lanes_where(told != 0); filled != 0;) {
#pragma unroll
                    for (int j = 0; j < told_together; ++j) {
                        const unsigned whose = filled != 0 ? lowest_bit(filled) : 0;
                        pred[j] = filled != 0 && (from_lane(told, whose) >> lane_id() & 1u);
                        v[j] = (first + whose) * word_bits + lane_id();
                        filled &= filled - 1;
                    }
                    visit(peer, v, pred);
                }
            } else {
                // A bit of each word together.
                for (unsigned left = told; any_lane(left != 0);) {
#pragma unroll
                    for (int j = 0; j < told_together; ++j) {
                        pred[j] = left != 0;
                        v[j] = pred[j] ? word * word_bits + lowest_bit(left) : 0;
                        left &= left - 1;
                    }
                    visit(peer, v, pred);
                }
            }
        }
    }
}

// Copy the other GPUs' words of a bitmap. Between two barriers; what an owner changes meanwhile may be seen or not.
inline __device__ void copy_words(const Peers& peers, unsigned which, unsigned* words, Count thread, Count threads) {
#pragma unroll 1
    for (unsigned i = 1; i < peers.count; ++i) {
        const Peer& peer = peers.other(i);
        const unsigned end = end_word_of(peer.begin, peer.end);
#pragma unroll 1
        for (Count word = peer.begin / word_bits + thread; word < end; word += threads) words[word] = load_system(peer.bits[which] + word);
    }
}

// The same as a call. Inlined into a program it would take registers of all of it (up to 250 bytes spilled).
inline __attribute__((noinline)) __device__ void copy_words_by_call(const Peers& peers, unsigned which, unsigned* words, Count thread, Count threads) {
    copy_words(peers, which, words, thread, threads);
}

// Copy the other GPUs' values of their vertices. Between two barriers, in which no GPU changes its own. A call, as above.
template <class T>
__attribute__((noinline)) __device__ void copy_values_by_call(const Peers& peers, T* values, Count thread, Count threads) {
    constexpr unsigned together = 4;  // loads over NVLink in flight in each thread
#pragma unroll 1
    for (unsigned i = 1; i < peers.count; ++i) {
        const Peer& peer = peers.other(i);
        const T* const theirs = static_cast<const T*>(peer.values);
#pragma unroll 1
        for (Count first = peer.begin + thread; first < peer.end; first += together * threads) {
            T value[together];
#pragma unroll
            for (unsigned k = 0; k < together; ++k) value[k] = load_system_if(theirs + first + k * threads, first + k * threads < peer.end);
#pragma unroll
            for (unsigned k = 0; k < together; ++k)
                if (first + k * threads < peer.end) values[first + k * threads] = value[k];
        }
    }
}

// Which vertices an edge finds enter the queue: those that this GPU owns, as `Filter` says. Of the others a bit is set.
template <class Filter>
struct TellOthers : Filter {
    Bitmap told;
    const Peers& peers;

    __device__ TellOthers(const Filter& filter, const Peers& peers) : Filter(filter), told{peers.told}, peers(peers) {}

    template <class Offer>
    __device__ auto test(Vertex v, const Offer& offer, bool pred) const {
        const bool is_mine = peers.owns(v);
        told.mark(v, pred && !is_mine);
        return Filter::test(v, offer, pred && is_mine);
    }
};

}  // namespace warpath
