// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random functions on tensors, compiled for the SIMT device and run, give what tensors are defined to give.
//
// MMTUNE_TEST_COUNT is how many, MMTUNE_TEST_SEED the first one's seed.
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/compiler/model/model_compiler.h"
#include "kernels/compiler/model/model_runner.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "tests/kernels/fuzz/random_source.h"
#include "tests/kernels/fuzz/tensor_program.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

template <typename T>
ModelValue Value(const ModelType& type, const T* data, size_t count) {
  ModelValue value{type, type.shape, std::vector<char>(count * sizeof(T))};
  std::memcpy(value.data.data(), data, value.data.size());
  return value;
}

class TensorFuzzTest : public testing::Test {
 protected:
  TensorFuzzTest() : device_(*CreateSimtDevice("sm_80")) {
    SetMgpuDevice(device_.get(), {.poison_allocations = true});
    options_.target.device = device_->info();
    options_.host_opt_level = 0;
    // Small kernels, so that compiling them does not take the time: no product is in the spec, all are near.
    TuningSpecEntry entry;
    entry.problem = *ParseMatmulShape("8x8x9", DataType::kF32);
    entry.device = device_->info();
    entry.schedule = *ParseSchedule("direct bx=32 by=1 tm=1 tn=1");
    entry.median_ns = 1;
    options_.spec.entries.push_back(entry);
  }
  ~TensorFuzzTest() override { SetMgpuDevice(nullptr); }

  static TensorInputs Inputs(RandomSource& random) {
    TensorInputs inputs;
    inputs.tensors.resize(kTensorArguments);
    for (TensorValue& tensor : inputs.tensors) {
      for (float& element : tensor) element = static_cast<float>(random.Below(5)) - 2;
    }
    for (bool& condition : inputs.conditions) condition = random.Percent(50);
    inputs.turns = static_cast<int64_t>(random.Below(4));
    return inputs;
  }

  static std::vector<ModelValue> Arguments(const ModelFunction& main, const TensorInputs& inputs) {
    std::vector<ModelValue> arguments;
    for (size_t i = 0; i < main.arguments.size(); ++i) {
      const ModelType& type = main.arguments[i];
      if (i < kTensorArguments) {
        arguments.push_back(Value(type, inputs.tensors[i].data(), inputs.tensors[i].size()));
      } else if (type.element == "i1") {
        arguments.push_back(Value(type, &inputs.conditions[i - kTensorArguments], 1));
      } else {
        arguments.push_back(Value(type, &inputs.turns, 1));
      }
    }
    return arguments;
  }

  /// Three calls, with other conditions and turns.
  void CompileAndRun(uint64_t seed) {
    const TensorProgram program = GenerateTensorProgram(seed);
    std::string diagnostics;
    absl::StatusOr<CompiledModel> model =
        compiler_->Compile(program.text, "program.mlir", options_, ModelStage::kObject,
                           [&](std::string_view line) { diagnostics += line; });
    ASSERT_TRUE(model.ok()) << model.status() << "\n" << diagnostics << program.text;
    absl::StatusOr<std::unique_ptr<ModelRunner>> runner = ModelRunner::Load(*model);
    ASSERT_TRUE(runner.ok()) << runner.status();
    ASSERT_EQ(model->functions.size(), 1u);
    RandomSource random(seed);
    for (int call = 0; call < 3; ++call) {
      const TensorInputs inputs = Inputs(random);
      const std::vector<ModelValue> arguments = Arguments(model->functions[0], inputs);
      std::vector<ModelValue> afterwards = arguments;
      absl::StatusOr<std::vector<ModelValue>> results = (*runner)->Run(model->functions[0], &afterwards);
      ASSERT_TRUE(results.ok()) << results.status() << program.text;
      const std::vector<TensorValue> expected = program.run(inputs);
      ASSERT_EQ(results->size(), expected.size());
      for (size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ((*results)[i].data, Value((*results)[i].type, expected[i].data(), expected[i].size()).data)
            << "result " << i << ", conditions " << inputs.conditions[0] << inputs.conditions[1] << ", turns "
            << inputs.turns << program.text;
      }
      for (size_t i = 0; i < arguments.size(); ++i) {
        ASSERT_EQ(afterwards[i].data, arguments[i].data) << "argument " << i << " changed" << program.text;
      }
    }
  }

  std::unique_ptr<Device> device_;
  std::unique_ptr<ModelCompiler> compiler_ = *ModelCompiler::Create();
  ModelOptions options_;
};

TEST_F(TensorFuzzTest, ProgramsGiveWhatTheirTensorsAre) {
  const uint64_t first = TestSeed(1), count = TestCount(24, 500);
  const MgpuCounters before = GetMgpuCounters();
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("MMTUNE_TEST_SEED=" + std::to_string(seed));
    CompileAndRun(seed);
    if (HasFatalFailure()) return;
  }
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_GT(after.launches, before.launches);
  EXPECT_EQ(after.allocations - before.allocations, after.frees - before.frees);
  EXPECT_TRUE(TakeMgpuError().ok());
}

// The same values, nothing left on the device, and in sum fewer launches with fusion.
TEST_F(TensorFuzzTest, FusionChangesNoValue) {
  const uint64_t first = TestSeed(1), count = TestCount(8, 500);
  const MgpuCounters start = GetMgpuCounters();
  int64_t launches[2] = {0, 0};
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("MMTUNE_TEST_SEED=" + std::to_string(seed));
    for (bool fuse : {false, true}) {
      options_.fuse = fuse;
      const int64_t before = GetMgpuCounters().launches;
      CompileAndRun(seed);
      if (HasFatalFailure()) return;
      launches[fuse ? 1 : 0] += GetMgpuCounters().launches - before;
    }
  }
  EXPECT_LT(launches[1], launches[0]);
  const MgpuCounters end = GetMgpuCounters();
  EXPECT_EQ(end.allocations - start.allocations, end.frees - start.frees);
  EXPECT_TRUE(TakeMgpuError().ok());
}

// Placing buffers is quick, so that many can be looked at: none is refused.
TEST_F(TensorFuzzTest, EveryProgramCanBePlaced) {
  const uint64_t first = TestSeed(1), count = TestCount(120, 2500);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const TensorProgram program = GenerateTensorProgram(seed);
    std::string diagnostics;
    const auto model = compiler_->Compile(program.text, "program.mlir", options_, ModelStage::kGpu,
                                          [&](std::string_view line) { diagnostics += line; });
    EXPECT_TRUE(model.ok()) << "MMTUNE_TEST_SEED=" << seed << "\n"
                            << model.status() << "\n"
                            << diagnostics << program.text;
  }
}

TEST(TensorProgramTest, EqualSeedsGiveEqualPrograms) {
  EXPECT_EQ(GenerateTensorProgram(7).text, GenerateTensorProgram(7).text);
  EXPECT_NE(GenerateTensorProgram(7).text, GenerateTensorProgram(8).text);
}

}  // namespace
}  // namespace mmtune
