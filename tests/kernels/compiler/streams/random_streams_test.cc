// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs with tokens, under both stream policies, on a device that reorders what is not ordered.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/kernels/compiler/streams/random_program.h"
#include "tests/kernels/compiler/streams/stream_program.h"
#include "tests/test_seed.h"

namespace mmtune {
namespace {

using Order = ReorderingDevice::Order;

/// Several functions, so that a module is worth compiling.
struct RandomModule {
  RandomModule(uint32_t first_seed, int count, RandomProgram::Options options) {
    text = absl::StrCat("module attributes {gpu.container_module} {", kTestKernelsText);
    for (int i = 0; i < count; ++i) {
      options.name = absl::StrCat("f", i);
      functions.emplace_back(first_seed + i, options);
      absl::StrAppend(&text, functions.back().text());
    }
    absl::StrAppend(&text, "}\n");
  }
  std::string text;
  std::vector<RandomProgram> functions;
};

RandomProgram::Buffers Arguments() {
  RandomProgram::Buffers buffers(RandomProgram::kHostBuffers, std::vector<int32_t>(TestKernel::kElements));
  int32_t value = 1;
  for (std::vector<int32_t>& buffer : buffers) {
    for (int32_t& element : buffer) element = value++;
  }
  return buffers;
}

/// Returns the failure of one run; empty if there was none.
std::string RunOnce(const std::string& object, const RandomProgram& program, const std::string& name, Order order,
                    uint32_t seed) {
  ReorderingDevice device(TestKernels(), order, seed);
  const MgpuCounters before = GetMgpuCounters();
  SetMgpuDevice(&device);
  RandomProgram::Buffers result = Arguments(), expected = Arguments();
  program.RunReference(&expected);
  std::string problem;
  {
    auto loaded = StreamProgram::Load(object);
    if (!loaded.ok()) return loaded.status().ToString();
    absl::Status status = (*loaded)->Run(name, &result);
    if (!status.ok()) problem = status.ToString();
  }
  SetMgpuDevice(nullptr);
  if (problem.empty() && result != expected) problem = "wrong result";
  if (problem.empty()) problem = Unbalanced(before, GetMgpuCounters());
  return problem;
}

/// The number of functions that went wrong under one of some orders.
int CountWrong(const RandomModule& module, const ProgramOptions& options, bool report) {
  auto object = StreamProgram::Compile(module.text, options);
  if (!object.ok()) {
    ADD_FAILURE() << options.passes << ": " << object.status() << "\n" << module.text;
    return 1;
  }
  int wrong = 0;
  for (size_t i = 0; i < module.functions.size(); ++i) {
    const std::string name = absl::StrCat("f", i);
    std::string problem = RunOnce(*object, module.functions[i], name, Order::kLate, 0);
    for (uint32_t seed = 1; seed <= 4 && problem.empty(); ++seed) {
      problem = RunOnce(*object, module.functions[i], name, Order::kRandom, seed);
    }
    if (problem.empty()) continue;
    ++wrong;
    if (report) ADD_FAILURE() << options.passes << ": " << problem << "\n" << module.functions[i].text();
  }
  return wrong;
}

constexpr int kModules = 8, kFunctions = 8;

class RandomStreamsTest : public testing::TestWithParam<const char*> {};

TEST_P(RandomStreamsTest, ComputeWhatProgramOrderComputesAndLeaveNothingBehind) {
  int wrong = 0;
  const auto first = static_cast<uint32_t>(TestSeed(0));
  for (int i = 0; i < kModules && wrong == 0; ++i) {
    wrong += CountWrong(RandomModule(first + 1000 * i, kFunctions, {}), {.passes = GetParam()}, true);
  }
}

TEST_P(RandomStreamsTest, WithoutTokensAccessesOrderThem) {
  int wrong = 0;
  const auto first = static_cast<uint32_t>(TestSeed(0));
  for (int i = 0; i < kModules && wrong == 0; ++i) {
    wrong +=
        CountWrong(RandomModule(first + 1000 * i, kFunctions, {.asynchronous = false}), {.passes = GetParam()}, true);
  }
}

INSTANTIATE_TEST_SUITE_P(Passes, RandomStreamsTest,
                         testing::Values("func.func(linearize-gpu-tokens)", "assign-gpu-streams",
                                         "assign-gpu-streams{max-streams=1}",
                                         "assign-gpu-streams{max-streams=2 max-deferred-bytes=40}",
                                         "assign-gpu-streams{max-streams=16 distinct-arguments=true}",
                                         "assign-gpu-streams,canonicalize"));

class AfterAsyncRegionTest : public testing::TestWithParam<const char*> {};

TEST_P(AfterAsyncRegionTest, WhatGpuAsyncRegionMakesRuns) {
  const std::string passes = absl::StrCat("func.func(gpu-async-region),", GetParam());
  int wrong = 0;
  const auto first = static_cast<uint32_t>(TestSeed(0));
  for (int i = 0; i < 4 && wrong == 0; ++i) {
    wrong += CountWrong(RandomModule(first + 1000 * i, kFunctions, {.asynchronous = false}), {.passes = passes}, true);
  }
}

INSTANTIATE_TEST_SUITE_P(Passes, AfterAsyncRegionTest,
                         testing::Values("func.func(linearize-gpu-tokens)", "assign-gpu-streams"));

// The verification that the tests above can fail: the same programs without the waits for events.
TEST(MissingEventTest, IsAWrongResult) {
  int wrong = 0, functions = 0;
  const auto first = static_cast<uint32_t>(TestSeed(0));
  for (int i = 0; i < 4; ++i) {
    const RandomModule module(first + 1000 * i, kFunctions, {.regions = false});
    functions += kFunctions;
    wrong += CountWrong(module, {.passes = "assign-gpu-streams", .drop_event_waits = true}, false);
  }
  EXPECT_GE(wrong, functions / 2);
}

}  // namespace
}  // namespace mmtune
