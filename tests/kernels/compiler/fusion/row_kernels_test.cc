// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softmax and norms as one kernel: of rows of all lengths what plain loops on the CPU compute, and free of races.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "kernels/compiler/verify/function_verification.h"
#include "tests/kernels/compiler/model/model_values.h"
#include "tests/kernels/compiler/model/simt_model_test.h"

namespace mmtune {
namespace {

constexpr char kMaps[] = R"mlir(
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
#column = affine_map<(m, n) -> (n)>
)mlir";

/// T stands for the type of a matrix, R for that of a value for each row, C for that of one for each column.
constexpr char kSoftmax[] = R"mlir(
func.func @f(%x: T) -> T {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(SIZES) : T
  %er = tensor.empty(SIZE) : R
  %f = linalg.fill ins(%low : f32) outs(%er : R) -> R
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : T) outs(%f : R) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> R
  %exp = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %max : T, R) outs(%e : T) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> T
  %z = linalg.fill ins(%zero : f32) outs(%er : R) -> R
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%exp : T) outs(%z : R) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> R
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%exp, %sum : T, R) outs(%e : T) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.divf %in, %s : f32
    linalg.yield %r : f32
  } -> T
  return %y : T
}
)mlir";

/// The row's mean is a result, too.
constexpr char kNorm[] = R"mlir(
func.func @f(%x: T, %weight: C) -> (T, R) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %eps = arith.constant 1.0e-3 : f32
  %e = tensor.empty(SIZES) : T
  %er = tensor.empty(SIZE) : R
  %z = linalg.fill ins(%zero : f32) outs(%er : R) -> R
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : T) outs(%z : R) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> R
  %mean = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]} ins(%sum : R) outs(%er : R) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %scale : f32
    linalg.yield %r : f32
  } -> R
  %squares = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %mean : T, R) outs(%z : R) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %in, %m : f32
    %s = arith.mulf %d, %d : f32
    %r = arith.addf %out, %s : f32
    linalg.yield %r : f32
  } -> R
  %y = linalg.generic {indexing_maps = [#id, #row, #row, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %mean, %squares, %weight : T, R, R, C) outs(%e : T) {
  ^bb0(%in: f32, %m: f32, %s: f32, %w: f32, %out: f32):
    %v = arith.addf %s, %eps : f32
    %i = math.rsqrt %v : f32
    %d = arith.subf %in, %m : f32
    %n = arith.mulf %d, %i : f32
    %r = arith.mulf %n, %w : f32
    linalg.yield %r : f32
  } -> T
  return %y, %mean : T, R
}
)mlir";

/// Along columns: the largest element, the sum of the others, and an operation on both.
constexpr char kAcross[] = R"mlir(
func.func @f(%x: T) -> C {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(WIDTH) : C
  %f = linalg.fill ins(%low : f32) outs(%e : C) -> C
  %max = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : T) outs(%f : C) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> C
  %z = linalg.fill ins(%zero : f32) outs(%e : C) -> C
  %sum = linalg.generic {indexing_maps = [#id, #column, #column], iterator_types = ["reduction", "parallel"]} ins(%x, %max : T, C) outs(%z : C) {
  ^bb0(%in: f32, %m: f32, %out: f32):
    %d = arith.subf %m, %in : f32
    %r = arith.addf %out, %d : f32
    linalg.yield %r : f32
  } -> C
  %y = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]} ins(%max, %sum : C, C) outs(%e : C) {
  ^bb0(%m: f32, %s: f32, %out: f32):
    %r = arith.divf %s, %m : f32
    linalg.yield %r : f32
  } -> C
  return %y : C
}
)mlir";

/// Nothing but a sum, and the mean that is made of it.
constexpr char kMean[] = R"mlir(
func.func @f(%x: T) -> R {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.5 : f32
  %scale = arith.constant 0.125 : f32
  %e = tensor.empty(SIZE) : R
  %z = linalg.fill ins(%zero : f32) outs(%e : R) -> R
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : T) outs(%z : R) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> R
  %mean = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]} ins(%sum : R) outs(%e : R) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.mulf %in, %scale : f32
    linalg.yield %r : f32
  } -> R
  return RESULT : R
}
)mlir";

/// Nothing but the largest element of each column.
constexpr char kColumnMaximum[] = R"mlir(
func.func @f(%x: T) -> C {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty(WIDTH) : C
  %f = linalg.fill ins(%low : f32) outs(%e : C) -> C
  %max = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : T) outs(%f : C) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.maximumf %in, %out : f32
    linalg.yield %r : f32
  } -> C
  return %max : C
}
)mlir";

/// The largest element of each row and its place, both from one operation, as torch-mlir writes max and argmax.
constexpr char kPlace[] = R"mlir(
func.func @f(%x: T) -> (R, Q) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %e = tensor.empty(SIZE) : R
  %p = tensor.empty(SIZE) : Q
  %f = linalg.fill ins(%low : f32) outs(%e : R) -> R
  %g = linalg.fill ins(%none : i64) outs(%p : Q) -> Q
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : T) outs(%f, %g : R, Q) {
  ^bb0(%in: f32, %value: f32, %place: i64):
    %i = linalg.index 1 : index
    %at = arith.index_cast %i : index to i64
    %m = arith.maximumf %in, %value : f32
    %beyond = arith.cmpf ogt, %in, %value : f32
    %next = arith.select %beyond, %at, %place : i64
    linalg.yield %m, %next : f32, i64
  } -> (R, Q)
  return %r#0, %r#1 : R, Q
}
)mlir";

/// The sums of the elements and of their squares, from one operation.
constexpr char kMoments[] = R"mlir(
func.func @f(%x: T) -> (R, R) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(SIZE) : R
  %z = linalg.fill ins(%zero : f32) outs(%e : R) -> R
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : T) outs(%z, %z : R, R) {
  ^bb0(%in: f32, %sum: f32, %squares: f32):
    %s = arith.addf %in, %sum : f32
    %q = arith.mulf %in, %in : f32
    %t = arith.addf %squares, %q : f32
    linalg.yield %s, %t : f32, f32
  } -> (R, R)
  return %r#0, %r#1 : R, R
}
)mlir";

/// The mean and the squared deviations of each row, updated with each element (Welford's algorithm).
constexpr char kWelford[] = R"mlir(
func.func @f(%x: T) -> (R, R) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(SIZE) : R
  %z = linalg.fill ins(%zero : f32) outs(%e : R) -> R
  %r:3 = linalg.generic {indexing_maps = [#id, #row, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : T) outs(%z, %z, %z : R, R, R) {
  ^bb0(%in: f32, %mean: f32, %squares: f32, %count: f32):
    %n = arith.addf %count, %one : f32
    %d = arith.subf %in, %mean : f32
    %u = arith.divf %d, %n : f32
    %m = arith.addf %mean, %u : f32
    %away = arith.subf %in, %m : f32
    %product = arith.mulf %d, %away : f32
    %q = arith.addf %squares, %product : f32
    linalg.yield %m, %q, %n : f32, f32, f32
  } -> (R, R, R)
  return %r#0, %r#1 : R, R
}
)mlir";

/// Sums whose rows have an unknown length: of all elements of a matrix of unknown sizes, and of three rows.
constexpr char kSumOfAll[] = R"mlir(
func.func @f(%x: tensor<?x?xf32>) -> tensor<f32> {
  %zero = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#id, affine_map<(m, n) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}
)mlir";
constexpr char kSumsOfThree[] = R"mlir(
func.func @f(%x: tensor<3x?xf32>) -> tensor<3xf32> {
  %zero = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<3x?xf32>) outs(%z : tensor<3xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<3xf32>
  return %sum : tensor<3xf32>
}
)mlir";

struct Rows {
  int64_t rows, columns;
  bool is_dynamic = false;
};

std::string TextFor(const char* text, const Rows& rows) {
  auto type = [](const std::vector<std::string>& sizes) {
    std::string result = "tensor<";
    for (const std::string& size : sizes) absl::StrAppend(&result, size, "x");
    return absl::StrCat(result, "f32>");
  };
  const std::string m = rows.is_dynamic ? "?" : absl::StrCat(rows.rows);
  const std::string n = rows.is_dynamic ? "?" : absl::StrCat(rows.columns), matrix = type({m, n});
  std::string result = absl::StrReplaceAll(
      text, {{": T", ": " + matrix},
             {": R", ": " + type({m})},
             {": C", ": " + type({n})},
             {"-> T", "-> " + matrix},
             {"-> C", "-> " + type({n})},
             {": T, C", absl::StrCat(": ", matrix, ", ", type({n}))},
             {": C, C", absl::StrCat(": ", type({n}), ", ", type({n}))},
             {"(WIDTH)", rows.is_dynamic ? "(%width)" : "()"},
             {"-> R", "-> " + type({m})},
             {"-> (T, R)", absl::StrCat("-> (", matrix, ", ", type({m}), ")")},
             {": T, R, R, C", absl::StrCat(": ", matrix, ", ", type({m}), ", ", type({m}), ", ", type({n}))},
             {": R, R", absl::StrCat(": ", type({m}), ", ", type({m}))},
             {": R, R, R", absl::StrCat(": ", type({m}), ", ", type({m}), ", ", type({m}))},
             {"-> (R, R, R)", absl::StrCat("-> (", type({m}), ", ", type({m}), ", ", type({m}), ")")},
             {": R, Q", absl::StrCat(": ", type({m}), ", tensor<", m, "xi64>")},
             {": Q", absl::StrCat(": tensor<", m, "xi64>")},
             {"-> Q", absl::StrCat("-> tensor<", m, "xi64>")},
             {"-> (R, Q)", absl::StrCat("-> (", type({m}), ", tensor<", m, "xi64>)")},
             {"-> (R, R)", absl::StrCat("-> (", type({m}), ", ", type({m}), ")")},
             {": T, R", absl::StrCat(": ", matrix, ", ", type({m}))},
             {"(SIZES)", rows.is_dynamic ? "(%height, %width)" : "()"},
             {"(SIZE)", rows.is_dynamic ? "(%height)" : "()"}});
  const std::string sizes = absl::StrCat("  %height = tensor.dim %x, %c0 : ", matrix,
                                         "\n  %width = tensor.dim %x, %c1 : ", matrix, "\n  %e = ");
  if (rows.is_dynamic) result = absl::StrReplaceAll(result, {{"  %e = ", sizes}});
  return kMaps + result;
}

class RowKernelsTest : public SimtModelTest {
 protected:
  absl::StatusOr<CompiledModel> Compile(const std::string& text, bool reference = false) {
    auto sink = [this](std::string_view line) { diagnostics_ += line; };
    if (reference) return compiler_->CompileReference(text, "rows.mlir", /*sums_as_written=*/false, sink);
    return compiler_->Compile(text, "rows.mlir", options_, ModelStage::kObject, sink);
  }

  static std::vector<ModelValue> Arguments(const ModelFunction& function, const Rows& rows) {
    std::vector<ModelValue> arguments;
    for (const ModelType& type : function.arguments) {
      ModelValue& value = arguments.emplace_back(ModelValue{type, {rows.rows, rows.columns}, {}});
      if (type.shape.size() == 1) value.sizes = {rows.columns};
      value.data.resize(static_cast<size_t>(value.Elements()) * sizeof(float));
      for (int64_t i = 0; i < value.Elements(); ++i) {
        const float number = static_cast<float>((i * 37 + i / 11) % 23 - 11) / 4;
        std::memcpy(&value.data[static_cast<size_t>(i) * sizeof(float)], &number, sizeof(float));
      }
    }
    return arguments;
  }

  static std::vector<std::vector<double>> Run(const CompiledModel& model, std::vector<ModelValue> arguments) {
    const std::unique_ptr<ModelRunner> runner = *ModelRunner::Load(model);
    const std::vector<ModelValue> results = *runner->Run(model.functions[0], &arguments);
    std::vector<std::vector<double>> numbers;
    for (const ModelValue& value : results) {
      numbers.push_back(AsNumbers(value.type.element, value.data));
    }
    return numbers;
  }

  /// Checks values, launches and races.
  void Check(const char* text, const Rows& rows, int64_t launches) {
    SCOPED_TRACE(absl::StrCat(rows.rows, "x", rows.columns, rows.is_dynamic ? " dynamic" : ""));
    const std::string module = TextFor(text, rows);
    absl::StatusOr<CompiledModel> model = Compile(module), reference = Compile(module, /*reference=*/true);
    ASSERT_TRUE(model.ok() && reference.ok()) << diagnostics_ << module;
    const std::vector<ModelValue> arguments = Arguments(model->functions[0], rows);
    const MgpuCounters before = GetMgpuCounters();
    const auto actual = Run(*model, arguments), expected = Run(*reference, arguments);
    EXPECT_EQ(GetMgpuCounters().launches - before.launches, launches);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) {
      EXPECT_THAT(actual[i], testing::Pointwise(testing::DoubleNear(1e-4), expected[i]));
    }
    Verify(module, arguments);
  }

  /// The module with its kernels and their launches.
  std::string KernelsOf(const std::string& module) {
    absl::StatusOr<CompiledModel> model = compiler_->Compile(module, "rows.mlir", options_, ModelStage::kGpu,
                                                             [this](std::string_view line) { diagnostics_ += line; });
    EXPECT_TRUE(model.ok()) << model.status() << diagnostics_;
    return model.ok() ? model->output : std::string();
  }

  void Verify(const std::string& module, const std::vector<ModelValue>& arguments) {
    options_.target.race_detection = true;
    absl::StatusOr<CompiledModel> model = Compile(module);
    options_.shared_apart = true;
    absl::StatusOr<CompiledModel> apart = Compile(module);
    options_.target.race_detection = options_.shared_apart = false;
    ASSERT_TRUE(model.ok() && apart.ok()) << diagnostics_;
    auto verification =
        VerifyFunction(*model, *apart, model->functions[0], arguments, {.arch = "sm_80", .fuzzing_runs = 2});
    SetMgpuDevice(device_.get(), MgpuOptions{.poison_allocations = true});
    ASSERT_TRUE(verification.ok()) << verification.status();
    EXPECT_TRUE(verification->passed()) << FunctionVerificationText(*verification);
  }

  std::unique_ptr<ModelCompiler> compiler_ = *ModelCompiler::Create();
};

// A part of a warp to a row, a warp, a block; rows that do not fill the last block.
TEST_F(RowKernelsTest, SoftmaxOfAnyRows) {
  for (const Rows& rows : {Rows{1, 5}, Rows{33, 7}, Rows{5, 100}, Rows{3, 300}, Rows{1, 4096}})
    Check(kSoftmax, rows, 1);
}

TEST_F(RowKernelsTest, NormOfAnyRows) {
  for (const Rows& rows : {Rows{1, 8}, Rows{70, 3}, Rows{2, 129}}) Check(kNorm, rows, 1);
}

TEST_F(RowKernelsTest, SizesThatAreKnownWhenItRuns) {
  for (const Rows& rows : {Rows{3, 5, true}, Rows{1, 700, true}, Rows{300, 1, true}}) {
    Check(kSoftmax, rows, 1);
    Check(kNorm, rows, 1);
  }
}

// A thread to a column, as without fusion, and no more launches than one; but few long columns are split for each
// reduction.
TEST_F(RowKernelsTest, ReductionsOfColumns) {
  for (const Rows& rows : {Rows{7, 5}, Rows{3, 300}, Rows{40, 1000, true}, Rows{2, 1, true}}) Check(kAcross, rows, 1);
  Check(kAcross, {3001, 5}, 4);
}

// A second kernel where few rows are so long that one would leave most of a device idle. The last part is shorter.
TEST_F(RowKernelsTest, FewLongRowsAreReducedInParts) {
  const std::string sum = absl::StrReplaceAll(kMean, {{"RESULT", "%sum"}});
  const std::string mean = absl::StrReplaceAll(kMean, {{"RESULT", "%mean"}});
  for (const std::string& text : {sum, mean}) {
    for (const Rows& rows : {Rows{1, 100003}, Rows{3, 20000}}) Check(text.c_str(), rows, 2);
    for (const Rows& rows : {Rows{300, 130}, Rows{5, 64}, Rows{2, 3000, true}}) Check(text.c_str(), rows, 1);
  }
  for (const Rows& rows : {Rows{3001, 5}, Rows{64, 700}}) Check(kColumnMaximum, rows, 2);
  for (const Rows& rows : {Rows{31, 5}, Rows{70, 9, true}}) Check(kColumnMaximum, rows, 1);
}

// Rows of a known number, whose length is known when it runs: one block had each. Parts may be empty.
TEST_F(RowKernelsTest, LongRowsOfUnknownLengthAreReducedInParts) {
  for (const char* text : {kSumOfAll, kSumsOfThree}) {
    for (const Rows& rows : {Rows{3, 1}, Rows{3, 5}, Rows{3, 300}, Rows{3, 40001}}) Check(text, rows, 2);
  }
  const std::string columns =
      absl::StrReplaceAll(kSumsOfThree, {{"3x?", "?x7"},
                                         {"3x", "7x"},
                                         {"#row", "#column"},
                                         {R"("parallel", "reduction")", R"("reduction", "parallel")"}});
  for (const Rows& rows : {Rows{1, 7}, Rows{5000, 7}}) Check(columns.c_str(), rows, 2);
}

// Nothing to reduce: elementwise, as one kernel.
TEST_F(RowKernelsTest, OneColumn) { Check(kSoftmax, {9, 1}, 1); }

// The sum of zeros that are negative, from one that is negative, is negative; a NaN is the maximum.
TEST_F(RowKernelsTest, SignsOfZerosAndNaNStay) {
  const std::string text = TextFor(kSoftmax, {2, 3});
  const std::string sums =
      absl::StrReplaceAll(text, {{"%zero = arith.constant 0.0", "%zero = arith.constant -0.0"},
                                 {"%r = math.exp %d : f32", "%r = arith.mulf %d, %zero : f32"},
                                 {"%r = arith.divf %in, %s : f32", "%r = math.copysign %low, %s : f32"}});
  absl::StatusOr<CompiledModel> model = Compile(sums);
  ASSERT_TRUE(model.ok()) << diagnostics_;
  ModelValue x{model->functions[0].arguments[0], {2, 3}, std::vector<char>(6 * sizeof(float))};
  const float values[] = {1, 1, 1, 1, NAN, 1};  // (1 - 1) * -0 = -0
  std::memcpy(x.data.data(), values, sizeof(values));
  const std::vector<double> result = Run(*model, {x})[0];
  EXPECT_EQ(result[0], -INFINITY);

  model = Compile(text);
  ASSERT_TRUE(model.ok()) << diagnostics_;
  const std::vector<double> softmax = Run(*model, {x})[0];
  EXPECT_NEAR(softmax[2], 1.0 / 3, 1e-6);
  for (size_t i = 3; i < 6; ++i) EXPECT_TRUE(std::isnan(softmax[i])) << i;
}

// Equal elements are among them, so that the first one counts. A reduction with two results had one thread a row.
TEST_F(RowKernelsTest, PlacesAndMomentsOfAnyRows) {
  const std::string least = absl::StrReplaceAll(
      kPlace, {{"maximumf", "minimumf"}, {"cmpf ogt, %in, %value", "cmpf ogt, %value, %in"}, {"0xFF8", "0x7F8"}});
  for (const Rows& rows : {Rows{1, 5}, Rows{33, 7}, Rows{5, 100}, Rows{3, 300}, Rows{1, 4096}, Rows{3, 700, true}}) {
    for (const char* text : {kPlace, least.c_str(), kMoments}) Check(text, rows, 1);
  }
  for (const char* text : {kPlace, least.c_str(), kMoments}) {
    const std::string kernels = KernelsOf(TextFor(text, {5, 300}));
    EXPECT_THAT(kernels, testing::HasSubstr("gpu.launch_func"));
    EXPECT_THAT(kernels, testing::ContainsRegex("threads in \\(%c256"));
  }
}

/// The matrix of which the rows of `text` are columns.
std::string Across(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"#id, ", "affine_map<(m, n) -> (n, m)>, "}, {": T", ": tensor<4200x6xf32>"}});
}

// A mean that is updated with a count had one thread a row. Few long columns are reduced in parts.
TEST_F(RowKernelsTest, MeansThatAreUpdated) {
  for (const Rows& rows : {Rows{1, 5}, Rows{5, 100}, Rows{9, 64, true}}) Check(kWelford, rows, 1);
  const std::string columns = TextFor(Across(kWelford).c_str(), {6, 4200});
  absl::StatusOr<CompiledModel> model = Compile(columns), reference = Compile(columns, /*reference=*/true);
  ASSERT_TRUE(model.ok() && reference.ok()) << diagnostics_;
  const std::vector<ModelValue> arguments = Arguments(model->functions[0], {4200, 6});
  const auto actual = Run(*model, arguments), expected = Run(*reference, arguments);
  EXPECT_THAT(actual[0], testing::Pointwise(testing::DoubleNear(1e-4), expected[0]));
  EXPECT_THAT(actual[1], testing::Pointwise(testing::DoubleNear(0.02), expected[1]));  // Of about 12,000.
  EXPECT_THAT(KernelsOf(columns), testing::ContainsRegex("threads in \\(%c256"));
}

// In each form: a NaN is the maximum, but no place; it does not count; or it is what is searched for. The first of
// equal elements counts, or the last one.
TEST_F(RowKernelsTest, PlacesOfUnusualElements) {
  constexpr int64_t kRows = 6;
  const std::string last = absl::StrReplaceAll(kPlace, {{"ogt", "oge"}}),
                    number = absl::StrReplaceAll(kPlace, {{"maximumf", "maxnumf"}});
  const auto index_only = [](std::vector<std::pair<absl::string_view, absl::string_view>> more) {
    more.insert(more.end(), {{"-> (R, Q) {\n  %c0", "-> Q {\n  %c0"}, {"return %r#0, %r#1 : R, Q", "return %r#1 : Q"}});
    return absl::StrReplaceAll(kPlace, more);
  };
  const std::string choice = index_only({{"%m = arith.maximumf %in, %value : f32", ""},
                                         {"%next = ", "%m = arith.select %beyond, %in, %value : f32\n    %next = "}});
  const std::string pairs =
      index_only({{"%m = arith.maximumf %in, %value : f32", R"(%greater = arith.cmpf ogt, %value, %in : f32
    %nan = arith.cmpf une, %value, %value : f32
    %keep = arith.ori %greater, %nan : i1
    %equal = arith.cmpf oeq, %value, %in : f32
    %less = arith.cmpi slt, %place, %at : i64
    %tie = arith.andi %equal, %less : i1
    %m = arith.select %keep, %value, %in : f32)"},
                  {"%beyond = arith.cmpf ogt, %in, %value : f32", "%stay = arith.ori %keep, %tie : i1"},
                  {"select %beyond, %at, %place", "select %stay, %place, %at"}});
  using Places = std::vector<double>;
  const std::pair<std::string, Places> cases[] = {{kPlace, {7, 0, 0, 40, 298, 0}},
                                                  {last, {7, 0, 299, 41, 299, 0}},
                                                  {number, {201, 9, 0, 40, 298, 0}},
                                                  {choice, {201, 9, 0, 40, 298, 0}},
                                                  {pairs, {200, 0, 0, 40, 298, 0}}};
  for (const auto& [form, places] : cases) {
    for (const bool across : {false, true}) {
      SCOPED_TRACE(testing::Message() << form << across);
      const int64_t columns = across ? 4200 : 300;
      const std::string text = TextFor((across ? Across(form) : form).c_str(), {kRows, columns});
      absl::StatusOr<CompiledModel> model = Compile(text), reference = Compile(text, /*reference=*/true);
      ASSERT_TRUE(model.ok() && reference.ok()) << diagnostics_;
      std::vector<float> values(static_cast<size_t>(kRows * columns), -1.0F);
      const auto set = [&](int64_t row, int64_t at, float value) {
        values[static_cast<size_t>(across ? at * kRows + row : row * columns + at)] = value;
      };
      for (const auto& [row, at, value] : std::initializer_list<std::tuple<int, int, float>>{{0, 7, 2},
                                                                                             {0, 200, NAN},
                                                                                             {0, 201, 3},
                                                                                             {1, 0, NAN},
                                                                                             {1, 9, 5},
                                                                                             {3, 40, -0.0F},
                                                                                             {3, 41, 0.0F},
                                                                                             {4, 299, INFINITY},
                                                                                             {4, 298, INFINITY}}) {
        set(row, at, value);
      }
      for (int64_t at = 0; at < columns; ++at) set(2, at, -INFINITY), set(5, at, NAN);
      ModelValue x{
          model->functions[0].arguments[0], {kRows, columns}, std::vector<char>(values.size() * sizeof(float))};
      if (across) std::swap(x.sizes[0], x.sizes[1]);
      std::memcpy(x.data.data(), values.data(), x.data.size());
      const auto actual = Run(*model, {x}), expected = Run(*reference, {x});
      Places found = places;
      if (across && form == last) found[2] = static_cast<double>(columns - 1);
      EXPECT_EQ(actual.back(), found);
      EXPECT_EQ(actual.back(), expected.back());
      EXPECT_THAT(actual[0], testing::Pointwise(testing::NanSensitiveDoubleEq(), expected[0]));
      const std::string kernels = KernelsOf(text);
      EXPECT_THAT(kernels, testing::ContainsRegex("threads in \\(%c256")) << "one thread a row";
    }
  }
}

// Each operation in a kernel of its own gives the same.
TEST_F(RowKernelsTest, WithoutFusionThereAreMoreLaunches) {
  options_.fuse = false;
  Check(kSoftmax, {5, 12}, 4);
}

}  // namespace
}  // namespace mmtune
