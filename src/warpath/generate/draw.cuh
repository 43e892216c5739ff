// What the generators draw, on a GPU: the same numbers as Numba's functions of the same names
// draw in counter.py, rmat.py, erdos_renyi.py, configuration.py, grid.py and weights.py, to the bit.
//
// A number depends on its key and its counter alone, so no thread waits for another: each
// takes every (number of threads)-th element of the arrays that it fills.
//
// One file without includes: CuPy keeps compiled kernels by the text that it is given.

namespace warpath {

using Bits = unsigned long long;
using Int = long long;

// -- counter.py --------------------------------------------------------------------------------

// 64 random bits: number `counter` (from 0) of the stream `key`. SplitMix64.
__device__ inline Bits random_bits(Bits key, Bits counter) {
    Bits z = key + 0x9E3779B97F4A7C15ull * (counter + 1);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

// An integer in [0, bound), bound <= 2^32.
__device__ inline Int below(Bits bits, Bits bound) {
    return Int(((bits >> 32) * bound + (((bits & 0xFFFFFFFFull) * bound) >> 32)) >> 32);
}

// A double in [0, 1).
__device__ inline double unit(Bits bits) { return double(bits >> 11) * (1.0 / (1ull << 53)); }

// The image of `value` under a pseudorandom permutation of [0, 2^width).
__device__ inline Int permuted(Int value, Int width, Bits key) {
    constexpr int rounds = 4;  // counter.py
    const Bits mask = (1ull << width) - 1;
    const int fold = int(width + 1) / 2;
    Bits x = Bits(value);
    for (int i = 0; i < rounds; ++i) {
        x = (x + random_bits(key, 2 * i)) & mask;
        x = (x * (random_bits(key, 2 * i + 1) | 1)) & mask;
        x ^= x >> fold;
    }
    return Int(x);
}

// The image of `value` under a pseudorandom permutation of [0, bound), bound <= 2^width.
__device__ inline Int shuffled(Int value, Int bound, Int width, Bits key) {
    Int image = permuted(value, width, key);
    while (image >= bound) image = permuted(image, width, key);
    return image;
}

// -- this thread's share -------------------------------------------------------------------------

__device__ inline Int first() { return Int(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline Int stride() { return Int(gridDim.x) * blockDim.x; }

}  // namespace warpath

using namespace warpath;

// -- rmat.py -------------------------------------------------------------------------------------

// Each level gives one bit of both ends, and a random number is for two levels. A number r < 2^32 falls into the
// quarters [0, a), [a, row), [row, abc), [abc, 2^32).
extern "C" __global__ void rmat(
    Bits edges, Bits ids, Int scale, Int row, Int a, Int abc, bool renamed,
    Int count, int* source, int* target
) {
    const Int draws = (scale + 1) / 2;
    for (Int i = first(); i < count; i += stride()) {
        Int u = 0, v = 0;
        Bits bits = 0;
        for (Int level = 0; level < scale; ++level) {
            if (level % 2 == 0) bits = random_bits(edges, i * draws + level / 2);
            const Int r = level % 2 == 0 ? Int(bits & 0xFFFFFFFFull) : Int(bits >> 32);
            const bool lower = r >= row;
            const bool right = ((r >= a) != lower) | (r >= abc);
            u = 2 * u + lower;
            v = 2 * v + right;
        }
        if (renamed) {
            u = permuted(u, scale, ids);
            v = permuted(v, scale, ids);
        }
        source[i] = int(u);
        target[i] = int(v);
    }
}

// -- erdos_renyi.py ------------------------------------------------------------------------------

extern "C" __global__ void ends(Bits key, Int n, Int count, int* source, int* target) {
    for (Int i = first(); i < count; i += stride()) {
        source[i] = int(below(random_bits(key, 2 * i), n));
        target[i] = int(below(random_bits(key, 2 * i + 1), n));
    }
}

// Edge i is the image of pair number i, which counts from `number` here.
extern "C" __global__ void pairs(
    Bits key, Int n, bool directed, Int num_pairs, Int width, Int number, Int count, int* source, int* target
) {
    for (Int i = first(); i < count; i += stride()) {
        const Int pair = shuffled(number + i, num_pairs, width, key);
        Int u, v;
        if (directed) {
            u = pair / (n - 1);
            v = pair % (n - 1);
            v += v >= u;
        } else {
            u = Int((1.0 + sqrt(1.0 + 8.0 * double(pair))) / 2.0);
            // The root of a number beyond 2^53 may round across a row's end.
            while (u * (u - 1) / 2 > pair) --u;
            while (u * (u + 1) / 2 <= pair) ++u;
            v = pair - u * (u - 1) / 2;
        }
        source[i] = int(u);
        target[i] = int(v);
    }
}

// -- configuration.py ----------------------------------------------------------------------------

// Edge i joins numbers 2i and 2i + 1 of the shuffled half-edges.
extern "C" __global__ void join(
    const int* stubs, Int total, Int width, Bits key, Int count, int* source, int* target
) {
    for (Int i = first(); i < count; i += stride()) {
        source[i] = stubs[shuffled(2 * i, total, width, key)];
        target[i] = stubs[shuffled(2 * i + 1, total, width, key)];
    }
}

// Arc i leads to number i of the shuffled half-edges that lead in.
extern "C" __global__ void lead(
    const int* stubs, Int total, Int width, Bits key, Int count, int* target
) {
    for (Int i = first(); i < count; i += stride()) {
        target[i] = stubs[shuffled(i, total, width, key)];
    }
}

// -- grid.py -------------------------------------------------------------------------------------

extern "C" __global__ void keep(Bits key, double share, Int count, bool* kept) {
    for (Int arc = first(); arc < count; arc += stride()) {
        kept[arc] = unit(random_bits(key, arc)) < share;
    }
}

extern "C" __global__ void grid_ends(
    const Int* arcs, Int columns, Int across, bool directed, Int count, int* source, int* target
) {
    for (Int i = first(); i < count; i += stride()) {
        const Int edge = directed ? arcs[i] / 2 : arcs[i];
        Int u, v;
        if (edge < across) {
            u = edge / (columns - 1) * columns + edge % (columns - 1);
            v = u + 1;
        } else {
            u = edge - across;
            v = u + columns;
        }
        const bool back = directed && arcs[i] % 2 == 1;
        source[i] = int(back ? v : u);
        target[i] = int(back ? u : v);
    }
}

// -- weights.py ----------------------------------------------------------------------------------

extern "C" __global__ void integers(Bits key, Int low, Int high, Int count, int* out) {
    for (Int i = first(); i < count; i += stride()) {
        out[i] = int(low + below(random_bits(key, i), high - low + 1));
    }
}

extern "C" __global__ void floats(Bits key, double low, double high, Int count, double* out) {
    for (Int i = first(); i < count; i += stride()) {
        // Rounded twice, as the CPU does: no fused multiply-add.
        out[i] = __dadd_rn(low, __dmul_rn(high - low, unit(random_bits(key, i))));
    }
}

// Weights of arcs, from their ends: the same in both directions.
extern "C" __global__ void hashed(
    const int* source, const int* target, Int low, Int high, Int count, int* out
) {
    for (Int i = first(); i < count; i += stride()) {
        const Bits less = source[i] < target[i] ? source[i] : target[i];
        const Bits more = source[i] < target[i] ? target[i] : source[i];
        const Bits bits = (less * 0x9E3779B97F4A7C15ull + more) * 0xBF58476D1CE4E5B9ull >> 40;
        out[i] = int(low + Int(bits % Bits(high - low + 1)));
    }
}
