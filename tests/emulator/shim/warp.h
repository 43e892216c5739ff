// Barriers of a block, and warp votes, shuffles, matches and reductions.
#pragma once

#include <functional>

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

template <class T, class Combine>
T reduce(const char* operation, unsigned mask, T value, Combine combine, Site site) {
    const Meeting meeting = meet_warp(operation, mask, to_bits(value), site);
    const int me = static_cast<int>(lane());
    for (int other = 0; other < warpSize; ++other)
        if (other != me && meeting.arrived >> other & 1u)
            value = combine(value, from_bits<T>(meeting.value[other]));
    return value;
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
    const auto meeting = emulate::meet_warp("__ballot_sync", mask, predicate != 0, site);
    unsigned ballot = 0;
    for (int lane = 0; lane < warpSize; ++lane)
        if (meeting.arrived >> lane & 1u) ballot |= static_cast<unsigned>(meeting.value[lane]) << lane;
    return ballot;
}
inline int __any_sync(unsigned mask, int predicate,
                                         emulate::Site site = emulate::Site::current()) {
    return emulate::reduce("__any_sync", mask, predicate != 0 ? 1 : 0, std::bit_or<int>(), site);
}
inline int __all_sync(unsigned mask, int predicate,
                                         emulate::Site site = emulate::Site::current()) {
    return emulate::reduce("__all_sync", mask, predicate != 0 ? 1 : 0, std::bit_and<int>(), site);
}
// CUDA promises no more than that the caller is in it.
inline unsigned __activemask() { return 1u << emulate::lane(); }

template <emulate::Word T>
unsigned __match_any_sync(unsigned mask, T value,
                                             emulate::Site site = emulate::Site::current()) {
    const auto meeting = emulate::meet_warp("__match_any_sync", mask, emulate::to_bits(value), site);
    unsigned same = 0;
    for (int lane = 0; lane < warpSize; ++lane)
        if (meeting.arrived >> lane & 1u && meeting.value[lane] == emulate::to_bits(value)) same |= 1u << lane;
    return same;
}
template <emulate::Word T>
unsigned __match_all_sync(unsigned mask, T value, int* all,
                                             emulate::Site site = emulate::Site::current()) {
    const auto meeting = emulate::meet_warp("__match_all_sync", mask, emulate::to_bits(value), site);
    *all = 1;
    for (int lane = 0; lane < warpSize; ++lane)
        if (meeting.arrived >> lane & 1u && meeting.value[lane] != emulate::to_bits(value)) *all = 0;
    return *all ? mask : 0;
}

// As in CUDA: add, min, max of int and unsigned; and, or, xor of unsigned.
#define EMULATOR_REDUCE(T, name, combination)                                                     \
    inline T __reduce_##name##_sync(unsigned mask, T value,                                       \
                                    emulate::Site site = emulate::Site::current()) {              \
        return emulate::reduce("__reduce_" #name "_sync", mask, value,                            \
                               [](T a, T b) { return static_cast<T>(combination); }, site);       \
    }
EMULATOR_REDUCE(int, add, static_cast<unsigned>(a) + static_cast<unsigned>(b))
EMULATOR_REDUCE(unsigned, add, a + b)
EMULATOR_REDUCE(int, min, std::min(a, b))
EMULATOR_REDUCE(unsigned, min, std::min(a, b))
EMULATOR_REDUCE(int, max, std::max(a, b))
EMULATOR_REDUCE(unsigned, max, std::max(a, b))
EMULATOR_REDUCE(unsigned, and, a & b)
EMULATOR_REDUCE(unsigned, or, a | b)
EMULATOR_REDUCE(unsigned, xor, a ^ b)
#undef EMULATOR_REDUCE
