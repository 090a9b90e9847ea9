// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small modules that once were refused or done badly (cases/): each compiles, and computes what plain loops on the CPU
// compute or the values named here; or it is refused at its line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/verify/function_verification.h"
#include "kernels/runtime/host_function.h"
#include "kernels/runtime/jit/loaded_object.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "tests/kernels/compiler/model/model_values.h"
#include "tests/kernels/compiler/model/simt_model_test.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CompileCasesTest : public SimtModelTest, public testing::WithParamInterface<const char*> {
 protected:
  absl::StatusOr<CompiledModel> Compile(const std::string& name, bool reference = false,
                                        ModelStage last = ModelStage::kObject) {
    const std::string text = ReadWhole(std::string(COMPILE_CASES "/") + name + ".mlir");
    auto sink = [this](std::string_view line) { diagnostics_ += line; };
    if (reference) return compiler_->CompileReference(text, "model.mlir", /*sums_as_written=*/false, sink);
    return compiler_->Compile(text, "model.mlir", options_, last, sink);
  }

  static std::vector<ModelValue> Arguments(const ModelFunction& function, int64_t dynamic_size) {
    std::vector<ModelValue> arguments;
    for (const ModelType& type : function.arguments) {
      ModelValue& value = arguments.emplace_back(ModelValue{type, type.shape, {}});
      for (int64_t& size : value.sizes) size = size < 0 ? dynamic_size : size;
      value.data = SmallNumbers(type.element, value.Elements(), /*iota=*/true);
    }
    return arguments;
  }

  /// Results, then arguments as they are afterwards, of a call; `calls` times.
  absl::StatusOr<std::vector<std::vector<double>>> Run(const absl::StatusOr<CompiledModel>& model,
                                                       std::vector<ModelValue> arguments = {}, int calls = 1) {
    if (!model.ok()) return model.status();
    auto runner = ModelRunner::Load(*model);
    if (!runner.ok()) return runner.status();
    const ModelFunction& function = model->functions[0];
    if (arguments.empty()) arguments = Arguments(function, /*dynamic_size=*/7);
    std::vector<std::vector<double>> numbers;
    for (int call = 0; call < calls; ++call) {
      auto results = (*runner)->Run(function, &arguments);
      if (!results.ok()) return results.status();
      numbers.clear();
      for (const ModelValue& value : *results) numbers.push_back(AsNumbers(value.type.element, value.data));
    }
    for (const ModelValue& value : arguments) numbers.push_back(AsNumbers(value.type.element, value.data));
    return numbers;
  }

  void ExpectWhatLoopsCompute();

  std::unique_ptr<ModelCompiler> compiler_ = *ModelCompiler::Create();
};

void CompileCasesTest::ExpectWhatLoopsCompute() {
  absl::StatusOr<CompiledModel> model = Compile(GetParam());
  ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
  const MgpuCounters before = GetMgpuCounters();
  auto actual = Run(model), expected = Run(Compile(GetParam(), /*reference=*/true));
  ASSERT_TRUE(actual.ok()) << actual.status();
  ASSERT_TRUE(expected.ok()) << expected.status() << diagnostics_;
  ASSERT_EQ(actual->size(), expected->size());
  for (size_t i = 0; i < actual->size(); ++i) {
    EXPECT_THAT((*actual)[i], testing::Pointwise(testing::DoubleNear(1e-4), (*expected)[i]));
  }
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_EQ(after.allocations - before.allocations, after.frees - before.frees);
}

TEST_P(CompileCasesTest, ComputesWhatLoopsDo) { ExpectWhatLoopsCompute(); }

/// The same modules compiled to PTX, which the SIMT device runs.
class CompileCasesPtxTest : public CompileCasesTest {
 protected:
  void RunPtxOf(const char* arch) {
    device_ = *ptx::createPtxDevice({.arch = arch});
    SetMgpuDevice(device_.get(), MgpuOptions{.poison_allocations = true});
    options_.target.device = device_->info();
    options_.target.shipped_ptx = true;
  }

  /// Runs the PTX, and the code that is lowered from the NVVM dialect.
  void ExpectTheBitsOfNvvm() {
    const auto through_ptx = Run(Compile(GetParam()));
    options_.target.shipped_ptx = false;
    const auto through_nvvm = Run(Compile(GetParam()));
    ASSERT_TRUE(through_ptx.ok()) << through_ptx.status() << diagnostics_;
    ASSERT_TRUE(through_nvvm.ok()) << through_nvvm.status() << diagnostics_;
    ASSERT_EQ(through_ptx->size(), through_nvvm->size());
    for (size_t i = 0; i < through_ptx->size(); ++i) {
      const std::vector<double>&a = (*through_ptx)[i], &b = (*through_nvvm)[i];
      ASSERT_EQ(a.size(), b.size());
      EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0) << "value " << i;
    }
  }
};

TEST_P(CompileCasesPtxTest, ComputesWhatLoopsDo) {
  RunPtxOf("sm_80");
  ExpectWhatLoopsCompute();
  if (!WholeSweeps()) return;
  RunPtxOf("sm_90");
  ExpectWhatLoopsCompute();
}

TEST_P(CompileCasesPtxTest, GivesTheBitsOfTheLoweringFromNvvm) {
  RunPtxOf("sm_80");
  ExpectTheBitsOfNvvm();
  if (!WholeSweeps()) return;
  RunPtxOf("sm_90");
  ExpectTheBitsOfNvvm();
}

const char* const kCases[] = {"bf16_host_code",
                              "bf16_host_scalar",
                              "boolean_bytes",
                              "boolean_resource",
                              "concat_in_place",
                              "concat_parts",
                              "concat_sizes",
                              "constant_expressions",
                              "default_schedule_136",
                              "group_norm_scales",
                              "grouped_heads",
                              "integer_math",
                              "linalg_softmax",
                              "linear_of_dynamic_batch_and_length",
                              "linear_transposed_weight",
                              "mask_before_softmax",
                              "ml_program_mask",
                              "narrow_f64",
                              "no_device_op_library",
                              "pack_padded",
                              "pad_with_own_constant",
                              "reshape_edges",
                              "row_numbers",
                              "shared_fill_mlp",
                              "slices_between_kernels",
                              "tensor_if_clean",
                              "tensor_loop_refused",
                              "tm_regions",
                              "tm_scan",
                              "tm_scatter",
                              "tm_sort",
                              "torch_ml_program",
                              "weight_turned_in_each_call",
                              "weights_uploaded_each_call"};

/// Returns every fourth case; all of them in whole sweeps.
std::vector<const char*> CasesThroughPtx() {
  std::vector<const char*> cases;
  for (size_t i = 0; i < std::size(kCases); i += WholeSweeps() ? 1 : 4) cases.push_back(kCases[i]);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, CompileCasesTest, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param); });
INSTANTIATE_TEST_SUITE_P(Ptx, CompileCasesPtxTest, testing::ValuesIn(CasesThroughPtx()),
                         [](const auto& info) { return std::string(info.param); });

// Cases that took two launches more before.
TEST_F(CompileCasesTest, NormsAndMasksAreOneKernel) {
  for (const auto& [name, launches] : {std::pair{"norm_bf16", 1}, {"mask_before_softmax", 2}}) {
    absl::StatusOr<CompiledModel> model = Compile(name);
    ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
    const MgpuCounters before = GetMgpuCounters();
    auto numbers = Run(model);
    ASSERT_TRUE(numbers.ok()) << numbers.status();
    EXPECT_EQ(GetMgpuCounters().launches - before.launches, launches) << name;
    if (name != std::string("norm_bf16")) continue;
    const std::vector<double>& x = (*numbers)[1];
    for (int i = 0; i < 6 * 40; ++i) {
      double squares = 0;
      for (int k = 0; k < 40; ++k) squares += std::pow(x[i / 40 * 40 + k], 2);
      const double expected = x[i] / std::sqrt(squares / 40) * (*numbers)[2][i % 40];
      EXPECT_NEAR((*numbers)[0][i], expected, .01 * expected);
    }
  }
}

struct Refusal {
  const char* name;
  const char* line;
};

class RefusedCasesTest : public CompileCasesTest {};

TEST_F(RefusedCasesTest, SayWhatAndWhere) {
  const Refusal refusals[] = {
      {"block_4096", "model.mlir:5:3: error: a block of (4096,1,1) threads"},
      {"memory_space_1", "model.mlir:1:14: error: argument #0 of @f, of type 'memref<4xf32, 1>', is device memory"},
      {"memory_space_gpu_global", "model.mlir:1:14: error: argument #0 of @f, of type"},
      {"async", "model.mlir:2:8: error: Dialect `async' not found for custom op 'async.execute'"},
      {"tm_tensor", "model.mlir:2:8: error: custom op 'tm_tensor.attention' is unknown"},
      {"tm_tensor_place", "model.mlir:2:8: error: 'tm_tensor.scatter' op has an invalid dimension map: dimension 1"},
      {"constant_size", "model.mlir:2:23: error: inferred shape of elements literal ([3]) does not match type ([4])"},
      {"constant_size_resource", "model.mlir:2:8: error: raw data size does not match element type size"},
      {"launch_result_without_async",
       "model.mlir:23:10: error: 'gpu.launch' has a result only when it is asynchronous"},
  };
  for (const Refusal& refusal : refusals) {
    diagnostics_.clear();
    EXPECT_FALSE(Compile(refusal.name).ok()) << refusal.name;
    EXPECT_THAT(diagnostics_, HasSubstr(refusal.line)) << refusal.name;
  }
}

// Those of an export are used in every call.
TEST_F(CompileCasesTest, ConstantsAreUploadedOnce) {
  absl::StatusOr<CompiledModel> model = Compile("weights_uploaded_each_call");
  const MgpuCounters before = GetMgpuCounters();
  ASSERT_TRUE(Run(model, {}, /*calls=*/10).ok());
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_EQ(after.uploads - before.uploads, 1 + 10);  // The weights; the argument in each call.
  EXPECT_EQ(after.frees - before.frees, after.allocations - before.allocations);
}

// Two matmuls and a softmax, and no copies of keys and values that heads share; one kernel for what depends on an
// input, and none for what does not.
TEST_F(CompileCasesTest, WhatNeedsNoKernelHasNone) {
  const std::pair<const char*, int> cases[] = {{"grouped_heads", 3},           {"constant_expressions", 1},
                                               {"absi_table_in_each_call", 1}, {"weight_turned_in_each_call", 1},
                                               {"group_norm_320", 1},          {"group_norm_scales", 1}};
  for (auto [name, launches] : cases) {
    absl::StatusOr<CompiledModel> model = Compile(name);
    const MgpuCounters before = GetMgpuCounters();
    auto numbers = Run(model);
    ASSERT_TRUE(numbers.ok()) << numbers.status();
    EXPECT_EQ(GetMgpuCounters().launches - before.launches, launches) << name;
  }
}

// Two functions, one of which calls the other with more than a thousand arguments, took LLVM 7 s.
TEST_F(CompileCasesTest, LongFunctionsWithoutLoopsAreNotOptimized) {
  absl::StatusOr<CompiledModel> chain =
      Compile("chain_200_weights_as_arguments", /*reference=*/false, ModelStage::kLlvmIr);
  ASSERT_TRUE(chain.ok()) << chain.status() << diagnostics_;
  EXPECT_THAT(chain->output, testing::ContainsRegex("@_mlir_ciface_f\\(.*\\) local_unnamed_addr #1 \\{"));
  EXPECT_THAT(chain->output, HasSubstr("attributes #1 = { noinline optnone }"));
  absl::StatusOr<CompiledModel> sum = Compile("sum_of_all", /*reference=*/false, ModelStage::kLlvmIr);
  ASSERT_TRUE(sum.ok()) << sum.status() << diagnostics_;
  EXPECT_THAT(sum->output, testing::Not(HasSubstr("optnone")));
}

// Choosing the schedule of its matmul took half a second of the compilation; default_schedule_test allows 30 ms, and
// the rest takes less than 60. Of three times the least counts, as others work on the machine, too.
TEST_F(CompileCasesTest, DefaultSchedulesDoNotHoldUpACompilation) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
  GTEST_SKIP() << "code that is checked takes longer";
#endif
  for (const char* arch : {"sm_80", "sm_90"}) {
    options_.target.device = *ArchitectureLimits(arch);
    options_.target.device.kind = DeviceKind::kCuda;
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
      const std::clock_t before = std::clock();
      const absl::StatusOr<CompiledModel> model = Compile("default_schedule_136", false, ModelStage::kGpu);
      least = std::min(least, 1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
      ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
      EXPECT_THAT(model->output, HasSubstr("gemm_simt")) << "the matmul has no schedule of a family";
    }
    EXPECT_LE(least, 200) << arch;
  }
}

/// Returns the threads of the first kernel of a module whose launches are constant.
int64_t ThreadsOfFirstKernel(const std::string& module) {
  long block = 0, grid = 0;
  const size_t at = module.find("known_block_size");
  if (at == std::string::npos) return 0;
  std::sscanf(module.c_str() + at, "known_block_size = array<i32: %ld, 1, 1>, known_grid_size = array<i32: %ld, 1, 1>",
              &block, &grid);
  return block * grid;
}

// A kernel for the parts of each row, and one for their sums. One with a thread to each sum had 64 threads and 1.
TEST_F(CompileCasesTest, LongSumsHaveManyThreads) {
  for (const auto& [name, sum] : {std::pair{"lone_row_sum", 81919.0}, {"sum_of_all", 1999999.0}}) {
    absl::StatusOr<CompiledModel> kernels = Compile(name, /*reference=*/false, ModelStage::kGpu);
    ASSERT_TRUE(kernels.ok()) << kernels.status() << diagnostics_;
    EXPECT_GE(ThreadsOfFirstKernel(kernels->output), 100'000) << name;
    absl::StatusOr<CompiledModel> model = Compile(name);
    ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
    const MgpuCounters before = GetMgpuCounters();
    auto numbers = Run(model);
    ASSERT_TRUE(numbers.ok()) << numbers.status();
    EXPECT_EQ(GetMgpuCounters().launches - before.launches, 2) << name;
    EXPECT_EQ((*numbers)[0][0], sum) << name;
  }
}

TEST_F(CompileCasesTest, SlicesStayOnTheDevice) {
  absl::StatusOr<CompiledModel> model = Compile("slices_between_kernels");
  const MgpuCounters before = GetMgpuCounters();
  ASSERT_TRUE(Run(model).ok());
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_EQ(after.uploads - before.uploads, 1);
  EXPECT_EQ(after.downloads - before.downloads, 1);
}

TEST_F(CompileCasesTest, BuffersThatALoopSwapsAreTwo) {
  absl::StatusOr<CompiledModel> model = Compile("ping_pong");
  ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
  std::vector<ModelValue> arguments = Arguments(model->functions[0], 4);
  arguments[1].data = std::vector<char>(sizeof(int64_t), 0);
  arguments[1].data[0] = 3;  // Turns: the elements 1, 2, 3, 1 go round by three places, and up by 3.
  auto numbers = Run(model, arguments);
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_THAT((*numbers)[0], ElementsAre(4, 4, 5, 6));
}

TEST_F(CompileCasesTest, OneBufferTwiceIsOneBuffer) {
  auto numbers = Run(Compile("call_same_twice"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  EXPECT_THAT((*numbers)[0], ElementsAre(4, 6, 8, 4));  // (x + 1) * 2
}

TEST_F(CompileCasesTest, AStateOutlivesTheCall) {
  auto numbers = Run(Compile("ml_program_state"), {}, /*calls=*/3);
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  EXPECT_THAT((*numbers)[0], ElementsAre(3));
}

TEST_F(CompileCasesTest, AStateIsWhatWasStoredLast) {
  auto numbers = Run(Compile("ml_program_order"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  EXPECT_THAT(*numbers,
              ElementsAre(ElementsAre(15), ElementsAre(15), ElementsAre(46), ElementsAre(7), ElementsAre(45)));
}

TEST_F(CompileCasesTest, ConstantsOfOddIntegersAreWhole) {
  auto numbers = Run(Compile("odd_integers"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  EXPECT_THAT((*numbers)[0], ElementsAre(1, 2, 3, 4, 5, 6, 7, -8));
  EXPECT_THAT((*numbers)[1], ElementsAre(8, 7, 6, 5, 4, 3, 2, -1));
}

TEST_F(CompileCasesTest, IntegersOfAnyWidthHaveMagnitudesAndPowers) {
  absl::StatusOr<CompiledModel> model = Compile("integer_math");
  ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
  std::vector<ModelValue> arguments = Arguments(model->functions[0], 0);
  auto set = [](ModelValue& value, auto numbers) { std::memcpy(value.data.data(), numbers.data(), sizeof(numbers)); };
  set(arguments[0], std::array<int64_t, 8>{-3, 3, -1, -1, 1, 2, -2, 0});
  set(arguments[1], std::array<int64_t, 8>{3, 39, -3, -4, -9, -1, 63, 0});
  set(arguments[2], std::array<float, 8>{-2, -1.5, -1, 0, 1, 2, 3, 100});
  auto numbers = Run(model, arguments);
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  EXPECT_THAT((*numbers)[0], ElementsAre(3, 3, 1, 1, 1, 2, 2, 0));
  EXPECT_THAT((*numbers)[1], ElementsAre(-27, 4052555153018976267.0, -1, 1, 1, 0, -9223372036854775808.0, 1));
  EXPECT_THAT((*numbers)[2], ElementsAre(6, 6, 2, 2, 2, 4, 4, 0));
  EXPECT_THAT((*numbers)[3], ElementsAre(-1.5, -1.5, -1, 0, 1, 2, 2, 2));
}

TEST_F(CompileCasesTest, SlicesHaveStepsBesideDimensionsOfOneElement) {
  auto numbers = Run(Compile("steps_of_one_element"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  EXPECT_THAT((*numbers)[0], ElementsAre(-1, -3, -2, -1));
  const std::vector<double>& inserted = (*numbers)[1];
  EXPECT_THAT(std::vector(inserted.end() - 8, inserted.end()), ElementsAre(-3, -1, -2, -3, -1, -2, -3, -1));
  EXPECT_THAT(std::vector(inserted.begin(), inserted.begin() + 4), ElementsAre(1, 2, 3, 1));
  EXPECT_THAT((*numbers)[5], ElementsAre(3, 2, 1, 3));
  EXPECT_THAT((*numbers)[6], ElementsAre(1));
}

// In kernels, in host code, and in the reference.
TEST_F(CompileCasesTest, MathThatNoTargetHasIsComposed) {
  for (bool reference : {false, true}) {
    SCOPED_TRACE(reference);
    absl::StatusOr<CompiledModel> model = Compile("composed_math", reference);
    ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
    std::vector<ModelValue> arguments = Arguments(model->functions[0], 0);
    auto set = [](ModelValue& value, auto numbers) { std::memcpy(value.data.data(), &numbers, sizeof(numbers)); };
    set(arguments[0], std::array<float, 8>{INFINITY, -INFINITY, NAN, 0, 1e-40f, -1e38f, 1.17549435e-38f, -1e-39f});
    // Infinities, a NaN, 0, the largest subnormal, the smallest normal, the largest number, -1.
    set(arguments[1], std::array<uint16_t, 8>{0x7c00, 0xfc00, 0x7e01, 0, 0x83ff, 0x0400, 0x7bff, 0xbc00});
    set(arguments[2], int32_t{-3});
    set(arguments[3], int32_t{5});
    set(arguments[4], double{-INFINITY});
    auto numbers = Run(model, arguments);
    ASSERT_TRUE(numbers.ok()) << numbers.status();
    EXPECT_THAT((*numbers)[0], ElementsAre(1, 1, 0, 0, 0, 2, 2, 0));
    EXPECT_THAT((*numbers)[1], ElementsAre(1, 1, 0, 0, 0, 2, 2, 2));
    EXPECT_THAT((*numbers)[2], ElementsAre(-243));
    EXPECT_THAT((*numbers)[3], ElementsAre(-1.5));
    EXPECT_THAT((*numbers)[4], ElementsAre(1));
  }
}

TEST_F(CompileCasesTest, AFailedAssertionIsAnError) {
  absl::StatusOr<CompiledModel> host = Compile("assert_in_host_code");
  ASSERT_TRUE(host.ok()) << host.status() << diagnostics_;
  std::vector<ModelValue> arguments = Arguments(host->functions[0], 4);
  EXPECT_TRUE(Run(host, arguments).ok());
  arguments[1].sizes = {5};
  arguments[1].data = SmallNumbers("f32", 5, /*iota=*/true);
  EXPECT_THAT(Run(host, arguments).status().message(),
              HasSubstr("model.mlir:6:3: an assertion failed: mismatched size for broadcast"));

  absl::StatusOr<CompiledModel> kernel = Compile("assert_in_kernel");
  ASSERT_TRUE(kernel.ok()) << kernel.status() << diagnostics_;
  EXPECT_TRUE(Run(kernel).ok());
  arguments = Arguments(kernel->functions[0], 0);
  arguments[0].data = std::vector<char>(arguments[0].data.size(), static_cast<char>(0xc0));  // -6.02
  EXPECT_THAT(Run(kernel, arguments).status().message(),
              HasSubstr("an assertion failed: expected a value that is not negative"));
}

// Nothing is read beyond a part that is smaller than the first one, or copied beyond the result.
TEST_F(CompileCasesTest, SizesThatAreTakenForGrantedAreAsserted) {
  absl::StatusOr<CompiledModel> concat = Compile("concat_sizes");
  ASSERT_TRUE(concat.ok()) << concat.status() << diagnostics_;
  for (const auto& [part, line] : {std::pair{1, 3}, {2, 4}}) {
    std::vector<ModelValue> arguments = Arguments(concat->functions[0], 4);
    EXPECT_TRUE(Run(concat, arguments).ok());
    for (int64_t rows : {1, 3, 50}) {
      arguments[part].sizes[0] = rows;
      arguments[part].data = SmallNumbers("f32", 4 * rows, /*iota=*/true);
      EXPECT_EQ(
          Run(concat, arguments).status().message(),
          absl::StrCat("model.mlir:", line, ":8: an assertion failed: tensor.concat: sizes at run time do not fit"));
    }
  }

  absl::StatusOr<CompiledModel> cast = Compile("cast_size");
  ASSERT_TRUE(cast.ok()) << cast.status() << diagnostics_;
  std::vector<ModelValue> arguments = Arguments(cast->functions[0], 1);
  EXPECT_TRUE(Run(cast, arguments).ok());
  arguments = Arguments(cast->functions[0], 6);
  EXPECT_THAT(Run(cast, arguments).status().message(), HasSubstr("model.mlir:4:11: an assertion failed: tensor.cast"));

  for (const auto& [name, line] : {std::pair{"cast_copied", 3}, {"cast_looked_at", 4}}) {
    absl::StatusOr<CompiledModel> model = Compile(name);
    ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
    EXPECT_TRUE(Run(model, Arguments(model->functions[0], 8)).ok());
    EXPECT_THAT(Run(model, Arguments(model->functions[0], 100'000)).status().message(),
                HasSubstr(absl::StrCat("model.mlir:", line, ":8: an assertion failed: tensor.cast")));
  }
}

TEST_F(CompileCasesTest, LinalgSizesAreAsserted) {
  absl::StatusOr<CompiledModel> add = Compile("linalg_two_dynamic_sizes");
  ASSERT_TRUE(add.ok()) << add.status() << diagnostics_;
  std::vector<ModelValue> arguments = Arguments(add->functions[0], 4);
  EXPECT_TRUE(Run(add, arguments).ok());
  arguments[1].sizes = {3};
  arguments[1].data = SmallNumbers("f32", 3, /*iota=*/true);
  EXPECT_THAT(Run(add, arguments).status().message(),
              HasSubstr("model.mlir:5:8: an assertion failed: linalg.add: sizes at run time do not fit"));

  absl::StatusOr<CompiledModel> generic = Compile("linalg_dynamic_size_against_1");
  ASSERT_TRUE(generic.ok()) << generic.status() << diagnostics_;
  EXPECT_TRUE(Run(generic, Arguments(generic->functions[0], 1)).ok());
  EXPECT_THAT(Run(generic, Arguments(generic->functions[0], 4096)).status().message(),
              HasSubstr("model.mlir:7:8: an assertion failed: linalg.generic: sizes at run time do not fit"));
}

TEST_F(CompileCasesTest, ADynamicSizeIsExpandedToTwo) {
  absl::StatusOr<CompiledModel> model = Compile("expand_shape_two_dynamic_sizes");
  ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
  std::vector<ModelValue> arguments = Arguments(model->functions[0], 6);
  arguments[1].data[0] = 2;
  arguments[2].data[0] = 3;
  auto runner = ModelRunner::Load(*model);
  ASSERT_TRUE(runner.ok()) << runner.status();
  auto results = (*runner)->Run(model->functions[0], &arguments);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT((*results)[0].sizes, ElementsAre(2, 3));
  EXPECT_THAT(AsNumbers("f32", (*results)[0].data), ElementsAre(1, 2, 3, 1, 2, 3));

  // A batch of 3 of length 5, which are not the same.
  absl::StatusOr<CompiledModel> linear = Compile("linear_of_dynamic_batch_and_length");
  ASSERT_TRUE(linear.ok()) << linear.status() << diagnostics_;
  arguments = Arguments(linear->functions[0], 1);
  arguments[0].sizes = {3, 5, 16};
  arguments[0].data = SmallNumbers("f32", 3 * 5 * 16, /*iota=*/true);
  auto actual = Run(linear, arguments), expected = Run(Compile("linear_of_dynamic_batch_and_length", true), arguments);
  ASSERT_TRUE(actual.ok()) << actual.status();
  ASSERT_TRUE(expected.ok()) << expected.status();
  EXPECT_EQ((*actual)[0].size(), 3u * 5 * 8);
  EXPECT_EQ(*actual, *expected);
}

TEST_F(CompileCasesTest, CopiesToViewsLeaveTheRestAlone) {
  auto rows = Run(Compile("memcpy_into_subview"));
  ASSERT_TRUE(rows.ok()) << rows.status() << diagnostics_;
  for (int i = 0; i < 6 * 8; ++i) {
    EXPECT_EQ((*rows)[1][i], i / 8 == 3 || i / 8 == 4 ? (*rows)[0][i - 24] : i % 3 + 1) << i;
  }
  auto strided = Run(Compile("memcpy_into_strided_rows"));
  ASSERT_TRUE(strided.ok()) << strided.status() << diagnostics_;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 8; ++j) {
      const bool copied = i % 2 == 1 && j >= 1 && j <= 4;
      EXPECT_EQ((*strided)[1][8 * i + j], copied ? (*strided)[0][i / 2 * 4 + j - 1] : (8 * i + j) % 3 + 1);
    }
  }
}

TEST_F(CompileCasesTest, ViewsAreCopiedInEveryDirection) {
  auto numbers = Run(Compile("memcpy_views"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  EXPECT_THAT((*numbers)[1], ElementsAre(2, 3, 1));
  EXPECT_THAT((*numbers)[2], ElementsAre(1, 3, 2, 1));
  EXPECT_THAT((*numbers)[3], ElementsAre(2, 3, 1, 3, 1, 2));
  EXPECT_THAT((*numbers)[4], ElementsAre(1));

  absl::StatusOr<CompiledModel> loop = Compile("memcpy_in_loop");
  ASSERT_TRUE(loop.ok()) << loop.status() << diagnostics_;
  auto rows = Run(loop, Arguments(loop->functions[0], 200'000));
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ(std::vector((*rows)[1].begin(), (*rows)[1].begin() + 6), (std::vector<double>{1, 2, 3, 1, 2, 3}));
}

TEST_F(CompileCasesTest, AGlobalWithoutAValueIsElsewhere) {
  auto declared = Run(Compile("private_global_without_value"));
  EXPECT_THAT(std::string(declared.status().message()), HasSubstr("Symbols not found: [ scratch ]"));
  auto uninitialized = Run(Compile("uninitialized_global"));
  ASSERT_TRUE(uninitialized.ok()) << uninitialized.status() << diagnostics_;
  EXPECT_THAT((*uninitialized)[0], ElementsAre(2));
}

TEST_F(CompileCasesTest, ComplexNumbersAreMultiplied) {
  EXPECT_TRUE(Compile("complex").ok()) << diagnostics_;
  auto product = Run(Compile("complex_product"));
  ASSERT_TRUE(product.ok()) << product.status() << diagnostics_;
  EXPECT_THAT((*product)[0], ElementsAre(-1, -2, -3, -1));  // x + xi of 1, 2, 3, 1, times 1 + 2i
  EXPECT_THAT((*product)[1], ElementsAre(3, 6, 9, 3));
}

// The operations that torch-mlir writes beside linalg.
TEST_F(CompileCasesTest, ScansGoAlongADimension) {
  absl::StatusOr<CompiledModel> model = Compile("tm_scan");
  ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
  for (const auto& [size, last] : {std::pair{7, std::vector<double>{13, 14}}, {0, {2, 2}}}) {
    auto numbers = Run(model, Arguments(model->functions[0], size));
    ASSERT_TRUE(numbers.ok()) << numbers.status();
    EXPECT_THAT((*numbers)[0], ElementsAre(1, 3, 6, 7, 2, 5, 6, 8, 3, 4, 6, 9));
    EXPECT_THAT((*numbers)[1], ElementsAre(2, 2, 2, 2, 2, 4, 6, 2, 4, 12, 6, 4));
    EXPECT_THAT((*numbers)[2], ElementsAre(4, 12, 6, 4));
    EXPECT_EQ((*numbers)[3], last);
  }
}

TEST_F(CompileCasesTest, ScattersTakeUpdatesInTheirOrder) {
  absl::StatusOr<CompiledModel> model = Compile("tm_scatter");
  const MgpuCounters before = GetMgpuCounters();
  auto numbers = Run(model);
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  EXPECT_THAT((*numbers)[0], ElementsAre(50, 2, 3, 30, 2, 3));
  EXPECT_THAT((*numbers)[1], ElementsAre(51, 2, 3, 41, 2, 3));
  EXPECT_THAT((*numbers)[2], ElementsAre(10, 2, 20, 1, 2, 30));
  EXPECT_THAT((*numbers)[3], ElementsAre(21, 2, 43, 1, 2, 63));
  EXPECT_THAT((*numbers)[4], ElementsAre(3, 4, 3, 1, 1, 2));
  EXPECT_THAT((*numbers)[5], ElementsAre(1, 2, 3, 1, 2, 3));  // An argument stays as it was.
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_EQ(after.launches - before.launches, 6);  // One each, two of the loop.
}

TEST_F(CompileCasesTest, SortsKeepTheOrderOfWhatIsEqual) {
  auto numbers = Run(Compile("tm_sort"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  EXPECT_THAT((*numbers)[0], ElementsAre(3, 3, 2, 2, 1, 2, 1, 1));
  EXPECT_THAT((*numbers)[1], ElementsAre(1, 2, 2, 0, 0, 3, 3, 1));
  EXPECT_THAT((*numbers)[2], ElementsAre(2, 0, 3, 1, 4));  // NaN comes last.
}

TEST_F(CompileCasesTest, ThreadsOfScansScattersAndSortsDoNotRace) {
  for (const char* name : {"tm_scan", "tm_scatter", "tm_sort"}) {
    SCOPED_TRACE(name);
    options_.target.race_detection = true;
    absl::StatusOr<CompiledModel> model = Compile(name);
    options_.shared_apart = true;
    absl::StatusOr<CompiledModel> apart = Compile(name);
    options_.target.race_detection = options_.shared_apart = false;
    ASSERT_TRUE(model.ok() && apart.ok()) << diagnostics_;
    const ModelFunction& function = model->functions[0];
    auto verification =
        VerifyFunction(*model, *apart, function, Arguments(function, 7), {.arch = "sm_80", .fuzzing_runs = 2});
    SetMgpuDevice(device_.get(), MgpuOptions{.poison_allocations = true});
    ASSERT_TRUE(verification.ok()) << verification.status();
    EXPECT_TRUE(verification->passed()) << FunctionVerificationText(*verification);
  }
}

std::vector<double> ByLane(const std::function<double(int)>& value) {
  std::vector<double> values;
  for (int lane = 0; lane < 32; ++lane) values.push_back(value(lane));
  return values;
}

TEST_F(CompileCasesTest, WarpsAreThirtyTwoThreadsThatFollowOneAnother) {
  auto one = Run(Compile("subgroup_id"));
  ASSERT_TRUE(one.ok()) << one.status() << diagnostics_;
  for (int i = 0; i < 64; ++i) EXPECT_EQ((*one)[1][i], i / 32);
  auto numbers = Run(Compile("subgroups"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  for (int i = 0; i < 90; ++i) EXPECT_EQ((*numbers)[0][i], i / 32);
  EXPECT_THAT((*numbers)[1], testing::Each(3));
  EXPECT_THAT((*numbers)[2], testing::Each(32));
}

TEST_F(CompileCasesTest, ShufflesMoveValuesOfAnyTypeAmongTheFirstLanes) {
  auto numbers = Run(Compile("shuffles"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  EXPECT_EQ((*numbers)[0], ByLane([](int i) { return i ^ 5; }));
  EXPECT_EQ((*numbers)[1], ByLane([](int i) { return i + 3 < 16 ? i + 3 : -1; }));
  EXPECT_EQ((*numbers)[2], ByLane([](int i) { return i >= 2 && i < 16 ? i - 2 : -1; }));
  EXPECT_EQ((*numbers)[3], ByLane([](int i) { return i < 8 ? 1099511627781.0 : -1; }));
  EXPECT_EQ((*numbers)[4], ByLane([](int i) { return 101 * (i ^ 1); }));
  EXPECT_EQ((*numbers)[5], ByLane([](int i) { return i ^ 16; }));
  EXPECT_EQ((*numbers)[6], ByLane([](int i) { return i < 8 ? (i + 3) % 8 : -1; }));
  EXPECT_EQ((*numbers)[7], ByLane([](int i) { return i < 8 ? i ^ 1 : -1; }));
  EXPECT_EQ((*numbers)[8], ByLane([](int i) { return i >= 1 && i < 13 ? i - 1 : -1; }));
}

TEST_F(CompileCasesTest, FloatsAreUpdatedAtomicallyByAnyComputation) {
  auto numbers = Run(Compile("float_atomics"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  EXPECT_THAT((*numbers)[0], ElementsAre(1 + 32, 2 * (2 + 32)));
  EXPECT_THAT((*numbers)[1], ElementsAre(1 - 16, 2 - 16));
  EXPECT_THAT((*numbers)[2], ElementsAre(1 + 32, 2 + 32));
  EXPECT_THAT((*numbers)[3], ElementsAre(1, 2, 3, 1, 2, 3, 1 + 32, 2 + 32));
  EXPECT_THAT((*numbers)[4], ElementsAre(63));
  EXPECT_THAT((*numbers)[5], ElementsAre(2 + 32));
}

TEST_F(CompileCasesTest, MatrixInstructionsMultiplyBf16) {
  auto numbers = Run(Compile("bf16_mma"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 8; ++column) EXPECT_EQ((*numbers)[0][row * 8 + column], 1 + 16 * row * column);
  }
}

TEST_F(CompileCasesTest, MatrixInstructionsMultiplyTf32) {
  auto numbers = Run(Compile("mma_tf32"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  EXPECT_THAT((*numbers)[0], testing::Each(8 * 1 * 2));
}

TEST_F(CompileCasesTest, KernelsTransferVectors) {
  auto numbers = Run(Compile("transfers"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  const std::vector<double>&x = (*numbers)[0], &y = (*numbers)[1], &dynamic = (*numbers)[2],
        &transposed = (*numbers)[3];
  for (int row = 0; row < 40; ++row) {
    for (int column = 0; column < 7; ++column) {
      const double value = x[row * 7 + column];
      const bool is_masked_in = row % 4 == 0 && column == 0;
      EXPECT_EQ(y[row * 7 + column], is_masked_in ? value : 2 * value);
      EXPECT_EQ(transposed[column * 40 + row], 2 * value);
      if (row < 7) EXPECT_EQ(dynamic[row * 7 + column], 2 * value);
    }
  }
}

TEST_F(CompileCasesTest, KernelsTransposeVectors) {
  auto numbers = Run(Compile("kernel_vector_transfer"));
  ASSERT_TRUE(numbers.ok()) << numbers.status() << diagnostics_;
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 8; ++column)
      EXPECT_EQ((*numbers)[1][column * 4 + row], (*numbers)[0][row * 8 + column]);
  }
}

TEST_F(CompileCasesTest, TilesArePackedAndUnpacked) {
  absl::StatusOr<CompiledModel> model = Compile("pack_dynamic");
  ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
  std::vector<ModelValue> arguments = Arguments(model->functions[0], 5);
  arguments[0].sizes = {7, 5};
  arguments[0].data = SmallNumbers("f32", 35, /*iota=*/true);
  auto numbers = Run(model, arguments);
  ASSERT_TRUE(numbers.ok()) << numbers.status();
  const std::vector<double>& x = (*numbers)[2];
  EXPECT_EQ((*numbers)[1], x);
  std::vector<double> packed;
  for (int across = 0; across < 3; ++across) {
    for (int down = 0; down < 3; ++down) {
      for (int column = across * 2; column < across * 2 + 2; ++column) {
        for (int row = down * 3; row < down * 3 + 3; ++row) {
          packed.push_back(row < 7 && column < 5 ? x[row * 5 + column] : 0);
        }
      }
    }
  }
  EXPECT_EQ((*numbers)[0], packed);
}

// Arguments in device memory that is aligned to an element alone; here device memory is the host's.
TEST_F(CompileCasesTest, DeviceArgumentsThatAreNotAlignedAreAnError) {
  options_.process_args = false;
  absl::StatusOr<CompiledModel> model = Compile("device_product");
  ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
  auto object = LoadHostObject(model->output);
  ASSERT_TRUE(object.ok()) << object.status();
  auto entry = (*object)->Lookup(model->functions[0].CSymbol());
  ASSERT_TRUE(entry.ok()) << entry.status();
  struct Matrix {
    float *allocated, *aligned;
    int64_t offset = 0, sizes[2] = {32, 32}, strides[2] = {32, 1};
  };
  alignas(64) static float memory[3][32 * 32 + 16];
  auto call = [&](std::array<int, 3> skipped) {
    Matrix operands[3];
    for (int i = 0; i < 3; ++i) {
      std::fill(std::begin(memory[i]), std::end(memory[i]), 1.0F);
      operands[i].allocated = operands[i].aligned = memory[i] + skipped[i];
    }
    reinterpret_cast<void (*)(Matrix*, Matrix*, Matrix*)>(*entry)(&operands[0], &operands[1], &operands[2]);
    return TakeMgpuError();
  };
  for (std::array<int, 3> skipped : {std::array{0, 0, 0}, {4, 8, 12}}) {
    EXPECT_TRUE(call(skipped).ok());
    EXPECT_EQ(memory[2][skipped[2] + 1023], 32);
    EXPECT_EQ(memory[2][skipped[2] + 1024], 1);
  }
  for (std::array<int, 3> skipped : {std::array{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}) {
    const absl::Status status = call(skipped);
    EXPECT_THAT(status.message(), HasSubstr("begins at no multiple of 16 bytes: align the function's argument so"));
  }
  (*object)->RunDestructors();
}

// Kernels and host code of the author's own.
TEST_F(CompileCasesTest, MemoryThatTheModuleSharesWithTheDevice) {
  auto shared = Run(Compile("gpu_alloc_host_shared"));
  ASSERT_TRUE(shared.ok()) << shared.status() << diagnostics_;
  EXPECT_THAT((*shared)[0], ElementsAre(1000));
  auto registered = Run(Compile("host_register"));
  ASSERT_TRUE(registered.ok()) << registered.status() << diagnostics_;
  EXPECT_THAT((*registered)[0], ElementsAre(2, 2, 4, 2));
  auto matmul = Run(Compile("linalg_in_launch"));
  ASSERT_TRUE(matmul.ok()) << matmul.status() << diagnostics_;
  const std::vector<double>&a = (*matmul)[0], &b = (*matmul)[1], &c = (*matmul)[2];
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 8; ++column) {
      double expected = 1 + (row * 8 + column) % 3;  // What was there.
      for (int k = 0; k < 4; ++k) expected += a[row * 4 + k] * b[k * 8 + column];
      EXPECT_EQ(c[row * 8 + column], expected);
    }
  }
  auto empty = Compile("zero_sized_grid");
  ASSERT_TRUE(empty.ok()) << diagnostics_;
  auto nothing = Run(empty, Arguments(empty->functions[0], 0));
  EXPECT_TRUE(nothing.ok()) << nothing.status();
}

}  // namespace
}  // namespace mmtune
