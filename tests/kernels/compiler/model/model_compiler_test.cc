// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/compiler/model/model_compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "kernels/compiler/model/model_runner.h"
#include "tests/kernels/compiler/model/simt_model_test.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class ModelCompilerTest : public SimtModelTest {
 protected:
  absl::StatusOr<CompiledModel> Compile(std::string_view text, ModelStage stage) {
    diagnostics_.clear();
    return compiler_->Compile(text, "model.mlir", options_, stage,
                              [this](std::string_view line) { diagnostics_ += line; });
  }

  std::unique_ptr<ModelCompiler> compiler_ = *ModelCompiler::Create();
};

ModelValue Floats(const ModelType& type, std::vector<int64_t> sizes, const std::vector<float>& values) {
  ModelValue value{type, std::move(sizes), std::vector<char>(values.size() * sizeof(float))};
  std::memcpy(value.data.data(), values.data(), value.data.size());
  return value;
}

std::vector<float> AsFloats(const ModelValue& value) {
  std::vector<float> floats(value.data.size() / sizeof(float));
  std::memcpy(floats.data(), value.data.data(), value.data.size());
  return floats;
}

constexpr char kDouble[] = R"mlir(
func.func @twice(%x: tensor<?xf32>, %factor: f32) -> (tensor<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%x : tensor<?xf32>) outs(%empty : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.mulf %in, %factor : f32
    linalg.yield %p : f32
  } -> tensor<?xf32>
  return %y, %factor : tensor<?xf32>, f32
}
)mlir";

// `--check` compares whatever else a run changes.
TEST_F(ModelCompilerTest, ATensorIsWritableWhereItsAuthorSaysSo) {
  std::vector<bool> writable;
  options_.check_functions = [&writable](const std::vector<ModelFunction>& functions) {
    for (const ModelType& type : functions[0].arguments) writable.push_back(type.is_writable_tensor);
    return absl::OkStatus();
  };
  ASSERT_TRUE(Compile("func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32> {bufferization.writable = false}, "
                      "%c: tensor<4xf32> {bufferization.writable = true}, %d: memref<4xf32>) { return }",
                      ModelStage::kGpu)
                  .ok())
      << diagnostics_;
  EXPECT_THAT(writable, testing::ElementsAre(false, false, true, false));
}

TEST_F(ModelCompilerTest, RunsAFunctionOfTensorsAndScalars) {
  absl::StatusOr<CompiledModel> model = Compile(kDouble, ModelStage::kObject);
  ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
  ASSERT_THAT(model->functions, SizeIs(1));
  const ModelFunction& twice = model->functions[0];
  EXPECT_EQ(twice.name, "twice");
  ASSERT_THAT(twice.arguments, SizeIs(2));
  EXPECT_EQ(twice.arguments[0].text, "memref<?xf32>");
  ASSERT_THAT(twice.results, SizeIs(2));

  const MgpuCounters before = GetMgpuCounters();
  {
    absl::StatusOr<std::unique_ptr<ModelRunner>> runner = ModelRunner::Load(*model);
    ASSERT_TRUE(runner.ok()) << runner.status();
    std::vector<ModelValue> arguments = {Floats(twice.arguments[0], {3}, {1, 2, 3}),
                                         Floats(twice.arguments[1], {}, {2.5f})};
    absl::StatusOr<std::vector<ModelValue>> results = (*runner)->Run(twice, &arguments);
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ((*results)[0].sizes, std::vector<int64_t>{3});
    EXPECT_EQ(AsFloats((*results)[0]), (std::vector<float>{2.5f, 5, 7.5f}));
    EXPECT_EQ(AsFloats((*results)[1]), std::vector<float>{2.5f});
  }
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_GT(after.launches, before.launches);
  EXPECT_EQ(after.allocations - before.allocations, after.frees - before.frees);
  EXPECT_EQ(after.streams_created - before.streams_created, after.streams_destroyed - before.streams_destroyed);
  EXPECT_EQ(after.events_created - before.events_created, after.events_destroyed - before.events_destroyed);
  EXPECT_EQ(after.modules_loaded - before.modules_loaded, after.modules_unloaded - before.modules_unloaded);
}

TEST_F(ModelCompilerTest, GivesTheSameOnTheCpuAlone) {
  absl::StatusOr<CompiledModel> reference = compiler_->CompileReference(
      kDouble, "model.mlir", /*sums_as_written=*/false, [this](std::string_view line) { diagnostics_ += line; });
  ASSERT_TRUE(reference.ok()) << reference.status() << diagnostics_;
  const MgpuCounters before = GetMgpuCounters();
  auto runner = *ModelRunner::Load(*reference);
  const ModelFunction& twice = reference->functions[0];
  std::vector<ModelValue> arguments = {Floats(twice.arguments[0], {2}, {-1, 4}), Floats(twice.arguments[1], {}, {3})};
  absl::StatusOr<std::vector<ModelValue>> results = runner->Run(twice, &arguments);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(AsFloats((*results)[0]), (std::vector<float>{-3, 12}));
  EXPECT_EQ(GetMgpuCounters().launches, before.launches);
}

TEST_F(ModelCompilerTest, RefusesValuesThatDoNotFit) {
  absl::StatusOr<CompiledModel> model = Compile(kDouble, ModelStage::kObject);
  ASSERT_TRUE(model.ok());
  auto runner = *ModelRunner::Load(*model);
  const ModelFunction& twice = model->functions[0];
  std::vector<ModelValue> none;
  EXPECT_THAT(runner->Run(twice, &none).status().message(), HasSubstr("takes 2 arguments, not 0"));
  std::vector<ModelValue> matrix = {Floats(twice.arguments[0], {1, 1}, {1}), Floats(twice.arguments[1], {}, {1})};
  EXPECT_THAT(runner->Run(twice, &matrix).status().message(), HasSubstr("argument 0 of @twice: a value of rank 2"));
  std::vector<ModelValue> shorter = {Floats(twice.arguments[0], {4}, {1}), Floats(twice.arguments[1], {}, {1})};
  EXPECT_THAT(runner->Run(twice, &shorter).status().message(), HasSubstr("4 bytes were given for 4 elements"));
}

TEST_F(ModelCompilerTest, StopsAtEachStage) {
  const std::pair<ModelStage, const char*> stages[] = {{ModelStage::kGpu, "gpu.launch_func"},
                                                       {ModelStage::kBinary, "gpu.binary"},
                                                       {ModelStage::kLlvm, "llvm.func @_mlir_packed_twice"},
                                                       {ModelStage::kLlvmIr, "define void @_mlir_ciface_twice"},
                                                       {ModelStage::kObject, "\177ELF"}};
  for (const auto& [stage, text] : stages) {
    absl::StatusOr<CompiledModel> model = Compile(kDouble, stage);
    ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
    EXPECT_THAT(model->output, HasSubstr(text));
    EXPECT_EQ(model->kernels.empty(), stage == ModelStage::kGpu);
  }
}

TEST_F(ModelCompilerTest, LocatesWhatIsWrongInTheText) {
  absl::StatusOr<CompiledModel> model = Compile("func.func @f() {\n  return %x : f32\n}\n", ModelStage::kObject);
  EXPECT_FALSE(model.ok());
  EXPECT_THAT(diagnostics_, HasSubstr("model.mlir:2:10: error: "));
  EXPECT_THAT(diagnostics_, HasSubstr("  return %x : f32"));
  // An operation without text is located at the one that implies it.
  options_.target.device = *ArchitectureLimits("sm_90");
  options_.target.device.kind = DeviceKind::kCuda;
  model = Compile(
      "func.func @f(%x: tensor<64xf80>) -> tensor<64xf80> {\n"
      "  %r = linalg.exp ins(%x : tensor<64xf80>) outs(%x : tensor<64xf80>) -> tensor<64xf80>\n"
      "  return %r : tensor<64xf80>\n}\n",
      ModelStage::kBinary);
  EXPECT_FALSE(model.ok());
  EXPECT_THAT(diagnostics_, HasSubstr("model.mlir:2:8: error: device code cannot have elements of type 'f80'"));
}

TEST_F(ModelCompilerTest, NamesNoOptionOfOtherTools) {
  EXPECT_FALSE(Compile("func.func @f() {\n  \"other.op\"() : () -> ()\n  return\n}\n", ModelStage::kObject).ok());
  EXPECT_THAT(diagnostics_, HasSubstr("model.mlir:2:13: error: an operation of a dialect that is not known here"));
}

TEST_F(ModelCompilerTest, HasNoReferenceForDeviceCode) {
  absl::StatusOr<CompiledModel> reference = compiler_->CompileReference(
      "func.func @f() {\n  gpu.wait\n  return\n}\n", "model.mlir", /*sums_as_written=*/false, [](std::string_view) {});
  EXPECT_THAT(reference.status().message(), HasSubstr("cannot compute a reference on the CPU"));
}

}  // namespace
}  // namespace mmtune
