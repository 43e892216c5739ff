// Barriers of a block, and warp votes, shuffles, matches and reductions.
#pragma once

#include "scheduler.h"

inline void __syncthreads(emulate::Site site = emulate::Site::current()) {
    emulate::meet_block("__syncthreads", false, site);
}
inline int __syncthreads_count(int predicate, emulate::Site site = emulate::Site::current()) {
    return emulate::meet_block("__syncthreads_count", predicate != 0, site);
}
inline int __syncthreads_or(int predicate, emulate::Site site = emulate::Site::current()) {
    return emulate::meet_block("__syncthreads_or", predicate != 0, site) > 0;
}
inline int __syncthreads_and(int predicate, emulate::Site site = emulate::Site::current()) {
    return emulate::meet_block("__syncthreads_and", predicate == 0, site) == 0;
}

namespace emulate {

template <class T>
concept Word = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

template <Word T>
std::uint64_t to_bits(T value) {
    if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(value);
    else return std::bit_cast<std::uint64_t>(value);
}
template <Word T>
T from_bits(std::uint64_t bits) {
    if constexpr (sizeof(T) == 4) return std::bit_cast<T>(static_cast<std::uint32_t>(bits));
    else return std::bit_cast<T>(bits);
}

// CUDA leaves open what comes from a lane that takes no part; this is not to be mistaken.
constexpr std::uint64_t garbage = 0xBADBADBADBADBADB;

template <Word T>
T shuffle(const char* operation, unsigned mask, T value, int source, Site site) {
    const Meeting meeting = meet_warp(operation, mask, to_bits(value), site);
    return from_bits<T>(meeting.arrived >> source & 1u ? meeting.value[source] : garbage);
}

// Neither checked nor interrupted: what lanes brought is this thread's own copy, and such loops
// over lanes took two fifths of the time of a kernel. It calls nothing that is to be inlined.
#define EMULATOR_PLAIN __attribute__((no_sanitize("address,undefined"), no_sanitize_coverage, optimize("O2")))

// The lowest lane of a set.
#define EMULATOR_FIRST(lanes) static_cast<unsigned>(__builtin_ctz(lanes))

// The lanes that brought these bits.
EMULATOR_PLAIN inline unsigned who_brought(const Meeting& meeting, std::uint64_t bits) {
    unsigned found = 0;
    for (unsigned left = meeting.arrived; left; left &= left - 1)
        if (meeting.value[EMULATOR_FIRST(left)] == bits) found |= left & -left;
    return found;
}

inline int check_width(int width) {
    if (width < 1 || width > warpSize || !std::has_single_bit(static_cast<unsigned>(width)))
        fail("the width of a shuffle is a power of two up to 32, not %d", width);
    return width;
}

}  // namespace emulate

inline void __syncwarp(unsigned mask = ~0u, emulate::Site site = emulate::Site::current()) {
    emulate::meet_warp("__syncwarp", mask, 0, site);
}

template <emulate::Word T>
T __shfl_sync(unsigned mask, T value, int source, int width = warpSize,
              emulate::Site site = emulate::Site::current()) {
    const int first = static_cast<int>(emulate::lane()) & ~(emulate::check_width(width) - 1);
    return emulate::shuffle("__shfl_sync", mask, value, first | (source & (width - 1)), site);
}
template <emulate::Word T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                 emulate::Site site = emulate::Site::current()) {
    const int me = static_cast<int>(emulate::lane()), source = me - static_cast<int>(delta);
    const int first = me & ~(emulate::check_width(width) - 1);
    return emulate::shuffle("__shfl_up_sync", mask, value, source < first ? me : source, site);
}
template <emulate::Word T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                   emulate::Site site = emulate::Site::current()) {
    const int me = static_cast<int>(emulate::lane()), source = me + static_cast<int>(delta);
    const int last = me | (emulate::check_width(width) - 1);
    return emulate::shuffle("__shfl_down_sync", mask, value, source > last ? me : source, site);
}
template <emulate::Word T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize,
                  emulate::Site site = emulate::Site::current()) {
    const int me = static_cast<int>(emulate::lane()), source = me ^ lane_mask;
    const int last = me | (emulate::check_width(width) - 1);
    return emulate::shuffle("__shfl_xor_sync", mask, value, source > last ? me : source, site);
}

inline unsigned __ballot_sync(unsigned mask, int predicate,
                                                 emulate::Site site = emulate::Site::current()) {
    return emulate::who_brought(emulate::meet_warp("__ballot_sync", mask, predicate != 0, site), 1);
}
inline int __any_sync(unsigned mask, int predicate,
                                         emulate::Site site = emulate::Site::current()) {
    return emulate::who_brought(emulate::meet_warp("__any_sync", mask, predicate != 0, site), 1) != 0;
}
inline int __all_sync(unsigned mask, int predicate,
                                         emulate::Site site = emulate::Site::current()) {
    return emulate::who_brought(emulate::meet_warp("__all_sync", mask, predicate != 0, site), 0) == 0;
}
// CUDA promises no more than that the caller is in it.
inline unsigned __activemask() { return 1u << emulate::lane(); }

template <emulate::Word T>
unsigned __match_any_sync(unsigned mask, T value,
                                             emulate::Site site = emulate::Site::current()) {
    const std::uint64_t bits = emulate::to_bits(value);
    return emulate::who_brought(emulate::meet_warp("__match_any_sync", mask, bits, site), bits);
}
template <emulate::Word T>
unsigned __match_all_sync(unsigned mask, T value, int* all,
                                             emulate::Site site = emulate::Site::current()) {
    const std::uint64_t bits = emulate::to_bits(value);
    const auto meeting = emulate::meet_warp("__match_all_sync", mask, bits, site);
    *all = emulate::who_brought(meeting, bits) == meeting.arrived;
    return *all ? mask : 0;
}

// As in CUDA: add, min, max of int and unsigned; and, or, xor of unsigned.
#define EMULATOR_REDUCE(T, name, combination)                                                     \
    EMULATOR_PLAIN inline T __reduce_##name##_sync(unsigned mask, T a,                            \
                                                   emulate::Site site = emulate::Site::current()) { \
        const auto meeting = emulate::meet_warp("__reduce_" #name "_sync", mask,                  \
                                                static_cast<unsigned>(a), site);                  \
        for (unsigned left = meeting.arrived & ~(1u << emulate::lane()); left; left &= left - 1) {  \
            const T b = static_cast<T>(meeting.value[EMULATOR_FIRST(left)]);                      \
            a = static_cast<T>(combination);                                                      \
        }                                                                                         \
        return a;                                                                                 \
    }
EMULATOR_REDUCE(int, add, static_cast<unsigned>(a) + static_cast<unsigned>(b))
EMULATOR_REDUCE(unsigned, add, a + b)
EMULATOR_REDUCE(int, min, a < b ? a : b)
EMULATOR_REDUCE(unsigned, min, a < b ? a : b)
EMULATOR_REDUCE(int, max, a > b ? a : b)
EMULATOR_REDUCE(unsigned, max, a > b ? a : b)
EMULATOR_REDUCE(unsigned, and, a & b)
EMULATOR_REDUCE(unsigned, or, a | b)
EMULATOR_REDUCE(unsigned, xor, a ^ b)
#undef EMULATOR_REDUCE
