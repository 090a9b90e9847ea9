// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Models as torch-mlir writes them (tests/data/models), unedited: right within bounds against torch's own values, and
// no more launches and transfers than docs/models.md says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "absl/strings/match.h"
#include "kernels/simulator/ptx/ptx_compiler.h"
#include "tests/kernels/compiler/model/model_values.h"
#include "tests/kernels/compiler/model/simt_model_test.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

struct ExportedModel {
  std::string name;
  double bound;  ///< The largest error of an element, in parts of the largest magnitude of its result.
  int launches;  ///< In a call, at most.
  int ideal;     ///< The launches of a good engineer: no model of known sizes launches more than twice that.
  int uploads;   ///< In a call, at most: what stays on the device is not among them.
  int downloads;
  bool narrow_f64 = false;
  std::vector<int64_t> sizes = {0};  ///< The dynamic sizes, once for each run that the .bin has.
  std::string arch = "sm_80";        ///< The architecture whose PTX the SIMT device runs.
};

/// torch-mlir writes 0.797724 for the factor of gelu (tanh) that torch has as sqrt(2 / pi), 0.797885.
constexpr double kF32 = 2e-6, kF32Gelu = 2e-5, kF16 = 4e-3, kBf16 = 3e-2;

const ExportedModel kModels[] = {
    {"bert", kF32, 11, 9, 2, 1},
    {"bert", kF32, 11, 9, 2, 1, /*narrow_f64=*/true},
    {"bert_dynamic", kF32, 17, 9, 2, 1, /*narrow_f64=*/false, {2, 5}},
    {"bert_f16", kF16, 12, 9, 2, 1},
    {"bert_whole_bf16", kBf16, 16, 9, 2, 1},
    {"decode", kF32, 9, 7, 3, 3},
    {"decode_index", kF32, 12, 7, 4, 3},
    {"decode_put", kF32, 13, 7, 4, 3},
    {"dilated", kF32, 12, 6, 1, 1},
    {"gpt", kF32Gelu, 9, 7, 1, 1},
    {"gpt", kF32Gelu, 9, 7, 1, 1, /*narrow_f64=*/true},
    {"gpt2_hf", kF32Gelu, 15, 10, 1, 1},
    {"gpt_bf16", kBf16, 11, 7, 1, 1},
    {"gpt_dynamic", kF32Gelu, 17, 7, 1, 1, /*narrow_f64=*/false, {8, 13}},
    {"jax_cnn", kF32, 7, 5, 1, 1},
    {"jax_mlp", kF32, 4, 3, 1, 1},
    {"llama", kF32, 15, 9, 1, 1},
    {"llama_bf16", kBf16, 16, 9, 1, 1},
    {"llama_grouped", kF32, 10, 6, 1, 1},
    {"llama_grouped_bf16", kBf16, 11, 6, 1, 1},
    {"llama_groups", kF32, 15, 9, 1, 1},
    {"llama_whole_bf16", kBf16, 18, 9, 1, 1},
    {"lora", kF32, 3, 2, 1, 1},
    {"lora_bf16", kBf16, 4, 2, 1, 1},
    {"lstm_cell", kF32, 3, 2, 3, 2},
    {"mlp", kF32, 3, 3, 1, 1},
    {"mlp_bf16", kBf16, 3, 3, 1, 1},
    {"mlp_dynamic", kF32, 3, 3, 1, 1, /*narrow_f64=*/false, {5}},
    {"mlp_f16", kF16, 3, 3, 1, 1},
    {"mixture", kF32, 6, 5, 1, 1},
    {"mixture_topk", kF32, 9, 5, 1, 1},
    {"resnet", kF32, 6, 3, 1, 1},
    {"resnet_bf16", kBf16, 6, 3, 1, 1},
    {"resnet_down", kF32, 8, 4, 1, 1},
    {"resnet_f16", kF16, 6, 3, 1, 1},
    {"resnet_plain", kF32, 6, 3, 1, 1},
    {"rotary_decode", kF32, 14, 8, 4, 3},
    {"slices", kF32, 3, 2, 1, 1},
    {"swin", kF32, 10, 5, 1, 1},
    {"two_tower", kF32, 7, 7, 2, 1},
    {"vit", kF32, 17, 12, 1, 1},
    {"vit_f16", kF16, 19, 12, 1, 1},
};

class ExportedModelsTest : public SimtModelTest, public testing::WithParamInterface<ExportedModel> {
 protected:
  void ExpectTorchsValues();

  absl::StatusOr<CompiledModel> Compile(const std::string& name) {
    const std::string path = std::string(EXPORTED_MODELS "/") + name + ".mlir";
    return (*ModelCompiler::Create())
        ->Compile(ReadWhole(path), path, options_, ModelStage::kObject,
                  [this](std::string_view line) { diagnostics_ += line; });
  }
};

/// Takes values one after the other from a .bin file.
class Values {
 public:
  explicit Values(const std::string& name) : bytes_(ReadWhole(std::string(EXPORTED_MODELS "/") + name + ".bin")) {}

  ModelValue Take(const ModelType& type, int64_t dynamic_size) {
    ModelValue value{type, type.shape, {}};
    for (int64_t& size : value.sizes) size = size < 0 ? dynamic_size : size;
    const auto size = static_cast<size_t>(value.Elements() * *ModelElementBytes(type.element));
    EXPECT_LE(at_ + size, bytes_.size());
    value.data.assign(bytes_.begin() + static_cast<ptrdiff_t>(at_),
                      bytes_.begin() + static_cast<ptrdiff_t>(at_ + size));
    at_ += size;
    return value;
  }
  bool AtEnd() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

void ExpectNear(const ModelValue& actual, const ModelValue& expected, double bound) {
  ASSERT_EQ(actual.sizes, expected.sizes);
  const std::vector<double> a = AsNumbers(actual.type.element, actual.data);
  const std::vector<double> b = AsNumbers(expected.type.element, expected.data);
  ASSERT_FALSE(b.empty());
  ASSERT_EQ(a.size(), b.size());
  double largest = 0;
  for (double value : b) largest = std::max(largest, std::abs(value));
  ASSERT_GT(largest, 0);
  for (size_t i = 0; i < a.size(); ++i) {
    ASSERT_LE(std::abs(a[i] - b[i]), bound * largest) << "element " << i << ": " << a[i] << ", torch has " << b[i];
  }
}

/// Compiles and runs the model twice for each size.
void ExportedModelsTest::ExpectTorchsValues() {
  const ExportedModel& expected = GetParam();
  options_.narrow_f64 = expected.narrow_f64;
  absl::StatusOr<CompiledModel> model = Compile(expected.name);
  ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
  EXPECT_EQ(absl::StrContains(diagnostics_, "is computed in f32 (--narrow-f64)"), expected.narrow_f64);
  ASSERT_EQ(model->functions.size(), 1u);
  if (expected.sizes == std::vector<int64_t>{0}) {
    EXPECT_LE(expected.launches, 2 * expected.ideal);
  }
  const ModelFunction& forward = model->functions[0];
  Values values(expected.name);
  const MgpuCounters before = GetMgpuCounters();
  {
    absl::StatusOr<std::unique_ptr<ModelRunner>> runner = ModelRunner::Load(*model);
    ASSERT_TRUE(runner.ok()) << runner.status();
    for (int64_t size : expected.sizes) {
      std::vector<ModelValue> arguments, results;
      for (const ModelType& type : forward.arguments) arguments.push_back(values.Take(type, size));
      for (const ModelType& type : forward.results) results.push_back(values.Take(type, size));
      for (bool is_first : {true, false}) {
        const MgpuCounters start = GetMgpuCounters();
        std::vector<ModelValue> given = arguments;
        absl::StatusOr<std::vector<ModelValue>> made = (*runner)->Run(forward, &given);
        ASSERT_TRUE(made.ok()) << made.status();
        ASSERT_EQ(made->size(), results.size());
        for (size_t i = 0; i < results.size(); ++i) ExpectNear((*made)[i], results[i], expected.bound);
        if (is_first) continue;
        const MgpuCounters end = GetMgpuCounters();
        EXPECT_LE(end.launches - start.launches, expected.launches);
        EXPECT_LE(end.uploads - start.uploads, expected.uploads);
        EXPECT_LE(end.downloads - start.downloads, expected.downloads);
        EXPECT_EQ(end.allocations - start.allocations, end.frees - start.frees) << "a call leaks";
      }
    }
  }
  EXPECT_TRUE(values.AtEnd());
  const MgpuCounters after = GetMgpuCounters();
  EXPECT_EQ(after.allocations - before.allocations, after.frees - before.frees) << "constants leak";
}

TEST_P(ExportedModelsTest, GivesTorchsValues) { ExpectTorchsValues(); }

/// The same models compiled for a GPU; the SIMT device runs the PTX that ships.
class ExportedModelsPtxTest : public ExportedModelsTest {
 protected:
  void SetUp() override {
    simt::SimtOptions options;
    options.arch = GetParam().arch;
    device_ = *ptx::createPtxDevice(options);
    SetMgpuDevice(device_.get(), MgpuOptions{.poison_allocations = true});
    options_.target.device = *ArchitectureLimits(options.arch);
    options_.target.device.kind = DeviceKind::kCuda;
    options_.target.device.multiprocessors = 108;
    options_.target.assemble = false;
  }
};

TEST_P(ExportedModelsPtxTest, GivesTorchsValues) { ExpectTorchsValues(); }

/// One device runs the PTX and, compiled with the same schedules, the code that is lowered from the NVVM dialect.
TEST_P(ExportedModelsPtxTest, GivesTheBitsOfTheLoweringFromNvvm) {
  options_.narrow_f64 = GetParam().narrow_f64;
  options_.target = {};
  options_.target.device = device_->info();
  std::vector<std::vector<std::string>> bits;  // The bits of each result, by road.
  for (const bool shipped_ptx : {true, false}) {
    options_.target.shipped_ptx = shipped_ptx;
    const absl::StatusOr<CompiledModel> model = Compile(GetParam().name);
    ASSERT_TRUE(model.ok()) << model.status() << diagnostics_;
    EXPECT_EQ(absl::StrContains(model->output, ".target " + GetParam().arch), shipped_ptx);
    const absl::StatusOr<std::unique_ptr<ModelRunner>> runner = ModelRunner::Load(*model);
    ASSERT_TRUE(runner.ok()) << runner.status();
    const ModelFunction& forward = model->functions[0];
    Values values(GetParam().name);
    std::vector<std::string>& results = bits.emplace_back();
    for (int64_t size : GetParam().sizes) {
      std::vector<ModelValue> arguments;
      for (const ModelType& type : forward.arguments) arguments.push_back(values.Take(type, size));
      const absl::StatusOr<std::vector<ModelValue>> made = (*runner)->Run(forward, &arguments);
      ASSERT_TRUE(made.ok()) << made.status();
      for (const ModelValue& value : *made) results.emplace_back(value.data.begin(), value.data.end());
      for (const ModelType& type : forward.results) values.Take(type, size);
    }
  }
  ASSERT_EQ(bits[0].size(), bits[1].size());
  for (size_t i = 0; i < bits[0].size(); ++i) EXPECT_TRUE(bits[0][i] == bits[1][i]) << "result " << i;
}

/// Those whose powers of negative numbers PTX and the SIMT device's own code once computed differently, and others of
/// each kind; all of them in whole sweeps.
std::vector<ExportedModel> ModelsThroughPtx() {
  static const std::set<std::string> kOthers = {"gpt2_hf", "gpt_bf16", "bert_f16", "mixture", "resnet_down", "swin"};
  std::vector<ExportedModel> models;
  for (ExportedModel model : kModels) {
    if (!WholeSweeps() && !absl::StartsWith(model.name, "llama") && kOthers.count(model.name) == 0) continue;
    models.push_back(model);
    model.arch = "sm_90";
    if (WholeSweeps() || model.name == "llama" || model.name == "gpt_bf16") models.push_back(model);
  }
  return models;
}

INSTANTIATE_TEST_SUITE_P(Ptx, ExportedModelsPtxTest, testing::ValuesIn(ModelsThroughPtx()), [](const auto& info) {
  return info.param.name + (info.param.narrow_f64 ? "_narrow_" : "_") + info.param.arch;
});

INSTANTIATE_TEST_SUITE_P(All, ExportedModelsTest, testing::ValuesIn(kModels),
                         [](const auto& info) { return info.param.name + (info.param.narrow_f64 ? "_narrow" : ""); });

}  // namespace
}  // namespace mmtune
