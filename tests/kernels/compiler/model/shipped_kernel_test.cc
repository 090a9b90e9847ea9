// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tuned kernel is the shipped kernel: final compilation makes the very image that a worker measured.
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "kernels/compiler/model/model_compiler.h"

namespace mmtune {
namespace {

/// C = A * B with what the problem's epilogue says, as a module on tensors. Accumulators and epilogue are f32; without
/// an epilogue that is what it returns.
std::string ModuleText(const MatmulProblem& p) {
  const std::string type(DataTypeName(p.dtype)), stored(DataTypeName(p.TypeOfC()));
  const bool narrow = p.dtype != DataType::kF32;
  const std::string a = absl::StrCat("tensor<", p.m, "x", p.k, "x", type, ">");
  const std::string b = absl::StrCat("tensor<", p.k, "x", p.n, "x", type, ">");
  const std::string c = absl::StrCat("tensor<", p.m, "x", p.n, "xf32>");
  const std::string out = absl::StrCat("tensor<", p.m, "x", p.n, "x", stored, ">");
  const std::string bias = absl::StrCat("tensor<", p.n, "x", stored, ">");
  std::string text =
      absl::StrCat("func.func @matmul(%a: ", a, ", %b: ", b, ", %bias: ", bias, ") -> ", out, " {\n",
                   "  %zero = arith.constant 0.0 : f32\n", "  %empty = tensor.empty() : ", c, "\n",
                   "  %fill = linalg.fill ins(%zero : f32) outs(%empty : ", c, ") -> ", c, "\n",
                   "  %matmul = linalg.matmul ins(%a, %b : ", a, ", ", b, ") outs(%fill : ", c, ") -> ", c, "\n");
  if (p.epilogue.empty()) return absl::StrCat(text, "  return %matmul : ", c, "\n}\n");
  return absl::StrCat(text, "  %out = tensor.empty() : ", out, "\n",
                      "  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,\n"
                      "    affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],\n"
                      "    iterator_types = [\"parallel\", \"parallel\"]}\n"
                      "    ins(%matmul, %bias : ",
                      c, ", ", bias, ") outs(%out : ", out, ") {\n", "  ^bb0(%x: f32, %y: ", stored, ", %old: ", stored,
                      "):\n", narrow ? "    %w = arith.extf %y : " + type + " to f32\n" : "",
                      "    %s = arith.addf %x, ", narrow ? "%w" : "%y", " : f32\n",
                      "    %r = arith.maximumf %s, %zero : f32\n",
                      narrow ? "    %t = arith.truncf %r : f32 to " + type + "\n" : "", "    linalg.yield ",
                      narrow ? "%t" : "%r", " : ", stored, "\n  } -> ", out, "\n  return %sum : ", out, "\n}\n");
}

struct Shipped {
  const char* name;
  DeviceKind kind;
  const char* arch;
  const char* epilogue;
  const char* schedule;
  DataType dtype = DataType::kF32;
};

class ShippedKernelTest : public testing::TestWithParam<Shipped> {};

TEST_P(ShippedKernelTest, HasTheDigestOfTheMeasuredOne) {
  const Shipped& param = GetParam();
  TuningSpecEntry entry;
  entry.problem.m = 200, entry.problem.n = 136, entry.problem.k = 72;
  entry.problem.epilogue = *ParseEpilogue(param.epilogue);
  entry.problem.dtype = param.dtype;
  if (param.dtype != DataType::kF32 && entry.problem.epilogue.empty()) entry.problem.out = OutputType::kF32;
  entry.schedule = *ParseSchedule(param.schedule);
  entry.device = *ArchitectureLimits(param.arch);
  entry.device.kind = param.kind;
  entry.device.arch = param.arch;
  entry.median_ns = 1000;

  std::unique_ptr<Compiler> compiler = *Compiler::Create();
  absl::StatusOr<CompiledKernel> tuned = compiler->Compile(entry.problem, entry.schedule, {entry.device});
  ASSERT_TRUE(tuned.ok()) << tuned.status();
  entry.code_digest = tuned->code_digest;

  ModelOptions options;
  options.target.device = entry.device;
  options.spec.entries = {entry};
  std::string diagnostics;
  std::unique_ptr<ModelCompiler> models = *ModelCompiler::Create();
  absl::StatusOr<CompiledModel> model =
      models->Compile(ModuleText(entry.problem), "matmul.mlir", options, ModelStage::kObject,
                      [&](std::string_view text) { diagnostics += text; });
  ASSERT_TRUE(model.ok()) << model.status() << "\n" << diagnostics;

  ASSERT_EQ(model->kernels.size(), 1u) << diagnostics;
  const ModelKernel& shipped = model->kernels[0];
  EXPECT_EQ(shipped.source, "spec") << diagnostics;
  EXPECT_EQ(shipped.problem, entry.problem.Text());
  EXPECT_EQ(shipped.schedule, entry.schedule.Text());
  EXPECT_EQ(shipped.expected_digest, tuned->code_digest);
  EXPECT_EQ(shipped.code_digest, tuned->code_digest);
}

constexpr char kSync[] =
    "fma async=0 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=2 stream_k=1 tm=4 tn=4 unroll_k=16";
constexpr char kAsync[] =
    "fma async=1 bk=16 bm=64 bn=64 fragments=1 group_m=4 kmajor_a=1 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
    "reduction=0 slice_k=1 split_k=1 "
    "stages=3 stream_k=1 tm=4 tn=4 unroll_k=16";
constexpr char kSplit[] =
    "fma async=0 bk=16 bm=64 bn=64 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=0 pad_b=0 "
    "reduction=2 slice_k=1 split_k=2 "
    "stages=1 stream_k=1 tm=4 tn=4 unroll_k=16";

constexpr char kMma[] =
    "mma async=1 bk=32 bm=64 bn=64 group_m=1 min_blocks=1 prefetch=1 reduction=0 slice_k=1 split_k=1 stages=3 "
    "stream_k=1 wm=32 wn=32";

INSTANTIATE_TEST_SUITE_P(
    Schedules, ShippedKernelTest,
    testing::Values(Shipped{"SimtSync", DeviceKind::kSimt, "sm_80", "", kSync},
                    Shipped{"SimtFused", DeviceKind::kSimt, "sm_80", "bias,relu", kSync},
                    Shipped{"SimtSplit", DeviceKind::kSimt, "sm_80", "", kSplit},
                    Shipped{"CudaSync", DeviceKind::kCuda, "sm_75", "", kSync},
                    Shipped{"CudaAsync", DeviceKind::kCuda, "sm_90", "", kAsync},
                    Shipped{"CudaFused", DeviceKind::kCuda, "sm_90", "bias,relu", kAsync},
                    Shipped{"CudaDirect", DeviceKind::kCuda, "sm_80", "", "direct bx=16 by=16 tm=4 tn=4"},
                    Shipped{"SimtF16", DeviceKind::kSimt, "sm_80", "", kMma, DataType::kF16},
                    Shipped{"CudaBf16Fused", DeviceKind::kCuda, "sm_90", "bias,relu", kMma, DataType::kBf16}),
    [](const testing::TestParamInfo<Shipped>& info) { return info.param.name; });

}  // namespace
}  // namespace mmtune
