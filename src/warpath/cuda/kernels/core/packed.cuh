// A distance and a tag, an iteration or a vertex, in one word that one atomic lowers.
//
//     32-bit distances   64 bits, the distance above the tag: their minimum is one instruction
//     64-bit distances   128 bits, for which there is compare-and-swap only, from sm_90 on; most often
//                        one round is enough, since a failed swap may find that it lowers no more
//
// A thread that lowers a distance writes its tag. Iterations only rise, so an offer that is not less leaves the
// word as it is. Of two vertices that offer the same, the smaller number stays (operators/relax_tree.cuh).
#pragma once

#include "core/device.cuh"
#include "core/types.cuh"

namespace warpath {

template <int key_bytes>
struct PackedWord;

template <>
struct PackedWord<4> {
    using Word = long long;

    static __device__ Word pack(int distance, unsigned tag) {
        return static_cast<Word>(static_cast<Count>(static_cast<unsigned>(distance)) << 32 | tag);
    }
    static __device__ int distance_of(Word word) { return static_cast<int>(word >> 32); }
    static __device__ unsigned tag_of(Word word) { return static_cast<unsigned>(word); }
    static __device__ const int* distance_in(const Word* word) { return reinterpret_cast<const int*>(word) + 1; }
    static __device__ void store_if(Word* address, Word word, bool pred) { warpath::store_if(address, word, pred); }
    static __device__ Word fetch_min_if(Word* address, Word word, bool pred) { return warpath::fetch_min_if(address, word, pred); }
};

template <>
struct PackedWord<8> {
    using Word = TwoWords;

    static __device__ Word pack(long long distance, unsigned tag) { return {distance, tag}; }
    static __device__ long long distance_of(const Word& word) { return word.first; }
    static __device__ unsigned tag_of(const Word& word) { return static_cast<unsigned>(word.second); }
    static __device__ const long long* distance_in(const Word* word) { return &word->first; }
    // Only where no other thread writes: the halves are two stores.
    static __device__ void store_if(Word* address, const Word& word, bool pred) {
        warpath::store_if(&address->first, word.first, pred);
        warpath::store_if(&address->second, word.second, pred);
    }
    static __device__ Word fetch_min_if(Word* address, const Word& word, bool pred) {
        Word before = word;
        if (!pred) return before;
        before = *address;  // it may be torn: then the first swap fails, and returns what is there
        while (word.first < before.first) {
            const Word found = compare_and_swap(address, before, word);
            if (found == before) break;
            before = found;
        }
        return before;
    }
};

}  // namespace warpath
