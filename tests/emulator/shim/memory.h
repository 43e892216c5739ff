// Memory that threads share: cache-modified loads and stores, atomics, fences, clocks.
//
// Memory is sequentially consistent here: a fence does nothing, and a missing one is not found.
#pragma once

#include <cstring>

#include "scheduler.h"

namespace emulate {

// What an instruction for global memory gets: the address of shared memory is a fault.
template <class T>
T* global(T* address) {
    check_global(address);
    return address;
}

// Whatever is read or written is read or written at once, after the scheduler's chance to switch.
template <class T>
T load(const T* address) {
    point();
    return *address;
}
template <class T>
void store(T* address, T value) {
    point();
    *address = value;
    progress();
}
template <class T, class Change>
T exchange(T* address, Change change) {
    point();
    const Instant instant;
    const T old = *address;
    const T changed = change(old);
    *address = changed;
    if (changed != old) progress();
    return old;
}

// The types for which CUDA has each atomic.
template <class T, class... Choices>
concept OneOf = (std::is_same_v<T, Choices> || ...);
template <class T>
concept Addable = OneOf<T, int, unsigned, unsigned long long, float, double>;
template <class T>
concept Ordered = OneOf<T, int, unsigned, long long, unsigned long long>;
template <class T>
concept Bits = OneOf<T, int, unsigned, unsigned long long>;
template <class T>
concept Exchangeable = OneOf<T, int, unsigned, unsigned long long, float>;

template <class T>
T add(T a, T b) {  // integers wrap
    if constexpr (OneOf<T, int>) return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b));
    else return a + b;
}

}  // namespace emulate

template <class T> T __ldg(const T* address) { return emulate::load(emulate::global(address)); }
template <class T> T __ldca(const T* address) { return emulate::load(emulate::global(address)); }
template <class T> T __ldcg(const T* address) { return emulate::load(emulate::global(address)); }
template <class T> T __ldcs(const T* address) { return emulate::load(emulate::global(address)); }
template <class T> T __ldlu(const T* address) { return emulate::load(emulate::global(address)); }
template <class T> T __ldcv(const T* address) { return emulate::load(emulate::global(address)); }
template <class T> void __stwb(T* address, std::type_identity_t<T> value) { emulate::store(emulate::global(address), value); }
template <class T> void __stcg(T* address, std::type_identity_t<T> value) { emulate::store(emulate::global(address), value); }
template <class T> void __stcs(T* address, std::type_identity_t<T> value) { emulate::store(emulate::global(address), value); }
template <class T> void __stwt(T* address, std::type_identity_t<T> value) { emulate::store(emulate::global(address), value); }

#define EMULATOR_ATOMIC(Types, name, result)                                                      \
    template <emulate::Types T>                                                                   \
    T name(T* address, std::type_identity_t<T> value) {                        \
        return emulate::exchange(address, [value]([[maybe_unused]] T old) -> T { return result; }); \
    }
#define EMULATOR_ATOMICS(suffix)                                                                  \
    EMULATOR_ATOMIC(Addable, atomicAdd##suffix, emulate::add(old, value))                         \
    EMULATOR_ATOMIC(Ordered, atomicMin##suffix, std::min(old, value))                             \
    EMULATOR_ATOMIC(Ordered, atomicMax##suffix, std::max(old, value))                             \
    EMULATOR_ATOMIC(Bits, atomicAnd##suffix, old & value)                                         \
    EMULATOR_ATOMIC(Bits, atomicOr##suffix, old | value)                                          \
    EMULATOR_ATOMIC(Bits, atomicXor##suffix, old ^ value)                                         \
    EMULATOR_ATOMIC(Exchangeable, atomicExch##suffix, value)                                      \
    template <emulate::Bits T>                                                                    \
    T atomicSub##suffix(T* address, std::type_identity_t<T> value) {           \
        return emulate::exchange(address, [value](T old) { return emulate::add<T>(old, T{0} - value); }); \
    }                                                                                             \
    template <emulate::Bits T>                                                                    \
    T atomicCAS##suffix(T* address, std::type_identity_t<T> expected,          \
                                           std::type_identity_t<T> value) {                       \
        return emulate::exchange(address, [=](T old) { return old == expected ? value : old; });  \
    }
EMULATOR_ATOMICS()
EMULATOR_ATOMICS(_block)
EMULATOR_ATOMICS(_system)
#undef EMULATOR_ATOMICS
#undef EMULATOR_ATOMIC

inline void __threadfence_block() { emulate::point(); }
inline void __threadfence() { emulate::point(); }
inline void __threadfence_system() { emulate::point(); }
inline void __nanosleep(unsigned) { warpath::spin(); }
inline long long clock64() { return static_cast<long long>(emulate::now()); }
[[noreturn]] inline void __trap() { emulate::fail("__trap()"); }

namespace warpath {

template <class T> T load_relaxed(const T* address) { return emulate::load(address); }
template <class T> T load_acquire(const T* address) { return emulate::load(address); }
template <class T> void store_relaxed(T* address, T value) { emulate::store(address, value); }
template <class T> void store_release(T* address, T value) { emulate::store(address, value); }
// Other GPUs are other processes.
template <class T> T load_system(const T* address) { return emulate::load(address); }
template <class T> void store_system(T* address, T value) { emulate::store(address, value); }
inline void fence_system() {
    emulate::point();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
template <class T>
    requires emulate::OneOf<T, unsigned, unsigned long long>
T fetch_add_acq_rel(T* address, std::type_identity_t<T> value) { return atomicAdd(address, value); }

}  // namespace warpath
