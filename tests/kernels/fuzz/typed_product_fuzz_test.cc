// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random products of f16 and bf16, compiled for the SIMT device and run, round where the module says.
//
// MMTUNE_TEST_COUNT is how many, MMTUNE_TEST_SEED the first one's seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "kernels/model/model_compiler.h"
#include "kernels/model/model_runner.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "tests/kernels/fuzz/typed_product.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

class TypedProductFuzzTest : public testing::Test {
 protected:
  ~TypedProductFuzzTest() override { SetMgpuDevice(nullptr); }

  static std::vector<ModelValue> Arguments(const ModelFunction& main, const TypedProduct& product) {
    std::vector<ModelValue> arguments;
    for (size_t i = 0; i < main.arguments.size(); ++i) {
      const auto& [type, elements] = product.arguments[i];
      ModelValue value{main.arguments[i], main.arguments[i].shape,
                       std::vector<char>(elements.size() * static_cast<size_t>(DataTypeBytes(type)))};
      TraitsOf(type).encode(elements.data(), static_cast<int64_t>(elements.size()), value.data.data());
      arguments.push_back(std::move(value));
    }
    return arguments;
  }

  void CompileAndRun(uint64_t seed, const std::string& arch) {
    std::unique_ptr<Device> device = *CreateSimtDevice(arch);
    SetMgpuDevice(device.get(), {.poison_allocations = true});
    ModelOptions options;
    options.target.device = device->info();
    options.host_opt_level = 0;
    const TypedProduct product = GenerateTypedProduct(seed);
    SCOPED_TRACE(product.text);
    std::string diagnostics;
    absl::StatusOr<CompiledModel> model = compiler_->Compile(product.text, "product.mlir", options, ModelStage::kObject,
                                                             [&](std::string_view line) { diagnostics += line; });
    ASSERT_TRUE(model.ok()) << model.status() << "\n" << diagnostics;
    for (const ModelKernel& kernel : model->kernels)
      if (!kernel.problem.empty()) problems_.insert(kernel.problem.substr(kernel.problem.find(' ') + 1));
    {
      absl::StatusOr<std::unique_ptr<ModelRunner>> runner = ModelRunner::Load(*model);
      ASSERT_TRUE(runner.ok()) << runner.status();
      std::vector<ModelValue> arguments = Arguments(model->functions[0], product);
      absl::StatusOr<std::vector<ModelValue>> results = (*runner)->Run(model->functions[0], &arguments);
      ASSERT_TRUE(results.ok()) << results.status();
      std::vector<float> got(product.expected.size());
      TraitsOf(product.arguments.back().type)
          .decode(arguments.back().data.data(), static_cast<int64_t>(got.size()), got.data());
      ASSERT_EQ(got, product.expected) << diagnostics;
    }
    SetMgpuDevice(nullptr);
  }

  std::unique_ptr<ModelCompiler> compiler_ = *ModelCompiler::Create();
  std::set<std::string> problems_;  ///< What was scheduled, without the shape.
};

TEST_F(TypedProductFuzzTest, RoundsWhereTheModuleSays) {
  const uint64_t first = TestSeed(1), count = TestCount(40, 2000);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("MMTUNE_TEST_SEED=" + std::to_string(seed));
    CompileAndRun(seed, seed % 8 == 7 ? "sm_75" : "sm_80");
    if (HasFatalFailure()) return;
  }
  if (count < 40) return;
  for (const char* part : {"f16", "bf16", "out=f32", "transpose_a", "transpose_b", "bias", "add", "relu", "scale"}) {
    EXPECT_TRUE(std::any_of(problems_.begin(), problems_.end(),
                            [&](const std::string& problem) { return absl::StrContains(problem, part); }))
        << "no scheduled product had " << part;
  }
}

}  // namespace
}  // namespace mmtune
