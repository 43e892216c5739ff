// The best paths by other algebras than sums: each way to extend a path, and each method.

#include "sssp_case.h"

using Balance = TwoPhaseSearch<4>;
using Wide = unsigned long long;

EMULATOR_TEST(minimax_int32) { search<unsigned, NearFarRelaxing<Largest<int>, int, false>, Balance>(in, out); }
EMULATOR_TEST(minimax_int32_int64) { search<Wide, NearFarRelaxing<Largest<int>, long long, false>, Balance>(in, out); }
EMULATOR_TEST(minimax_float32_queueless) { search<unsigned, QueuelessRelaxing<Largest<float>, float, false>, Balance>(in, out); }
EMULATOR_TEST(minimax_float64_drift) { search<unsigned, NearFarRelaxing<Largest<double>, double, false>, Balance, true>(in, out); }
EMULATOR_TEST(widest_int32_packed) { search<unsigned, PackedRelaxing<Least<int>, int, false>, Balance>(in, out); }
EMULATOR_TEST(widest_int64_drift) { search<unsigned, NearFarRelaxing<Least<long long>, long long, false>, Balance, true>(in, out); }
EMULATOR_TEST(widest_float32_list) { search<unsigned, NearFarListRelaxing<Least<float>, float, false>, Balance>(in, out); }
EMULATOR_TEST(most_reliable_float32_packed) { search<unsigned, PackedRelaxing<Product<float>, float, false>, Balance>(in, out); }
EMULATOR_TEST(most_reliable_float64) { search<unsigned, NearFarRelaxing<Product<double>, double, false>, Balance>(in, out); }
