// Shortest paths with each kind of distance; test_sssp.py adds a program with each balance.

#include "sssp_case.h"

using Balance = TwoPhaseSearch<4>;
using Wide = unsigned long long;

EMULATOR_TEST(two_phase_search) { search<unsigned, NearFarRelaxing<int, int, false>, Balance>(in, out); }
EMULATOR_TEST(wide_offsets) { search<Wide, NearFarRelaxing<int, int, false>, Balance>(in, out); }
EMULATOR_TEST(parents) { search<unsigned, NearFarRelaxing<int, int, true>, Balance>(in, out); }
EMULATOR_TEST(int32_to_int64) { search<unsigned, NearFarRelaxing<int, long long, false>, Balance>(in, out); }
EMULATOR_TEST(int64) { search<unsigned, NearFarRelaxing<long long, long long, false>, Balance>(in, out); }
EMULATOR_TEST(float32) { search<unsigned, NearFarRelaxing<float, float, false>, Balance>(in, out); }
EMULATOR_TEST(float64) { search<unsigned, NearFarRelaxing<double, double, false>, Balance>(in, out); }
EMULATOR_TEST(packed) { search<unsigned, PackedRelaxing<int, int, true>, Balance>(in, out); }
EMULATOR_TEST(packed_float32) { search<unsigned, PackedRelaxing<float, float, false>, Balance>(in, out); }
EMULATOR_TEST(queueless) { search<unsigned, QueuelessRelaxing<int, int, true>, Balance>(in, out); }
EMULATOR_TEST(queueless_float64) { search<unsigned, QueuelessRelaxing<double, double, false>, Balance>(in, out); }
EMULATOR_TEST(drift) { search<unsigned, NearFarRelaxing<int, int, false>, Balance, true>(in, out); }
EMULATOR_TEST(drift_merge_path) { search<unsigned, NearFarRelaxing<int, int, false>, MergePath<Coupling::hybrid, 10>, true>(in, out); }
EMULATOR_TEST(drift_wide) { search<Wide, NearFarRelaxing<int, long long, false>, Balance, true>(in, out); }
EMULATOR_TEST(drift_float64) { search<unsigned, NearFarRelaxing<double, double, false>, Balance, true>(in, out); }
EMULATOR_TEST(drift_parents) { search<unsigned, NearFarRelaxing<int, int, true>, Balance, true>(in, out); }
EMULATOR_TEST(list) { search<unsigned, NearFarListRelaxing<int, int, false>, Balance>(in, out); }
EMULATOR_TEST(list_float64) { search<unsigned, NearFarListRelaxing<double, double, true>, Balance>(in, out); }
