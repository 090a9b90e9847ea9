// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmuls whose operands are parts of wider buffers: exact, free of races, and nothing between their rows is
// written.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "kernels/families/common/matmul_layout.h"
#include "kernels/families/common/registry.h"
#include "search/space/search_space.h"
#include "tests/kernels/compiler/scheduling/linalg_execution.h"

namespace mmtune {
namespace {

/// A matmul with a batch of two dimensions and a bias, in views of flat buffers.
constexpr char kMatmul[] = R"(
  #id = affine_map<(g, h, m, n) -> (g, h, m, n)>
  #columns = affine_map<(g, h, m, n) -> (n)>
  func.func @matmul(%fa: memref<SIZE_AxT_>, %fb: memref<SIZE_BxT_>, %bias: memref<N_xO_>, %fc: memref<SIZE_CxO_>) {
    %zero = arith.constant 0.0 : f32
    %a = memref.reinterpret_cast %fa to offset: [OFFSET_A], sizes: [SIZES_A], strides: [STRIDES_A] : memref<SIZE_AxT_> to VIEW_A
    %b = memref.reinterpret_cast %fb to offset: [OFFSET_B], sizes: [SIZES_B], strides: [STRIDES_B] : memref<SIZE_BxT_> to VIEW_B
    %c = memref.reinterpret_cast %fc to offset: [OFFSET_C], sizes: [SIZES_C], strides: [STRIDES_C] : memref<SIZE_CxO_> to VIEW_C
    %p = memref.alloc() : memref<DIMS_Cxf32>
    linalg.fill ins(%zero : f32) outs(%p : memref<DIMS_Cxf32>)
    linalg.contract indexing_maps = [affine_map<(g, h, m, n, k) -> (g, h, MAP_A)>,
                                     affine_map<(g, h, m, n, k) -> (g, h, MAP_B)>,
                                     affine_map<(g, h, m, n, k) -> (g, h, m, n)>]
      ins(%a, %b : VIEW_A, VIEW_B) outs(%p : memref<DIMS_Cxf32>)
    linalg.generic {indexing_maps = [#id, #columns, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p, %bias : memref<DIMS_Cxf32>, memref<N_xO_>) outs(%c : VIEW_C) {
    ^bb0(%in: f32, %v: O_, %old: O_):
      %wide = arith.extf %v : O_ to f32
      %s = arith.addf %in, %wide : f32
      %r = arith.truncf %s : f32 to O_
      linalg.yield %r : O_
    }
    memref.dealloc %p : memref<DIMS_Cxf32>
    return
  })";

/// An operand as a view of a flat buffer: [g, h, row, column].
struct View {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0, elements = 0;

  std::string Type(const std::string& element) const {
    return absl::StrCat("memref<", absl::StrJoin(sizes, "x"), "x", element, ", strided<[", absl::StrJoin(strides, ", "),
                        "], offset: ", offset, ">>");
  }
};

class StridedMatmulsTest : public LinalgExecutionTest {
 protected:
  StridedMatmulsTest() { DetectRaces(); }

  uint64_t Draw(uint64_t below) { return rng_() % below; }

  /// Matrices of `rows` x `columns` that lie one after another, beside one another in wider rows, or, where not `own`,
  /// upon one another, with gaps that are multiples of some power of two.
  View DrawView(int64_t g, int64_t h, int64_t rows, int64_t columns, bool own) {
    const int64_t unit = int64_t{1} << Draw(4);
    auto gap = [&] { return unit * static_cast<int64_t>(Draw(3)); };
    auto padded = [&](int64_t length) { return (length + unit - 1) / unit * unit + gap(); };
    View view{{g, h, rows, columns}, {0, 0, 0, 1}};
    switch (Draw(3)) {
      case 0:  // Heads between rows and columns.
        view.strides[1] = padded(columns);
        view.strides[2] = padded(h * view.strides[1]);
        view.strides[0] = padded(rows * view.strides[2]);
        break;
      case 1:
        view.strides[2] = padded(columns);
        view.strides[1] = padded(rows * view.strides[2]);
        view.strides[0] = padded(h * view.strides[1]);
        break;
      default:  // Matrices between rows.
        view.strides[1] = padded(columns);
        view.strides[0] = padded(h * view.strides[1]);
        view.strides[2] = padded(g * view.strides[0]);
    }
    if (!own && Draw(3) == 0) view.strides[Draw(2)] = 0;
    view.offset = gap();
    view.elements = view.offset + 1 + static_cast<int64_t>(Draw(3));
    for (size_t i = 0; i < 4; ++i) view.elements += (view.sizes[i] - 1) * view.strides[i];
    return view;
  }

  static OperandLayout LayoutOf(const View& view) {
    return {view.strides[2], {view.strides[0], view.strides[1]}, view.offset};
  }

  /// A random problem, but for its sizes, with g * h matrices, of the draw's type.
  MatmulProblem DrawProblem(uint64_t draw, int64_t g, int64_t h) {
    constexpr DataType kTypes[] = {DataType::kF32, DataType::kF16, DataType::kBf16};
    MatmulProblem problem;
    problem.dtype = kTypes[draw % 3];
    problem.batch = g * h;
    problem.transpose_a = Draw(2);
    problem.transpose_b = Draw(2);
    problem.epilogue = *ParseEpilogue("bias");
    return problem;
  }
  int64_t DrawExtent(int64_t largest) {
    auto extent = [&](int64_t largest) { return 1 + static_cast<int64_t>(Draw(largest)); };
    return Draw(2) ? 8 * extent(largest / 8) : extent(largest);
  }

  /// Compiles the matmul with a random layout and a random schedule of the family, and runs it. Returns whether it has
  /// that schedule and a layout.
  bool ExpectExact(const MatmulProblem& problem, int64_t g, int64_t h, std::string_view family) {
    DeviceInfo device = device_->info();
    device.kind = DeviceKind::kCuda;  // With more values of each parameter.
    auto matrix = [&](int64_t rows, int64_t columns, bool transposed, bool own) {
      return transposed ? DrawView(g, h, columns, rows, own) : DrawView(g, h, rows, columns, own);
    };
    const View a = matrix(problem.m, problem.k, problem.transpose_a, false);
    const View b = matrix(problem.k, problem.n, problem.transpose_b, false);
    const View c = matrix(problem.m, problem.n, false, true);
    const MatmulLayout layout{{g, h}, LayoutOf(a), LayoutOf(b), LayoutOf(c)};

    const auto space = SearchSpace::Create(problem, device, {*FindKernelFamily(family)});
    EXPECT_TRUE(space.ok()) << space.status();
    if (!space.ok()) return false;
    TuningSpecEntry entry;
    entry.problem = problem;
    entry.device = device_->info();
    entry.median_ns = 1000;
    int tries = 0;
    do entry.schedule = (*space)->Sample(search_rng_);
    while (!WhyLayoutUnsupported(problem, entry.schedule, device, layout).empty() && ++tries < 200);

    const std::string type(DataTypeName(problem.dtype));
    std::vector<std::pair<std::string, std::string>> words{{"MAP_A", problem.transpose_a ? "k, m" : "m, k"},
                                                           {"MAP_B", problem.transpose_b ? "n, k" : "k, n"},
                                                           {"DIMS_C", absl::StrJoin(c.sizes, "x")},
                                                           {"N_", absl::StrCat(problem.n)},
                                                           {"T_", type},
                                                           {"O_", type}};
    for (const auto& [name, view] : {std::pair{"A", &a}, {"B", &b}, {"C", &c}})
      words.insert(words.end(), {{absl::StrCat("OFFSET_", name), absl::StrCat(view->offset)},
                                 {absl::StrCat("SIZES_", name), absl::StrJoin(view->sizes, ", ")},
                                 {absl::StrCat("STRIDES_", name), absl::StrJoin(view->strides, ", ")},
                                 {absl::StrCat("SIZE_", name), absl::StrCat(view->elements)},
                                 {absl::StrCat("VIEW_", name), view->Type(type)}});
    if (problem.dtype == DataType::kF32)
      words.insert(words.end(), {{"%wide = arith.extf %v : O_ to f32", ""},
                                 {"%r = arith.truncf %s : f32 to O_", ""},
                                 {"%wide", "%v"},
                                 {"%r :", "%s :"}});
    SCOPED_TRACE(absl::StrCat(problem.Text(), " ", layout.Text(), " ", entry.schedule.Text()));
    LoadText(absl::StrReplaceAll(kMatmul, words), "matmul", {{entry}});
    ExpectEqualResults(0);
    EXPECT_EQ(Sources().size(), 1u);
    return !HasFailure() && Sources().begin()->first.find("lda=") != std::string::npos &&
           Sources().begin()->second == "nearest";
  }

  std::mt19937_64 rng_{TestSeed(23)};
  SearchRng search_rng_{TestSeed(29)};
};

// MMTUNE_TEST_COUNT is how many, MMTUNE_TEST_SEED the seed.
TEST_F(StridedMatmulsTest, RandomLayoutsAndSchedules) {
  uint64_t strided = 0;
  const uint64_t count = TestCount(6, 300);
  for (uint64_t draw = 0; draw < count && !HasFailure(); ++draw) {
    const auto g = static_cast<int64_t>(1 + Draw(2)), h = static_cast<int64_t>(1 + Draw(3));
    MatmulProblem problem = DrawProblem(draw, g, h);
    problem.m = DrawExtent(48), problem.n = DrawExtent(48), problem.k = DrawExtent(40);
    strided += ExpectExact(problem, g, h, problem.IsPlainF32() ? "fma" : "mma");
  }
  // Some are dense, or have one row or column.
  EXPECT_GE(2 * strided, count);
}

// A matrix times a vector, either of which, and the result, may have other elements between its own.
TEST_F(StridedMatmulsTest, RandomLayoutsOfOneRowOrColumn) {
  uint64_t strided = 0;
  const uint64_t count = TestCount(8, 400);
  for (uint64_t draw = 0; draw < count && !HasFailure(); ++draw) {
    const auto g = static_cast<int64_t>(1 + Draw(2)), h = static_cast<int64_t>(1 + Draw(3));
    MatmulProblem problem = DrawProblem(draw, g, h);
    (Draw(2) ? problem.m : problem.n) = DrawExtent(200);
    problem.k = DrawExtent(160);
    strided += ExpectExact(problem, g, h, "gemv");
  }
  EXPECT_GE(2 * strided, count);
}

TEST_F(LinalgExecutionTest, PartsOfWiderBuffers) {
  Load("strided.mlir");
  ExpectEqualResults(/*dynamic=*/0);
  EXPECT_EQ(
      Sources(),
      (Strings{
          {"33x17x20 lda=40 ldb=31 ldc=41 align=8,3,5", "default"},
          {"33x32x18 lda=40 ldb=64 ldc=32 align=0,32,0", "default"},
          {"20x16x24 lda=72 ldb=96 ldc=16 align=24,1,0", "default"},
          {"36x21x30 transpose_a transpose_b epilogue=bias,add lda=48 ldb=52 ldc=64 align=4,16,32", "default"},
          {"26x21x20", "default"},
          {"18x29x22 transpose_a", "default"},
          {"29x29x22 lda=40 ldb=29 ldc=29 align=4,0,0", "default"},
          {"19x19x16 batch=10 transpose_b lda=240 ldb=240 ldc=19 matrices=2x5 stride_a=4560,16 stride_b=4560,16 "
           "stride_c=1805,361 align=0,80,0",
           "default"},
          {"19x16x19 batch=10 lda=19 ldb=240 ldc=80 matrices=2x5 stride_a=1805,361 stride_b=4560,16 stride_c=1520,16 "
           "align=0,160,0",
           "default"},
          {"11x9x12 batch=4 epilogue=add lda=48 ldb=9 ldc=36 matrices=4 stride_a=12 stride_b=108 stride_c=9",
           "default"},
          {"9x14x24 batch=3 lda=24 ldb=14 ldc=14 matrices=3 stride_a=480 stride_b=0 stride_c=126 align=48,0,0",
           "default"},
          {"13x18x24 batch=3 lda=24 ldb=18 ldc=18 matrices=3 stride_a=0 stride_b=432 stride_c=234", "default"},
          {"20x22x24 transpose_a", "default"},
          {"34x18x21 f16 epilogue=relu lda=51 ldb=18 ldc=33 align=3,0,8", "default"},
          {"17x40x24 bf16 out=f32 batch=2 lda=48 ldb=40 ldc=80 matrices=2 stride_a=816 stride_b=960 stride_c=40 "
           "align=16,0,0",
           "default"},
          {"19x20x24 bf16 out=f32 lda=120 ldb=60 ldc=20 align=48,20,0", "default"},
      }));
  // A fill and a matmul that is mapped plainly; without elements, a fill alone.
  EXPECT_EQ(Launches(), (std::map<std::string, uint64_t>{{"slices", 1},
                                                         {"narrow_rows", 1},
                                                         {"third_rows", 1},
                                                         {"transposed_slices", 1},
                                                         {"addend_elsewhere", 2},
                                                         {"heads", 2},
                                                         {"added_heads", 1},
                                                         {"transposed_views", 2},
                                                         {"added_slice", 1},
                                                         {"shared_weight", 1},
                                                         {"turned_columns", 3},
                                                         {"shared_filter", 1},
                                                         {"batch_reduce", 1},
                                                         {"within_one_buffer", 2},
                                                         {"dynamic_strides", 2},
                                                         {"nothing", 1},
                                                         {"narrow", 2},
                                                         {"extended", 1}}));
}

// Heads of attention, as exporters write them, are neither copied before the matmuls nor behind them.
TEST_F(LinalgExecutionTest, HeadsAreReadAndStoredWhereTheyLie) {
  Load("heads.mlir");
  for (int64_t dynamic : {0, 3}) ExpectEqualResults(dynamic);
  // An iteration stores into the tensor that it reads, as a fill and a plain matmul.
  EXPECT_EQ(Launches(/*dynamic=*/3),
            (std::map<std::string, uint64_t>{
                {"attention", 4}, {"sequence_first", 2}, {"within_a_loop", 6}, {"unknown_batch", 2}}));
}

}  // namespace
}  // namespace mmtune
