// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random products of f16 and bf16, compiled for the SIMT device and run, round where the module says.
//
// MMTUNE_TEST_COUNT is how many, MMTUNE_TEST_SEED the first one's seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "kernels/compiler/model/model_compiler.h"
#include "kernels/compiler/model/model_runner.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "tests/kernels/fuzz/random_source.h"
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

  /// Returns the contents of the last argument after a call of @main; nothing, and a failure, if there was none.
  std::vector<float> Run(const TypedProduct& product, const std::string& arch, bool sums_as_written = false) {
    SCOPED_TRACE(product.text);
    std::unique_ptr<Device> device = *CreateSimtDevice(arch);
    SetMgpuDevice(device.get(), {.poison_allocations = true});
    std::vector<float> got;
    CompileAndCall(product, device->info(), sums_as_written, &got);
    SetMgpuDevice(nullptr);
    return got;
  }

  void CompileAndCall(const TypedProduct& product, const DeviceInfo& device, bool sums_as_written,
                      std::vector<float>* got) {
    ModelOptions options;
    options.target.device = device;
    options.host_opt_level = 0;
    options.sums_as_written = sums_as_written;
    std::string diagnostics;
    absl::StatusOr<CompiledModel> model = compiler_->Compile(product.text, "product.mlir", options, ModelStage::kObject,
                                                             [&](std::string_view line) { diagnostics += line; });
    ASSERT_TRUE(model.ok()) << model.status() << "\n" << diagnostics;
    for (const ModelKernel& kernel : model->kernels)
      if (!kernel.problem.empty()) problems_.insert(kernel.problem.substr(kernel.problem.find(' ') + 1));
    absl::StatusOr<std::unique_ptr<ModelRunner>> runner = ModelRunner::Load(*model);
    ASSERT_TRUE(runner.ok()) << runner.status();
    std::vector<ModelValue> arguments = Arguments(model->functions[0], product);
    absl::StatusOr<std::vector<ModelValue>> results = (*runner)->Run(model->functions[0], &arguments);
    ASSERT_TRUE(results.ok()) << results.status();
    got->resize(product.arguments.back().elements.size());
    TraitsOf(product.arguments.back().type)
        .decode(arguments.back().data.data(), static_cast<int64_t>(got->size()), got->data());
  }

  std::unique_ptr<ModelCompiler> compiler_ = *ModelCompiler::Create();
  std::set<std::string> problems_;  ///< The scheduled problems, without their shapes.
};

TEST_F(TypedProductFuzzTest, RoundsWhereTheModuleSays) {
  const uint64_t first = TestSeed(1), count = TestCount(40, 2000);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("MMTUNE_TEST_SEED=" + std::to_string(seed));
    const TypedProduct product = GenerateTypedProduct(seed);
    ASSERT_EQ(Run(product, seed % 8 == 7 ? "sm_75" : "sm_80"), product.expected) << product.text;
  }
  if (count < 40) return;
  for (const char* part : {"f16", "bf16", "out=f32", "transpose_a", "transpose_b", "bias", "add", "relu", "scale"}) {
    EXPECT_TRUE(std::any_of(problems_.begin(), problems_.end(),
                            [&](const std::string& problem) { return absl::StrContains(problem, part); }))
        << "no scheduled product had " << part;
  }
}

/// C = A * B of one type, as linalg.matmul has it.
std::string PlainProduct(DataType type, int64_t m, int64_t n, int64_t k) {
  const std::string name(DataTypeName(type));
  auto memref = [&](int64_t rows, int64_t columns) {
    return absl::StrCat("memref<", rows, "x", columns, "x", name, ">");
  };
  const std::string a = memref(m, k), b = memref(k, n), c = memref(m, n);
  return absl::StrCat("func.func @main(%a: ", a, ", %b: ", b, ", %c: ", c, ") {\n  %zero = arith.constant 0.0 : ", name,
                      "\n  linalg.fill ins(%zero : ", name, ") outs(%c : ", c, ")\n  linalg.matmul ins(%a, %b : ", a,
                      ", ", b, ") outs(%c : ", c, ")\n  return\n}\n");
}

// Of real numbers: no further from the exact sum than sums of f32 in any order and one rounding can be. Sums of 16 bits
// are further.
TEST_F(TypedProductFuzzTest, SumsOf16BitsAreAsCloseAsThoseOfF32) {
  constexpr int64_t kM = 24, kN = 40, kK = 300;
  RandomSource random(TestSeed(5));
  for (DataType type : {DataType::kF16, DataType::kBf16}) {
    for (bool as_written : {false, true}) {
      SCOPED_TRACE(std::string(DataTypeName(type)) + (as_written ? ", as written" : ""));
      TypedProduct product;
      product.text = PlainProduct(type, kM, kN, kK);
      for (int64_t count : {kM * kK, kK * kN, kM * kN}) {
        TypedArgument& argument = product.arguments.emplace_back(type, std::vector<float>(static_cast<size_t>(count)));
        for (float& element : argument.elements)
          element = Rounded(type, static_cast<float>(random.Below(4001)) / 2000 - 1);
      }
      const std::vector<float> got = Run(product, "sm_80", as_written);
      ASSERT_EQ(got.size(), static_cast<size_t>(kM * kN));
      double worst = 0;  // by the bound
      for (int64_t i = 0; i < kM; ++i) {
        for (int64_t j = 0; j < kN; ++j) {
          double exact = 0, magnitude = 0;
          for (int64_t k = 0; k < kK; ++k) {
            const double term = double{product.arguments[0].elements[static_cast<size_t>(i * kK + k)]} *
                                product.arguments[1].elements[static_cast<size_t>(k * kN + j)];
            exact += term;
            magnitude += std::abs(term);
          }
          const double sums = static_cast<double>(kK) * 0x1p-24 * magnitude;
          const double rounding = std::ldexp(std::abs(exact) + sums, -TraitsOf(type).significand_bits);
          worst = std::max(worst, std::abs(got[static_cast<size_t>(i * kN + j)] - exact) / (sums + rounding));
        }
      }
      EXPECT_EQ(worst <= 1, !as_written) << worst;
    }
  }
}

}  // namespace
}  // namespace mmtune
