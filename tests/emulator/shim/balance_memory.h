// The memory of a balance, from what Python gives: see tests/balance_inputs.py.
#pragma once

#include <string>
#include <vector>

#include "arrays.h"

class BalanceInput {
    std::vector<std::uint64_t> words;
    std::vector<std::vector<char>> arrays;
    std::vector<uint4> space;

public:
    // Words of `prepared` are numbers, or offsets in bytes from where array `prepared_<i>` lies.
    explicit BalanceInput(const emulate::Input& in, const std::string& prefix = "prepared") {
        if (!in.has(prefix)) return;
        words = in.array<std::uint64_t>(prefix);
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string name = prefix + "_" + std::to_string(i);
            if (!in.has(name)) continue;
            arrays.push_back(in.bytes(name));
            words[i] += reinterpret_cast<std::uint64_t>(arrays.back().data());
        }
        space.resize((in.count("workspace_bytes") + sizeof(uint4) - 1) / sizeof(uint4), uint4{0, 0, 0, 0});
        for (std::size_t i = 4; i < space.size(); ++i) space[i] = {7, 7, 7, 7};  // beyond the counters: anything
    }
    const void* prepared() const { return words.empty() ? nullptr : words.data(); }
    void* workspace() { return space.empty() ? nullptr : space.data(); }
};
