// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The problems of a model, and how often it computes each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/compiler/model/model_runner.h"
#include "tests/kernels/compiler/model/simt_model_test.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// A layer that is not inlined, called twice by each iteration of a loop, and a matmul behind the loop.
constexpr char kLoop[] = R"mlir(
func.func private @layer(%x: tensor<32x32xf32>, %w: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {no_inline} {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<32x32xf32>, tensor<32x32xf32>)
                     outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}
func.func @main(%n: index, %x: tensor<32x32xf32>, %w: tensor<32x32xf32>, %v: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0.0 : f32
  %h = scf.for %i = %c0 to END step %c1 iter_args(%s = %x) -> tensor<32x32xf32> {
    %t = func.call @layer(%s, %w) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %u = func.call @layer(%t, %w) : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    scf.yield %u : tensor<32x32xf32>
  }
  %empty = tensor.empty() : tensor<32x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x64xf32>) -> tensor<32x64xf32>
  %y = linalg.matmul ins(%h, %v : tensor<32x32xf32>, tensor<32x64xf32>)
                     outs(%init : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}
)mlir";

/// A matmul whose rows are known at run time only.
constexpr char kRowsAtRunTime[] = R"mlir(
func.func @main(%x: tensor<?x32xf32>, %w: tensor<32x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x32xf32>
  %empty = tensor.empty(%m) : tensor<?x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x32xf32>, tensor<32x64xf32>)
                     outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
)mlir";

class MatmulCountsTest : public SimtModelTest {
 protected:
  ModelMatmuls MatmulsOf(const std::string& text) {
    const std::unique_ptr<ModelCompiler> compiler = *ModelCompiler::Create();
    const auto model = compiler->Compile(text, "model.mlir", options_, ModelStage::kGpu, [](std::string_view) {});
    EXPECT_TRUE(model.ok()) << model.status();
    return model.ok() ? model->matmuls : ModelMatmuls();
  }

  /// Runs the first function of a model, and returns how often it computed each matmul. Every scalar argument is
  /// `number`, and so is every size that is known at run time only.
  std::vector<int64_t> CallsOfARun(const std::string& text, uint8_t number) {
    options_.count_matmuls = true;
    const std::unique_ptr<ModelCompiler> compiler = *ModelCompiler::Create();
    const auto model = compiler->Compile(text, "model.mlir", options_, ModelStage::kObject, [](std::string_view) {});
    EXPECT_TRUE(model.ok()) << model.status();
    if (!model.ok()) return {};
    const std::unique_ptr<ModelRunner> runner = *ModelRunner::Load(*model);
    std::vector<int64_t> before = GetMgpuMatmulCalls();
    std::vector<ModelValue> arguments;
    for (const ModelType& type : model->functions[0].arguments) {
      ModelValue& value = arguments.emplace_back();
      value.type = type;
      value.sizes = type.shape;
      std::replace(value.sizes.begin(), value.sizes.end(), int64_t{-1}, int64_t{number});
      value.data.resize(static_cast<size_t>(value.Elements() * *ModelElementBytes(type.element)));
      if (type.shape.empty()) value.data[0] = number;
    }
    const auto results = runner->Run(model->functions[0], &arguments);
    EXPECT_TRUE(results.ok()) << results.status();
    std::vector<int64_t> calls = GetMgpuMatmulCalls();
    before.resize(calls.size());
    calls.resize(model->matmuls.matmuls.size());
    for (size_t i = 0; i < calls.size(); ++i) calls[i] -= before[i];
    return calls;
  }
};

TEST_F(MatmulCountsTest, LoopsAndCallsMultiply) {
  const ModelMatmuls found = MatmulsOf(absl::StrReplaceAll(kLoop, {{"END", "%c12"}}));
  ASSERT_THAT(found.matmuls, SizeIs(2));
  EXPECT_EQ(found.matmuls[0].problem.Text(), "32x32x32");
  EXPECT_EQ(found.matmuls[0].calls, 24);
  EXPECT_EQ(found.matmuls[0].source, "default");
  EXPECT_EQ(found.matmuls[1].problem.Text(), "32x64x32");
  EXPECT_EQ(found.matmuls[1].calls, 1);
}

TEST_F(MatmulCountsTest, LoopWithUnknownBoundsMakesTheNumberUnknown) {
  const ModelMatmuls found = MatmulsOf(absl::StrReplaceAll(kLoop, {{"END", "%n"}}));
  ASSERT_THAT(found.matmuls, SizeIs(2));
  EXPECT_EQ(found.matmuls[0].calls, std::nullopt);
  EXPECT_EQ(found.matmuls[1].calls, 1);
}

TEST_F(MatmulCountsTest, RunCountsTheMatmulsOfALoopWithUnknownBounds) {
  EXPECT_THAT(CallsOfARun(absl::StrReplaceAll(kLoop, {{"END", "%n"}}), 5), ElementsAre(10, 1));
}

TEST_F(MatmulCountsTest, ModelWithoutMatmulHasNone) {
  EXPECT_THAT(MatmulsOf("func.func @main(%x: tensor<32xf32>) -> tensor<32xf32> { return %x : tensor<32xf32> }").matmuls,
              IsEmpty());
}

TEST_F(MatmulCountsTest, RowsAtRunTimeAreAProductWithAStep) {
  const ModelMatmuls found = MatmulsOf(kRowsAtRunTime);
  ASSERT_THAT(found.matmuls, SizeIs(1));
  EXPECT_EQ(found.matmuls[0].rows_step, 1);
  EXPECT_THAT(found.dynamic, IsEmpty()) << "only its rows are known at run time";
}

TEST_F(MatmulCountsTest, TwoLinesWithTheSameScheduleAreOneMatmul) {
  const auto add_line = [this](int64_t from, int64_t to, std::string_view changes) {
    TuningSpecEntry entry;
    entry.problem = TestProblem(absl::StrCat(to, "x64x32"));
    entry.device = options_.target.device;
    entry.schedule = ReferenceSchedule(changes);
    entry.median_ns = 1000;
    entry.rows = RowRange{from, to};
    options_.spec.entries.push_back(entry);
  };
  add_line(1, 4, "");
  add_line(5, 8, "bk=8 unroll_k=8");
  add_line(9, 16, "");
  const ModelMatmuls found = MatmulsOf(kRowsAtRunTime);
  ASSERT_THAT(found.matmuls, SizeIs(1));
  EXPECT_EQ(found.matmuls[0].calls, 1);
  EXPECT_EQ(found.matmuls[0].schedule, ReferenceSchedule());
  for (const uint8_t rows : {3, 7, 12}) EXPECT_THAT(CallsOfARun(kRowsAtRunTime, rows), ElementsAre(1)) << rows;
}

TEST_F(MatmulCountsTest, BatchAtRunTimeIsOneMatmulWithTheLargestStep) {
  constexpr char kBatch[] = R"mlir(
func.func @NAME(%x: tensor<TYPEx8x16xf32>, %w: tensor<TYPEx16x24xf32>) -> tensor<TYPEx8x24xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<TYPEx8x16xf32>
  %empty = tensor.empty(%n) : tensor<TYPEx8x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<TYPEx8x24xf32>) -> tensor<TYPEx8x24xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(DIMS, i, j, k) -> (DIMS, i, k)>,
                                        affine_map<(DIMS, i, j, k) -> (DIMS, k, j)>,
                                        affine_map<(DIMS, i, j, k) -> (DIMS, i, j)>],
                       iterator_types = [KINDS, "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<TYPEx8x16xf32>, tensor<TYPEx16x24xf32>) outs(%init : tensor<TYPEx8x24xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      linalg.yield %s : f32
  } -> tensor<TYPEx8x24xf32>
  return %y : tensor<TYPEx8x24xf32>
}
)mlir";
  const ModelMatmuls found = MatmulsOf(absl::StrCat(
      absl::StrReplaceAll(kBatch, {{"NAME", "one"}, {"TYPE", "?"}, {"DIMS", "b"}, {"KINDS", R"("parallel")"}}),
      absl::StrReplaceAll(
          kBatch, {{"NAME", "two"}, {"TYPE", "?x12"}, {"DIMS", "b, h"}, {"KINDS", R"("parallel", "parallel")"}})));
  ASSERT_THAT(found.matmuls, SizeIs(1));
  EXPECT_EQ(found.matmuls[0].Text(), "8x24x16 batch=?");
  EXPECT_EQ(found.matmuls[0].batch_step, 12);
  EXPECT_EQ(found.matmuls[0].calls, 2);
  EXPECT_THAT(found.dynamic, IsEmpty());
}

}  // namespace
}  // namespace mmtune
