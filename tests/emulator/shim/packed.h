// Two integers of 16 bits in a word, and additions fused with minima (DPX).
#pragma once

#include "types.h"

namespace emulate {

inline unsigned halves(unsigned a, unsigned b, auto operation) {
    const auto half = [&](int shift) {
        return (operation(a >> shift & 0xFFFF, b >> shift & 0xFFFF) & 0xFFFFu) << shift;
    };
    return half(0) | half(16);
}
inline int of_sixteen(unsigned half) { return static_cast<short>(half); }

}  // namespace emulate

inline unsigned __vadd2(unsigned a, unsigned b) { return emulate::halves(a, b, [](unsigned x, unsigned y) { return x + y; }); }
inline unsigned __vminu2(unsigned a, unsigned b) { return emulate::halves(a, b, [](unsigned x, unsigned y) { return min(x, y); }); }
inline unsigned __vmaxu2(unsigned a, unsigned b) { return emulate::halves(a, b, [](unsigned x, unsigned y) { return max(x, y); }); }
inline unsigned __vmins2(unsigned a, unsigned b) {
    return emulate::halves(a, b, [](unsigned x, unsigned y) { return static_cast<unsigned>(min(emulate::of_sixteen(x), emulate::of_sixteen(y))); });
}
inline unsigned __vmaxs2(unsigned a, unsigned b) {
    return emulate::halves(a, b, [](unsigned x, unsigned y) { return static_cast<unsigned>(max(emulate::of_sixteen(x), emulate::of_sixteen(y))); });
}
// Also says, of the high and the low half, whether a's was taken.
inline unsigned __vibmin_u16x2(unsigned a, unsigned b, bool* high, bool* low) {
    *high = a >> 16 <= b >> 16, *low = (a & 0xFFFF) <= (b & 0xFFFF);
    return __vminu2(a, b);
}
inline unsigned __vibmax_u16x2(unsigned a, unsigned b, bool* high, bool* low) {
    *high = a >> 16 >= b >> 16, *low = (a & 0xFFFF) >= (b & 0xFFFF);
    return __vmaxu2(a, b);
}
inline unsigned __vibmin_s16x2(unsigned a, unsigned b, bool* high, bool* low) {
    *high = emulate::of_sixteen(a >> 16) <= emulate::of_sixteen(b >> 16), *low = emulate::of_sixteen(a) <= emulate::of_sixteen(b);
    return __vmins2(a, b);
}
inline unsigned __vibmax_s16x2(unsigned a, unsigned b, bool* high, bool* low) {
    *high = emulate::of_sixteen(a >> 16) >= emulate::of_sixteen(b >> 16), *low = emulate::of_sixteen(a) >= emulate::of_sixteen(b);
    return __vmaxs2(a, b);
}
inline unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned c) { return __vminu2(__vadd2(a, b), c); }
inline unsigned __viaddmin_s16x2(unsigned a, unsigned b, unsigned c) { return __vmins2(__vadd2(a, b), c); }
inline unsigned __viaddmin_u32(unsigned a, unsigned b, unsigned c) { return min(a + b, c); }
inline int __viaddmin_s32(int a, int b, int c) { return min(a + b, c); }
inline int __vimin3_s32(int a, int b, int c) { return min(min(a, b), c); }
// Four of the eight bytes of x and y, by four bits of the selector each.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) result |= static_cast<unsigned>(bytes >> 8 * (selector >> 4 * i & 7) & 0xFF) << 8 * i;
    return result;
}
