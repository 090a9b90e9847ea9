// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules of linalg operations, compiled for the SIMT device and run, against the same modules as loops on the CPU.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "kernels/compiler/model/model_compiler.h"
#include "kernels/compiler/model/model_runner.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "kernels/simulator/simt_device.h"
#include "tests/test_seed.h"

namespace mmtune {

template <typename T>
void Append(T value, std::vector<char>& data) {
  const char* bytes = reinterpret_cast<const char*>(&value);
  data.insert(data.end(), bytes, bytes + sizeof(T));
}

/// Integers from -3 to 3 in the element's type.
inline void AppendSmallInteger(const std::string& element, int value, std::vector<char>& data) {
  if (element == "f32") Append<float>(value, data);
  if (element == "f64") Append<double>(value, data);
  if (element == "f16" || element == "bf16") {
    const auto number = static_cast<float>(value);
    uint16_t encoded = 0;
    TraitsOf(*ParseDataType(element)).encode(&number, 1, &encoded);
    Append(encoded, data);
  }
  if (element == "i8") Append<int8_t>(static_cast<int8_t>(value), data);
  if (element == "i32") Append<int32_t>(value, data);
  if (element == "i64" || element == "index") Append<int64_t>(value, data);
}

class LinalgExecutionTest : public ::testing::Test {
 protected:
  LinalgExecutionTest() : before_(GetMgpuCounters()) { UseDevice(*CreateSimtDevice("sm_90")); }

  ~LinalgExecutionTest() override {
    tested_ = {};
    reference_ = {};
    const MgpuCounters after = GetMgpuCounters();
    EXPECT_GT(after.launches, before_.launches);
    EXPECT_EQ(after.allocations - before_.allocations, after.frees - before_.frees);
    EXPECT_EQ(after.streams_created - before_.streams_created, after.streams_destroyed - before_.streams_destroyed);
    EXPECT_EQ(after.modules_loaded - before_.modules_loaded, after.modules_unloaded - before_.modules_unloaded);
    EXPECT_TRUE(TakeMgpuError().ok());
    SetMgpuDevice(nullptr);
  }

  void UseDevice(std::unique_ptr<Device> device) {
    MgpuOptions options;
    options.poison_allocations = true;
    SetMgpuDevice(device.get(), options);
    device_ = std::move(device);
  }

  /// From now on a data race, or an access out of bounds, fails what runs.
  void DetectRaces() {
    simt::SimtOptions options;
    options.arch = "sm_90";
    options.race_detector = race_detection_ = true;
    UseDevice(*simt::SimtDevice::Create(options));
  }

  struct Program {
    CompiledModel model;
    std::unique_ptr<ModelRunner> runner;
  };

  /// Compiles `file` for the device, with a spec, and for the CPU.
  void Load(const std::string& file, TuningSpec spec = {}) {
    const std::string path = std::string(LINALG_MODULES) + "/" + file;
    std::ifstream stream(path);
    LoadText({std::istreambuf_iterator<char>(stream), {}}, path, std::move(spec));
  }

  void LoadText(const std::string& text, const std::string& path, TuningSpec spec) {
    ModelOptions options;
    options.target.device = device_->info();
    options.target.race_detection = race_detection_;
    options.spec = std::move(spec);
    std::string diagnostics;
    auto sink = [&](std::string_view line) { diagnostics += line; };
    std::unique_ptr<ModelCompiler> compiler = *ModelCompiler::Create();
    auto model = compiler->Compile(text, path, options, ModelStage::kObject, sink);
    ASSERT_TRUE(model.ok()) << model.status() << "\n" << diagnostics;
    Link(*std::move(model), tested_);
    auto reference = compiler->CompileReference(text, path, options.sums_as_written, sink);
    ASSERT_TRUE(reference.ok()) << reference.status() << "\n" << diagnostics;
    Link(*std::move(reference), reference_);
  }

  static void Link(CompiledModel model, Program& program) {
    program.runner.reset();
    program.model = std::move(model);
    auto runner = ModelRunner::Load(program.model);
    ASSERT_TRUE(runner.ok()) << runner.status();
    program.runner = *std::move(runner);
  }

  /// Calls every function of both programs with the same arguments; every dynamic extent is `dynamic`.
  void ExpectEqualResults(int64_t dynamic) {
    ASSERT_NE(reference_.runner, nullptr);
    for (const ModelFunction& function : reference_.model.functions) {
      SCOPED_TRACE(function.name + " " + std::to_string(dynamic));
      const std::vector<ModelValue> arguments = Arguments(function, dynamic);
      std::vector<ModelValue> expected_arguments = arguments, got_arguments = arguments;
      auto expected = reference_.runner->Run(function, &expected_arguments);
      ASSERT_TRUE(expected.ok()) << expected.status();
      auto got = tested_.runner->Run(Same(function), &got_arguments);
      ASSERT_TRUE(got.ok()) << got.status();
      ExpectEqual(got_arguments, expected_arguments, "argument ");
      ExpectEqual(*got, *expected, "result ");
    }
  }

  const ModelFunction& Same(const ModelFunction& function) const {
    for (const ModelFunction& other : tested_.model.functions)
      if (other.name == function.name) return other;
    ADD_FAILURE() << "no function " << function.name;
    return function;
  }

  /// Like ExpectEqualResults, but f32 elements may differ by `tolerance` of the largest magnitude.
  void ExpectNearResults(float tolerance) {
    ASSERT_NE(reference_.runner, nullptr);
    for (const ModelFunction& function : reference_.model.functions) {
      SCOPED_TRACE(function.name);
      std::vector<ModelValue> arguments = Arguments(function, /*dynamic=*/0);
      auto expected = reference_.runner->Run(function, &arguments);
      ASSERT_TRUE(expected.ok()) << expected.status();
      auto got = tested_.runner->Run(Same(function), &arguments);
      ASSERT_TRUE(got.ok()) << got.status();
      const std::vector<float> x = Floats((*got)[0]), y = Floats((*expected)[0]);
      ASSERT_EQ(x.size(), y.size());
      float largest = 0;
      for (float value : y) largest = std::max(largest, std::abs(value));
      for (size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], tolerance * largest) << "element " << i;
    }
  }

  static std::vector<float> Floats(const ModelValue& value) {
    std::vector<float> floats(value.data.size() / sizeof(float));
    std::memcpy(floats.data(), value.data.data(), value.data.size());
    return floats;
  }

  static std::vector<ModelValue> Arguments(const ModelFunction& function, int64_t dynamic) {
    std::mt19937_64 rng(TestSeed(11));
    std::vector<ModelValue> arguments;
    for (const ModelType& type : function.arguments) {
      ModelValue value;
      value.type = type;
      for (int64_t extent : type.shape) value.sizes.push_back(extent < 0 ? dynamic : extent);
      const bool scalar = type.kind == ModelType::Kind::kScalar;
      const int64_t count = scalar ? 1 : value.Elements();
      for (int64_t i = 0; i < count; ++i)
        AppendSmallInteger(type.element, scalar ? 3 : static_cast<int>(rng() % 7) - 3, value.data);
      arguments.push_back(std::move(value));
    }
    return arguments;
  }

  static void ExpectEqual(const std::vector<ModelValue>& got, const std::vector<ModelValue>& expected,
                          const std::string& what) {
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].sizes, expected[i].sizes) << what << i;
      EXPECT_TRUE(got[i].data == expected[i].data) << what << i;
    }
  }

  /// How many launches a call of each function makes; every dynamic extent is `dynamic`.
  std::map<std::string, uint64_t> Launches(int64_t dynamic = 0) {
    std::map<std::string, uint64_t> launches;
    for (const ModelFunction& function : tested_.model.functions) {
      std::vector<ModelValue> arguments = Arguments(function, dynamic);
      const uint64_t before = GetMgpuCounters().launches;
      EXPECT_TRUE(tested_.runner->Run(function, &arguments).ok());
      launches[function.name] = GetMgpuCounters().launches - before;
    }
    return launches;
  }

  using Strings = std::map<std::string, std::string>;

  /// Where the schedule of each problem comes from.
  Strings Sources() const {
    Strings sources;
    for (const ModelKernel& kernel : tested_.model.kernels)
      if (!kernel.problem.empty()) sources[kernel.problem] = kernel.source;
    return sources;
  }

  /// One entry, for the first layer of tensors.mlir: two splits of k, so that small problems cannot have it.
  TuningSpec Spec() const {
    TuningSpecEntry entry;
    entry.problem = *ParseMatmulShape("50x96x64", DataType::kF32);
    entry.problem.epilogue = *ParseEpilogue("bias,relu");
    entry.device = device_->info();
    entry.schedule = *ParseSchedule(
        "fma async=1 bk=16 bm=32 bn=32 fragments=1 group_m=1 kmajor_a=0 lm=4 min_blocks=1 order=1 pad_a=4 pad_b=0 "
        "reduction=2 slice_k=1 split_k=2 "
        "stages=2 stream_k=1 tm=2 tn=4 unroll_k=16");
    entry.median_ns = 1000;
    return {{entry}};
  }

  std::unique_ptr<Device> device_;
  MgpuCounters before_;
  bool race_detection_ = false;
  Program tested_, reference_;
};

}  // namespace mmtune
