// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules of linalg operations, compiled for the SIMT device and run, against the same modules as loops on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <random>

#include "kernels/model/model_compiler.h"
#include "kernels/model/model_runner.h"
#include "kernels/runtime/mgpu.h"
#include "kernels/runtime/open_device.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

template <typename T>
void Append(T value, std::vector<char>& data) {
  const char* bytes = reinterpret_cast<const char*>(&value);
  data.insert(data.end(), bytes, bytes + sizeof(T));
}

/// Integers from -3 to 3 in the element's type.
void AppendSmallInteger(const std::string& element, int value, std::vector<char>& data) {
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
  LinalgExecutionTest() : device_(*CreateSimtDevice("sm_90")), before_(GetMgpuCounters()) {
    MgpuOptions options;
    options.poison_allocations = true;
    SetMgpuDevice(device_.get(), options);
  }

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

  struct Program {
    CompiledModel model;
    std::unique_ptr<ModelRunner> runner;
  };

  /// Compiles `file` for the device, with a spec, and for the CPU.
  void Load(const std::string& file, TuningSpec spec = {}) {
    const std::string path = std::string(LINALG_MODULES) + "/" + file;
    std::ifstream stream(path);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    ModelOptions options;
    options.target.device = device_->info();
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

  /// As ExpectEqualResults, but of f32 an element may differ by `tolerance` of the largest magnitude.
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

  /// How many launches a call of each function makes.
  std::map<std::string, uint64_t> Launches() {
    std::map<std::string, uint64_t> launches;
    for (const ModelFunction& function : tested_.model.functions) {
      std::vector<ModelValue> arguments = Arguments(function, /*dynamic=*/0);
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
        "fma async=1 bk=16 bm=32 bn=32 group_m=1 kmajor_a=0 lm=4 min_blocks=1 pad_a=4 pad_b=0 reduction=2 split_k=2 "
        "stages=2 tm=2 tn=4 unroll_k=16");
    entry.median_ns = 1000;
    return {{entry}};
  }

  std::unique_ptr<Device> device_;
  MgpuCounters before_;
  Program tested_, reference_;
};

TEST_F(LinalgExecutionTest, ProductsOnTensorsWithASpec) {
  Load("tensors.mlir", Spec());
  ExpectEqualResults(/*dynamic=*/0);
  EXPECT_EQ(Sources(),
            (Strings{{"50x96x64 epilogue=bias,relu", "spec"}, {"50x40x96", "nearest"}, {"33x65x17", "nearest"}}));
}

TEST_F(LinalgExecutionTest, ProductsOnBuffersWithASpec) {
  Load("products.mlir", Spec());
  ExpectEqualResults(/*dynamic=*/37);
  ExpectEqualResults(/*dynamic=*/1);
  EXPECT_EQ(Sources(), (Strings{{"33x65x17", "nearest"},
                                {"33x65x17 transpose_a epilogue=add", "nearest"},
                                {"33x65x17 transpose_b", "nearest"},
                                {"20x24x16 batch=3 transpose_b epilogue=scale:0.25", "default"},
                                {"9x10x12 batch=4", "default"},
                                {"36x10x12", "default"},
                                {"20x24x16 epilogue=add", "default"},
                                {"7x6x5 f64 epilogue=add", "default"},
                                {"50x96x64 epilogue=add,scale:0.5,bias,relu", "nearest"}}));
}

TEST_F(LinalgExecutionTest, ProductsOf16Bits) {
  Load("narrow.mlir");
  ExpectEqualResults(/*dynamic=*/37);
  ExpectEqualResults(/*dynamic=*/1);
  EXPECT_EQ(Sources(), (Strings{{"50x96x64 bf16 epilogue=bias,relu", "default"},
                                {"50x40x96 bf16", "default"},
                                {"19x9x33 f16", "default"},
                                {"21x25x16 f16 batch=3 transpose_b", "default"},
                                {"20x23x17 bf16 epilogue=add", "default"}}));
}

TEST_F(LinalgExecutionTest, ProductsOfBytesAndDoubles) {
  Load("wide.mlir");
  ExpectEqualResults(/*dynamic=*/0);
  EXPECT_EQ(Sources(), (Strings{{"50x96x64 s8", "default"},
                                {"33x19x70 s8 transpose_a transpose_b", "default"},
                                {"20x40x48 s8", "default"},
                                {"50x96x64 f64 epilogue=bias,relu", "default"}}));
}

TEST_F(LinalgExecutionTest, ProductsOnBuffersWithDefaultSchedules) {
  Load("products.mlir");
  ExpectEqualResults(/*dynamic=*/37);
  for (const auto& [problem, source] : Sources()) EXPECT_EQ(source, "default") << problem;
}

TEST_F(LinalgExecutionTest, WhatOnlyLooksLikeAProductOrAnEpilogue) {
  Load("lookalikes.mlir");
  ExpectEqualResults(/*dynamic=*/0);
  EXPECT_EQ(Sources(), (Strings{{"32x48x16", "default"}}));
}

// The reference is bufferized alike, so arguments are compared with themselves.
TEST_F(LinalgExecutionTest, TensorsOfTheCallerStayWhatTheyAre) {
  Load("tensor_arguments.mlir");
  ExpectEqualResults(/*dynamic=*/0);
  for (const Program* program : {&tested_, &reference_}) {
    ASSERT_NE(program->runner, nullptr);
    for (const ModelFunction& function : program->model.functions) {
      const std::vector<ModelValue> arguments = Arguments(function, 0);
      std::vector<ModelValue> afterwards = arguments;
      ASSERT_TRUE(program->runner->Run(function, &afterwards).ok());
      ExpectEqual(afterwards, arguments, function.name + ", argument ");
    }
  }
}

TEST_F(LinalgExecutionTest, CurvedStepsAsExportersWriteThem) {
  Load("curved.mlir");
  // torch-mlir's factor of gelu_tanh is 2e-4 away from sqrt(2/pi).
  ExpectNearResults(6e-5f);
  EXPECT_EQ(Sources(), (Strings{{"20x24x16 epilogue=scale:0.0625,gelu", "default"},
                                {"21x24x16 epilogue=scale:0.0625,gelu", "default"},
                                {"22x24x16 epilogue=scale:0.0625,gelu_tanh", "default"},
                                {"23x24x16 epilogue=scale:0.0625,gelu_tanh", "default"},
                                {"24x24x16 epilogue=scale:0.0625,silu", "default"},
                                {"25x24x16 epilogue=scale:0.0625,silu", "default"},
                                {"26x24x16 epilogue=scale:0.0625,clamp:-1:6", "default"},
                                {"27x24x16 epilogue=scale:0.0625,clamp:0:6", "default"},
                                {"28x24x16 epilogue=scale:0.0625,clamp:-1:6", "default"},
                                {"29x24x16 epilogue=scale:0.0625", "default"}}));
}

TEST_F(LinalgExecutionTest, WhatExportersWriteTakesFewLaunches) {
  Load("exported.mlir");
  ExpectNearResults(1e-6f);
  EXPECT_EQ(Sources(), (Strings{{"64x64x64 epilogue=bias,relu", "default"},
                                {"33x17x20 transpose_b", "default"},
                                {"40x24x16 transpose_b epilogue=scale:0.0625,silu", "default"},
                                {"40x24x16 epilogue=bias,add", "default"},
                                {"8x24x16 transpose_b epilogue=bias", "default"},
                                {"8x24x12 transpose_b epilogue=bias,add", "default"}}));
  EXPECT_EQ(Launches(), (std::map<std::string, uint64_t>{{"shared_fill_mlp", 3},
                                                         {"transposed_weight", 1},
                                                         {"silu_of_torch", 1},
                                                         {"through_f64", 1},
                                                         {"residual", 2},
                                                         {"gate", 2},
                                                         {"mean_of_squares", 1}}));
}

TEST_F(LinalgExecutionTest, MappedOperations) {
  Load("mapped.mlir");
  ExpectEqualResults(/*dynamic=*/37);
  ExpectEqualResults(/*dynamic=*/1);
  ExpectEqualResults(/*dynamic=*/0);
}

}  // namespace
}  // namespace mmtune
