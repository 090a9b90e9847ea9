// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations whose operands' sizes are known at run time only compute what loops do where the sizes fit, and are an
// error that names them where they do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/kernels/compiler/model/model_values.h"
#include "tests/kernels/compiler/model/simt_model_test.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

/// The sizes of each argument; of a scalar its value.
using Sizes = std::vector<std::vector<int64_t>>;

struct Case {
  const char* operation;  ///< The operation that the error names.
  const char* text;       ///< The function @f.
  std::vector<Sizes> fitting, others;
};

std::ostream& operator<<(std::ostream& out, const Case& tested) { return out << tested.text; }

class RunTimeSizesTest : public SimtModelTest, public testing::WithParamInterface<Case> {
 protected:
  absl::StatusOr<CompiledModel> Compile(bool reference) {
    auto sink = [this](std::string_view line) { diagnostics_ += line; };
    if (reference) return compiler_->CompileReference(GetParam().text, "m.mlir", /*sums_as_written=*/false, sink);
    return compiler_->Compile(GetParam().text, "m.mlir", options_, ModelStage::kObject, sink);
  }

  static std::vector<ModelValue> Arguments(const ModelFunction& function, const Sizes& sizes) {
    std::vector<ModelValue> arguments;
    for (size_t i = 0; i < sizes.size(); ++i) {
      const ModelType& type = function.arguments[i];
      ModelValue& value = arguments.emplace_back(ModelValue{type, {}, {}});
      if (type.kind == ModelType::Kind::kMemref) {
        value.sizes = sizes[i];
        value.data = SmallNumbers(type.element, value.Elements(), /*iota=*/true);
      } else {
        value.data.resize(sizeof(int64_t));
        std::memcpy(value.data.data(), sizes[i].data(), sizeof(int64_t));
      }
    }
    return arguments;
  }

  /// Results, then arguments as they are afterwards.
  static absl::StatusOr<std::vector<std::vector<double>>> Run(const CompiledModel& model, const Sizes& sizes) {
    auto runner = ModelRunner::Load(model);
    if (!runner.ok()) return runner.status();
    std::vector<ModelValue> arguments = Arguments(model.functions[0], sizes);
    auto results = (*runner)->Run(model.functions[0], &arguments);
    if (!results.ok()) return results.status();
    std::vector<std::vector<double>> numbers;
    for (const auto& values : {*results, arguments}) {
      for (const ModelValue& value : values) numbers.push_back(AsNumbers(value.type.element, value.data));
    }
    return numbers;
  }

  std::unique_ptr<ModelCompiler> compiler_ = *ModelCompiler::Create();
};

TEST_P(RunTimeSizesTest, AreAssertedWhereTheyAreTakenForGranted) {
  absl::StatusOr<CompiledModel> model = Compile(/*reference=*/false);
  ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
  const bool has_reference = std::string(GetParam().text).find("gpu.") == std::string::npos;
  absl::StatusOr<CompiledModel> reference = has_reference ? Compile(/*reference=*/true) : model;
  ASSERT_TRUE(reference.ok()) << reference.status() << diagnostics_;
  for (const Sizes& sizes : GetParam().fitting) {
    SCOPED_TRACE(testing::PrintToString(sizes));
    auto actual = Run(*model, sizes), expected = Run(*reference, sizes);
    ASSERT_TRUE(actual.ok()) << actual.status();
    ASSERT_TRUE(expected.ok()) << expected.status();
    for (size_t i = 0; i < actual->size(); ++i) {
      EXPECT_THAT((*actual)[i], testing::Pointwise(testing::DoubleNear(1e-4), (*expected)[i]));
    }
  }
  for (const Sizes& sizes : GetParam().others) {
    SCOPED_TRACE(testing::PrintToString(sizes));
    EXPECT_THAT(
        std::string(Run(*model, sizes).status().message()),
        HasSubstr(std::string("an assertion failed: ") + GetParam().operation + ": sizes at run time do not fit"));
  }
}

// The sizes of results are those of an argument, as exporters write them.
const Case kOnTensors[] = {
    {"linalg.add",
     R"(
func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
})",
     {{{5}, {5}}, {{0}, {0}}, {{1}, {1}}},
     {{{5}, {1}}, {{1}, {5}}, {{5}, {4}}, {{5}, {100'000}}, {{0}, {1}}}},
    {"arith.addf",
     R"(
func.func @f(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = arith.addf %a, %b : tensor<?x3xf32>
  return %r : tensor<?x3xf32>
})",
     {{{4, 3}, {4, 3}}},
     {{{4, 3}, {3, 3}}, {{4, 3}, {5, 3}}}},
    {"linalg.generic",
     R"(
#id = affine_map<(i, j, k) -> (i, j, k)>
func.func @f(%a: tensor<?x?x4xf32>) -> tensor<?x1x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x?x4xf32>
  %e = tensor.empty(%n) : tensor<?x1x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a : tensor<?x?x4xf32>) outs(%e : tensor<?x1x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<?x1x4xf32>
  return %r : tensor<?x1x4xf32>
})",
     {{{2, 1, 4}}},
     {{{2, 4096, 4}}, {{2, 0, 4}}}},
    {"linalg.matmul",
     R"(
func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %b, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
})",
     {{{3, 4}, {4, 5}}, {{3, 0}, {0, 5}}},
     {{{3, 4}, {3, 5}}, {{3, 4}, {1, 5}}, {{3, 4}, {5, 5}}, {{3, 1}, {4, 5}}}},
    // One dynamic size against a static one, where a tuned kernel does the work.
    {"linalg.matmul",
     R"(
func.func @f(%a: tensor<?x?xf32>, %b: tensor<32x16xf32>) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<32x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
})",
     {{{3, 32}, {32, 16}}},
     {{{3, 31}, {32, 16}}, {{3, 1}, {32, 16}}, {{3, 33}, {32, 16}}}},
    {"linalg.batch_matmul",
     R"(
func.func @f(%a: tensor<?x3x4xf32>, %b: tensor<?x4x5xf32>, %c: tensor<?x3x5xf32>) -> tensor<?x3x5xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<?x3x4xf32>, tensor<?x4x5xf32>) outs(%c : tensor<?x3x5xf32>)
      -> tensor<?x3x5xf32>
  return %r : tensor<?x3x5xf32>
})",
     {{{2, 3, 4}, {2, 4, 5}, {2, 3, 5}}},
     {{{2, 3, 4}, {1, 4, 5}, {2, 3, 5}}, {{1, 3, 4}, {2, 4, 5}, {2, 3, 5}}, {{2, 3, 4}, {2, 4, 5}, {3, 3, 5}}}},
    {"linalg.conv_2d_nhwc_hwcf",
     R"(
func.func @f(%x: tensor<1x?x?x?xf32>, %w: tensor<3x3x?x4xf32>, %y: tensor<1x?x?x4xf32>) -> tensor<1x?x?x4xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x?x?x?xf32>, tensor<3x3x?x4xf32>) outs(%y : tensor<1x?x?x4xf32>) -> tensor<1x?x?x4xf32>
  return %r : tensor<1x?x?x4xf32>
})",
     {{{1, 7, 9, 2}, {3, 3, 2, 4}, {1, 3, 4, 4}},
      {{1, 8, 9, 2}, {3, 3, 2, 4}, {1, 3, 4, 4}},   // A row that no filter meets.
      {{1, 1, 1, 2}, {3, 3, 2, 4}, {1, 0, 0, 4}}},  // Nothing is read.
     {{{1, 6, 9, 2}, {3, 3, 2, 4}, {1, 3, 4, 4}},
      {{1, 7, 8, 2}, {3, 3, 2, 4}, {1, 3, 4, 4}},
      {{1, 7, 9, 2}, {3, 3, 1, 4}, {1, 3, 4, 4}},
      {{1, 7, 9, 1}, {3, 3, 2, 4}, {1, 3, 4, 4}}}},
    {"linalg.pooling_nhwc_max",
     R"(
func.func @f(%x: tensor<1x?x6x2xf32>, %w: tensor<?x3xf32>, %y: tensor<1x?x4x2xf32>) -> tensor<1x?x4x2xf32> {
  %r = linalg.pooling_nhwc_max {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x?x6x2xf32>, tensor<?x3xf32>) outs(%y : tensor<1x?x4x2xf32>) -> tensor<1x?x4x2xf32>
  return %r : tensor<1x?x4x2xf32>
})",
     {{{1, 6, 6, 2}, {2, 3}, {1, 5, 4, 2}}},
     {{{1, 6, 6, 2}, {3, 3}, {1, 5, 4, 2}}, {{1, 6, 6, 2}, {2, 3}, {1, 6, 4, 2}}}},
    {"linalg.broadcast",
     R"(
func.func @f(%a: tensor<?xf32>, %e: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %r = linalg.broadcast ins(%a : tensor<?xf32>) outs(%e : tensor<?x3xf32>) dimensions = [1]
  return %r : tensor<?x3xf32>
})",
     {{{4}, {4, 3}}},
     {{{1}, {4, 3}}, {{3}, {4, 3}}, {{5}, {4, 3}}}},
    {"linalg.transpose",
     R"(
func.func @f(%a: tensor<?x?xf32>, %e: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = linalg.transpose ins(%a : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) permutation = [1, 0]
  return %r : tensor<?x?xf32>
})",
     {{{2, 5}, {5, 2}}},
     {{{2, 5}, {2, 5}}, {{2, 5}, {5, 3}}}},
    {"linalg.reduce",
     R"(
func.func @f(%a: tensor<?x?xf32>, %e: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.reduce {arith.addf} ins(%a : tensor<?x?xf32>) outs(%e : tensor<?xf32>) dimensions = [1]
  return %r : tensor<?xf32>
})",
     {{{3, 40}, {3}}, {{3, 0}, {3}}},
     {{{3, 40}, {4}}, {{3, 40}, {2}}}},
    {"linalg.softmax",
     R"(
func.func @f(%a: tensor<?x8xf32>, %e: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = linalg.softmax dimension(1) ins(%a : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
})",
     {{{3, 8}, {3, 8}}},
     {{{3, 8}, {2, 8}}, {{2, 8}, {3, 8}}}},
    {"tensor.expand_shape",
     R"(
func.func @f(%a: tensor<?xf32>, %p: index, %q: index) -> tensor<?x?xf32> {
  %r = tensor.expand_shape %a [[0, 1]] output_shape [%p, %q] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
})",
     {{{12}, {3}, {4}}, {{12}, {12}, {1}}, {{0}, {0}, {5}}},
     {{{12}, {4}, {4}}, {{12}, {3}, {3}}, {{12}, {30'000}, {30'000}}, {{0}, {1}, {1}}}},
    {"tensor.insert_slice",
     R"(
func.func @f(%a: tensor<?xf32>, %into: tensor<?xf32>, %at: index, %n: index) -> tensor<?xf32> {
  %r = tensor.insert_slice %a into %into[%at] [%n] [2] : tensor<?xf32> into tensor<?xf32>
  return %r : tensor<?xf32>
})",
     {{{3}, {8}, {2}, {3}}, {{0}, {8}, {8}, {0}}, {{4}, {8}, {1}, {4}}},
     {{{3}, {8}, {4}, {3}},
      {{3}, {8}, {1}, {4}},
      {{4}, {8}, {1}, {3}},
      {{3}, {8}, {-1}, {3}},
      {{3}, {8}, {100'000'000}, {3}},
      {{100'000}, {8}, {1}, {3}}}},
    {"tensor.extract_slice",
     R"(
func.func @f(%a: tensor<?x4xf32>, %at: index, %n: index) -> tensor<?xf32> {
  %r = tensor.extract_slice %a[%at, 1] [%n, 1] [1, 1] : tensor<?x4xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
})",
     {{{6, 4}, {2}, {4}}, {{6, 4}, {0}, {6}}, {{6, 4}, {6}, {0}}},
     {{{6, 4}, {3}, {4}}, {{6, 4}, {-1}, {3}}, {{6, 4}, {100'000'000}, {4}}, {{6, 4}, {0}, {100'000'000}}}},
};
INSTANTIATE_TEST_SUITE_P(OnTensors, RunTimeSizesTest, testing::ValuesIn(kOnTensors));

// Indices of any form, on memrefs.
const Case kOnMemrefs[] = {
    {"linalg.generic",
     R"(
func.func @f(%a: memref<?x?xf32>, %b: memref<?xf32>, %c: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<?x?xf32>, memref<?xf32>) outs(%c : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
})",
     {{{3, 2}, {3}, {2, 3}}},
     {{{2, 3}, {3}, {2, 3}}, {{3, 2}, {1}, {2, 3}}, {{3, 2}, {2}, {2, 3}}, {{3, 1}, {3}, {2, 3}}}},
    {"linalg.generic",
     R"(
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i * 2 + 1)>, affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
})",
     {{{10}, {3}, {5}}, {{100}, {30}, {5}}, {{0}, {0}, {0}}},
     {{{9}, {3}, {5}}, {{10}, {2}, {5}}, {{0}, {3}, {5}}}},
    {"linalg.generic",
     R"(
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 4)>, affine_map<(i) -> (-i + 6)>, affine_map<(i) -> (i)>],
                  iterator_types = ["parallel"]}
      ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
})",
     {{{4}, {7}, {7}}, {{3}, {7}, {3}}},
     {{{3}, {7}, {7}}, {{4}, {6}, {7}}, {{4}, {10}, {8}}}},
    {"linalg.matmul",
     R"(
func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
})",
     {{{3, 4}, {4, 5}, {3, 5}}},
     {{{3, 4}, {3, 5}, {3, 5}}, {{3, 4}, {4, 5}, {4, 5}}, {{3, 4}, {4, 5}, {3, 4}}, {{1, 4}, {4, 5}, {3, 5}}}},
    {"memref.copy",
     R"(
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  return
})",
     {{{4}, {4}}},
     {{{4}, {5}}, {{5}, {4}}}},
    {"memref.expand_shape",
     R"(
func.func @f(%a: memref<?xf32>, %p: index, %q: index) -> memref<?x?xf32> {
  %r = memref.expand_shape %a [[0, 1]] output_shape [%p, %q] : memref<?xf32> into memref<?x?xf32>
  return %r : memref<?x?xf32>
})",
     {{{12}, {3}, {4}}, {{0}, {0}, {4}}},
     {{{12}, {4}, {4}}, {{12}, {3}, {3}}}},
    {"memref.subview",
     R"(
func.func @f(%a: memref<?xf32>, %at: index, %b: memref<2xf32>) {
  %part = memref.subview %a[%at] [2] [1] : memref<?xf32> to memref<2xf32, strided<[1], offset: ?>>
  memref.copy %part, %b : memref<2xf32, strided<[1], offset: ?>> to memref<2xf32>
  return
})",
     {{{4}, {2}, {2}}},
     {{{4}, {3}, {2}}, {{4}, {-1}, {2}}}},
    {"memref.cast",
     R"(
func.func @f(%a: memref<?xf32>, %b: memref<4xf32>) {
  %whole = memref.cast %a : memref<?xf32> to memref<4xf32>
  memref.copy %whole, %b : memref<4xf32> to memref<4xf32>
  return
})",
     {{{4}, {4}}},
     {{{5}, {4}}, {{3}, {4}}}},
    {"gpu.memcpy",
     R"(
func.func @f(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %dev = gpu.alloc (%n) : memref<?xf32>
  gpu.memcpy %dev, %b : memref<?xf32>, memref<?xf32>
  gpu.memcpy %a, %dev : memref<?xf32>, memref<?xf32>
  gpu.dealloc %dev : memref<?xf32>
  return
})",
     {{{4}, {4}}},
     {{{4}, {5}}, {{5}, {4}}}},
};
INSTANTIATE_TEST_SUITE_P(OnMemrefs, RunTimeSizesTest, testing::ValuesIn(kOnMemrefs));

}  // namespace
}  // namespace mmtune
