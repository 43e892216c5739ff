// H-BF with its optimisations, one by one and together, and bucketing.

#include "sssp_case.h"

using Balance = TwoPhaseSearch<4>;
using Wide = unsigned long long;

EMULATOR_TEST(packed) { search<unsigned, PackedRelaxing<int, int, true>, Balance>(in, out); }
EMULATOR_TEST(packed_int64) { search<unsigned, PackedRelaxing<long long, long long, true>, Balance>(in, out); }
EMULATOR_TEST(duplicates) { search<unsigned, DuplicatesRelaxing<int, int, true>, Balance>(in, out); }
EMULATOR_TEST(hashed_duplicates) { search<unsigned, HashedRelaxing<DuplicatesRelaxing<int, int, true>>, Balance>(in, out); }
EMULATOR_TEST(culled_duplicates) { search<unsigned, CulledRelaxing<ScatteredRelaxing<DuplicatesRelaxing<int, int, true>>>, Balance>(in, out); }
EMULATOR_TEST(compacted_duplicates) { search<unsigned, CompactedRelaxing<DuplicatesRelaxing<int, int, true>>, Balance>(in, out); }
EMULATOR_TEST(compacted_float64) { search<Wide, ClassifiedRelaxing<CompactedRelaxing<ScatteredRelaxing<DuplicatesRelaxing<double, double, false>>>>, Balance>(in, out); }
EMULATOR_TEST(bitmap) { search<unsigned, BitmapRelaxing<int, int, true>, Balance>(in, out); }
EMULATOR_TEST(bitmap_int64) { search<Wide, ScatteredRelaxing<BitmapRelaxing<long long, long long, false>>, Balance>(in, out); }
EMULATOR_TEST(duplicates_float64) { search<Wide, DuplicatesRelaxing<double, double, false>, Balance>(in, out); }
EMULATOR_TEST(scattered_duplicates) { search<unsigned, ScatteredRelaxing<DuplicatesRelaxing<int, int, false>>, Balance>(in, out); }
EMULATOR_TEST(classified) { search<unsigned, ClassifiedRelaxing<PackedRelaxing<int, int, true>>, Balance>(in, out); }
EMULATOR_TEST(classified_int64) { search<Wide, ClassifiedRelaxing<PackedRelaxing<long long, long long, false>>, Balance>(in, out); }
EMULATOR_TEST(classified_float64) { search<unsigned, ClassifiedRelaxing<NearFarRelaxing<double, double, true>>, Balance>(in, out); }
EMULATOR_TEST(classified_scattered_duplicates) { search<unsigned, ClassifiedRelaxing<ScatteredRelaxing<DuplicatesRelaxing<int, int, false>>>, Balance>(in, out); }
EMULATOR_TEST(buckets) { search<unsigned, BucketsRelaxing<int, int, false>, Balance>(in, out); }
EMULATOR_TEST(buckets_int64) { search<Wide, BucketsRelaxing<int, long long, false>, Balance>(in, out); }
EMULATOR_TEST(buckets_float64) { search<unsigned, BucketsRelaxing<double, double, false>, Balance>(in, out); }

using Children = DynamicVirtualWarp<4, 8>;
EMULATOR_TEST(child_grids_packed) { search<unsigned, PackedRelaxing<int, int, true>, Children>(in, out); }
EMULATOR_TEST(child_grids_near_far) { search<unsigned, NearFarRelaxing<int, int, true>, Children>(in, out); }
EMULATOR_TEST(child_grids_queueless) { search<unsigned, QueuelessRelaxing<int, int, false>, Children>(in, out); }
EMULATOR_TEST(child_grids_duplicates) { search<unsigned, ClassifiedRelaxing<DuplicatesRelaxing<int, int, false>>, Children>(in, out); }
