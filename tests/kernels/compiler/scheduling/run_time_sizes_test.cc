// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are told the rows of C, or its matrices, when they are launched: exact and free of races at each size.
#include <limits>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/registry.h"
#include "search/space/search_space.h"
#include "tests/kernels/compiler/scheduling/linalg_execution.h"

namespace mmtune {
namespace {

/// A layer with its weights, and a residual.
constexpr char kLayer[] = R"(
  #id = affine_map<(m, n) -> (m, n)>
  #columns = affine_map<(m, n) -> (n)>
  func.func @layer(%x: memref<?xK_xT_>, %w: memref<K_xN_xT_>, %bias: memref<N_xT_>, %residual: memref<?xN_xT_>, %y: memref<?xN_xT_>) {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %rows = memref.dim %x, %c0 : memref<?xK_xT_>
    %p = memref.alloc(%rows) : memref<?xN_xf32>
    linalg.fill ins(%zero : f32) outs(%p : memref<?xN_xf32>)
    linalg.matmul ins(%x, %w : memref<?xK_xT_>, memref<K_xN_xT_>) outs(%p : memref<?xN_xf32>)
    linalg.generic {indexing_maps = [#id, #columns, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %bias, %residual : memref<?xN_xf32>, memref<N_xT_>, memref<?xN_xT_>) outs(%y : memref<?xN_xT_>) {
    ^bb0(%in: f32, %b: T_, %r: T_, %old: T_):
      %wide_b = arith.extf %b : T_ to f32
      %wide_r = arith.extf %r : T_ to f32
      %s = arith.addf %in, %wide_b : f32
      %t = arith.addf %s, %wide_r : f32
      %u = arith.maximumf %t, %zero : f32
      %v = arith.truncf %u : f32 to T_
      linalg.yield %v : T_
    }
    memref.dealloc %p : memref<?xN_xf32>
    return
  })";

/// With so many columns, and k, and the type of elements for T_, for which f32 has no conversions.
std::string LayerText(const std::string& n, const std::string& k, const std::string& element) {
  std::vector<std::pair<std::string, std::string>> words{{"N_", n}, {"K_", k}, {"T_", element}};
  if (element == "f32")
    words.insert(words.end(), {{"%wide_b = arith.extf %b : T_ to f32", ""},
                               {"%wide_r = arith.extf %r : T_ to f32", ""},
                               {"%v = arith.truncf %u : f32 to T_", ""},
                               {"%wide_b", "%b"},
                               {"%wide_r", "%r"},
                               {"%v", "%u"}});
  return absl::StrReplaceAll(kLayer, words);
}

class RunTimeSizesTest : public LinalgExecutionTest {
 protected:
  RunTimeSizesTest() { DetectRaces(); }

  /// The layer of any number of rows, with the schedule of a problem that is near it, whose tiles have `tile` rows.
  void ExpectExact(const MatmulProblem& near, const Schedule& schedule, int64_t tile) {
    SCOPED_TRACE(near.Text() + " " + schedule.Text());
    TuningSpecEntry entry;
    entry.problem = near;
    entry.device = device_->info();
    entry.schedule = schedule;
    entry.median_ns = 1000;
    LoadText(LayerText(absl::StrCat(near.n), absl::StrCat(near.k), std::string(DataTypeName(near.dtype))), "layer",
             {{entry}});
    ASSERT_EQ(Sources().size(), 1u);
    EXPECT_EQ(Sources().begin()->second, "nearest");
    for (int64_t rows : {int64_t{0}, int64_t{1}, int64_t{7}, tile - 1, tile, tile + 1, 4 * tile + 3})
      ExpectEqualResults(rows);
  }
};

TEST_F(RunTimeSizesTest, SizesAtRunTime) {
  Load("dynamic.mlir");
  for (int64_t size : {1, 7, 33, 0}) ExpectEqualResults(size);
  EXPECT_EQ(Sources(), (Strings{{"?x24x20 epilogue=bias,relu", "default"},
                                {"?x20x24 epilogue=add", "default"},
                                {"?x23x17 transpose_b", "default"},
                                {"9x24x16 batch=?", "default"},
                                {"?x20x12 batch=? epilogue=add,bias", "default"},
                                {"?x24x40 f16 transpose_b epilogue=bias,relu", "default"},
                                {"?x40x48 s8", "default"},
                                {"?x14x10 f64 epilogue=add", "default"},
                                {"?x1x16", "default"}}));
  // Without rows or matrices, a matmul launches nothing; a mapped operation does. Launches() calls with 0.
  for (const auto& [function, launches] : Launches())
    EXPECT_EQ(launches, function == "transposed" || function == "columns" ? 1 : 0) << function;
}

struct NearSchedule {
  const char *shape, *schedule;  ///< Columns and k are multiples of the widest accesses, or not.
  DataType type = DataType::kF32;
};

/// Copies by cp.async and through registers, to tiles of A in both orders, of which rows lie beyond the matrix; groups
/// of rows of blocks, of which there may be fewer.
constexpr NearSchedule kNearSchedules[] = {
    {"64x44x40",
     "fma async=1 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=4 "
     "reduction=0 slice_k=1 split_k=1 "
     "stages=3 stream_k=1 tm=4 tn=4 unroll_k=16"},
    {"64x70x21",
     "fma async=1 bk=8 bm=16 bn=32 fragments=1 group_m=3 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
     "reduction=0 slice_k=1 split_k=1 "
     "stages=2 stream_k=1 tm=4 tn=4 unroll_k=8"},
    {"64x44x40",
     "fma async=0 bk=16 bm=64 bn=32 fragments=1 group_m=2 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
     "reduction=0 slice_k=1 split_k=1 "
     "stages=1 stream_k=1 tm=4 tn=4 unroll_k=8"},
    {"64x33x17",
     "fma async=0 bk=8 bm=32 bn=32 fragments=2 group_m=1 kmajor_a=1 lm=4 min_blocks=1 order=2 pad_a=4 pad_b=0 "
     "reduction=0 slice_k=1 split_k=1 stages=2 stream_k=1 tm=4 tn=2 unroll_k=8"},
    {"64x44x40",
     "mma async=1 bk=16 bm=32 bn=32 group_m=2 min_blocks=1 prefetch=0 reduction=0 slice_k=1 split_k=1 stages=3 "
     "stream_k=1 wm=16 wn=16",
     DataType::kF16},
    {"64x37x51",
     "mma async=1 bk=32 bm=64 bn=16 group_m=3 min_blocks=1 prefetch=1 reduction=0 slice_k=1 split_k=1 stages=2 "
     "stream_k=1 wm=32 wn=8",
     DataType::kBf16},
};

TEST_F(RunTimeSizesTest, EveryWayToCopyARaggedTile) {
  for (const NearSchedule& near : kNearSchedules)
    ExpectExact(*ParseMatmulShape(near.shape, near.type), *ParseSchedule(near.schedule),
                ParseSchedule(near.schedule)->Get("bm"));
}

// The maps of A, C and the addend end with the rows that the memrefs have: what lies behind is neither read nor stored.
// There may be fewer clusters and groups of rows than the schedule was made for.
TEST_F(RunTimeSizesTest, TensorMapsHaveTheRowsOfTheMemrefs) {
  constexpr char kFixed[] =
      "wgmma bk=64 bn=32 blocks=0 consumers=1 hint_a=0 hint_b=0 in_flight=1 l2_promotion=2 mi=1 mode=0 raster=0 "
      "reduction=0 split_k=1 stages=2 ";
  constexpr const char* kSchedules[] = {
      "addend=0 cluster_m=1 cluster_n=1 epi_buffers=0 epi_columns=0 group_m=1",
      "addend=0 cluster_m=2 cluster_n=1 epi_buffers=0 epi_columns=32 group_m=3",
      "addend=0 cluster_m=1 cluster_n=2 epi_buffers=1 epi_columns=32 group_m=1",
      "addend=1 cluster_m=2 cluster_n=2 epi_buffers=2 epi_columns=16 group_m=2",
  };
  for (const char* schedule : kSchedules)
    ExpectExact(*ParseMatmulShape("512x72x136", DataType::kBf16), *ParseSchedule(absl::StrCat(kFixed, schedule)), 64);
}

/// Without race detection, which the tests of single schedules have.
using DispatchTest = LinalgExecutionTest;

TEST_F(DispatchTest, EveryNumberOfRowsIsExact) {
  constexpr std::tuple<int64_t, int64_t, const char*> kLines[] = {
      {1, 1, "bm=16 bn=16 group_m=1 tm=2 tn=2"},
      {2, 24, "bm=32 bn=32 group_m=1 tm=4 tn=2"},
      {25, 96, "bm=16 bn=16 group_m=1 tm=2 tn=2"},
      {97, 128, "bm=32 bn=64 group_m=1 tm=4 tn=4"},
      {129, 192, "bm=64 bn=32 group_m=2 tm=4 tn=4"},
      {193, 896, "bm=32 bn=32 group_m=1 tm=4 tn=2"},
      // Eight rows of blocks, which the representative number of rows, 512, does not have.
      {897, 1024, "bm=128 bn=32 group_m=8 tm=8 tn=4"}};
  TuningSpec spec;
  for (const auto& [from, to, part] : kLines) {
    TuningSpecEntry& entry = spec.entries.emplace_back();
    entry.problem = *ParseMatmulShape(absl::StrCat(to, "x44x40"), DataType::kF32);
    entry.problem.epilogue = *ParseEpilogue("bias,add,relu");
    entry.device = device_->info();
    entry.schedule = *ParseSchedule(absl::StrCat(
        "fma async=0 bk=8 fragments=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 reduction=0 slice_k=1 "
        "split_k=1 stages=1 stream_k=1 unroll_k=8 ",
        part));
    entry.median_ns = 1000;
    entry.rows = RowRange{from, to};
  }
  LoadText(LayerText("44", "40", "f32"), "layer", spec);
  EXPECT_EQ(Sources(), (Strings{{"?x44x40 epilogue=bias,add,relu", "spec"}}));
  // Seven lines, five kernels.
  std::vector<std::vector<RowRange>> rows;
  for (const ModelKernel& kernel : tested_.model.kernels) rows.push_back(kernel.rows);
  constexpr int64_t kNoEnd = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(rows, (std::vector<std::vector<RowRange>>{
                      {{0, 1}, {25, 96}}, {{2, 24}, {193, 896}}, {{97, 128}}, {{129, 192}}, {{897, kNoEnd}}}));
  for (int64_t m = 0; m <= 300; ++m) {
    ExpectEqualResults(m);
    if (HasFailure()) return;
  }
  for (int64_t m : {896, 897, 1000, 1025}) ExpectEqualResults(m);
  // One of the launches of a table launches something.
  for (const auto& [m, launches] : {std::pair(0, 0), {1, 1}, {24, 1}, {25, 1}, {96, 1}, {97, 1}, {192, 1}, {193, 1}})
    EXPECT_EQ(Launches(m).at("layer"), launches) << m;
}

// MMTUNE_TEST_COUNT is how many, MMTUNE_TEST_SEED the seed.
TEST_F(RunTimeSizesTest, RandomSchedules) {
  SearchRng rng(TestSeed(7));
  DeviceInfo device = device_->info();
  device.kind = DeviceKind::kCuda;  // With more values of each parameter.
  constexpr DataType kTypes[] = {DataType::kF32, DataType::kF16, DataType::kBf16};
  for (uint64_t draw = 0; draw < TestCount(3, 300); ++draw) {
    const uint64_t factor = uint64_t{1} << rng() % 4;
    MatmulProblem problem = *ParseMatmulShape("512x1x1", kTypes[draw % 3]);
    problem.n = static_cast<int64_t>(factor * (1 + rng() % 16));
    problem.k = static_cast<int64_t>(factor * (1 + rng() % 16));
    problem.epilogue = *ParseEpilogue("bias,add,relu");
    const char* family = problem.dtype == DataType::kF32 ? "fma" : "mma";
    const auto space = SearchSpace::Create(problem, device, {*FindKernelFamily(family)});
    ASSERT_TRUE(space.ok()) << space.status();
    Schedule schedule = (*space)->Sample(rng);
    while (!WhyRunTimeSizesUnsupported(problem, schedule, {.rows = true}).empty()) schedule = (*space)->Sample(rng);
    problem.m = 64;
    ExpectExact(problem, schedule, schedule.Get("bm"));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace mmtune
