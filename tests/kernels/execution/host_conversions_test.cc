// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code for several processors: what one has no instruction for is a call, which has to be found.
#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/compiler/codegen/llvm_codegen.h"
#include "tests/kernels/execution/test_module.h"

namespace mmtune {
namespace {

class HostConversionsTest : public TestModule, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (absl::Status status = checkRunsHere(GetParam()); !status.ok()) GTEST_SKIP() << status.message();
    Load(HOST_CONVERSIONS_MODULE, GetParam());
  }
};

// The last two of f32 are subnormal, as f32 and as bf16, which the instruction of AVX512-BF16 makes zeros. The third
// and fourth of f64 are ties once they are f32.
const std::vector<float> kSingles = {1.0f,     -2.5f,    1.00390625f, 1.01171875f,   65519.0f,
                                     65520.0f, 3.39e38f, 6.1e-5f,     2.9802322e-8f, 0.0f,
                                     -0.0f,    INFINITY, 0x1p-133f,   -0x1.5p-128f};
const std::vector<double> kDoubles = {1.0,     -2.5,      1.00390625000001, 1.01171874999999, 65519.99,
                                      65520.0, 3.4e38,    6.1e-5,           2.98023224e-8,    1e-310,
                                      -0.0,    -INFINITY, 0x1p-133,         -0x1.5p-128};

TEST_P(HostConversionsTest, ToBfloat) {
  const auto n = static_cast<int64_t>(kSingles.size());
  std::vector<ModelValue> arguments = {Buffer({n}, kSingles), Buffer({n}, kDoubles),
                                       Buffer({n}, std::vector<uint16_t>(n)), Buffer({n}, std::vector<uint16_t>(n))};
  Run("to_bf16", &arguments);
  EXPECT_EQ(Values<uint16_t>(arguments[2]),
            (std::vector<uint16_t>{0x3f80, 0xc020, 0x3f80, 0x3f82, 0x4780, 0x4780, 0x7f7f, 0x3880, 0x3300, 0x0000,
                                   0x8000, 0x7f80, 0x0001, 0x802a}));
  EXPECT_EQ(Values<uint16_t>(arguments[3]),
            (std::vector<uint16_t>{0x3f80, 0xc020, 0x3f81, 0x3f81, 0x4780, 0x4780, 0x7f80, 0x3880, 0x3300, 0x0000,
                                   0x8000, 0xff80, 0x0001, 0x802a}));
}

TEST_P(HostConversionsTest, ToHalf) {
  const auto n = static_cast<int64_t>(kSingles.size());
  std::vector<ModelValue> arguments = {Buffer({n}, kSingles), Buffer({n}, kDoubles),
                                       Buffer({n}, std::vector<uint16_t>(n)), Buffer({n}, std::vector<uint16_t>(n))};
  Run("to_f16", &arguments);
  EXPECT_EQ(Values<uint16_t>(arguments[2]),
            (std::vector<uint16_t>{0x3c00, 0xc100, 0x3c04, 0x3c0c, 0x7bff, 0x7c00, 0x7c00, 0x03ff, 0x0000, 0x0000,
                                   0x8000, 0x7c00, 0x0000, 0x8000}));
  EXPECT_EQ(Values<uint16_t>(arguments[3]),
            (std::vector<uint16_t>{0x3c00, 0xc100, 0x3c04, 0x3c0c, 0x7bff, 0x7c00, 0x7c00, 0x03ff, 0x0001, 0x0000,
                                   0x8000, 0xfc00, 0x0000, 0x8000}));
}

TEST_P(HostConversionsTest, FromBoth) {
  std::vector<ModelValue> arguments = {Buffer({4}, std::vector<uint16_t>{0x3c00, 0x0001, 0xfbff, 0x7c00}),
                                       Buffer({4}, std::vector<uint16_t>{0x3f80, 0x0001, 0xff7f, 0x7f80}),
                                       Buffer({4}, std::vector<double>(4)), Buffer({4}, std::vector<double>(4))};
  Run("widen", &arguments);
  EXPECT_EQ(Values<double>(arguments[2]), (std::vector<double>{1, 0x1p-24, -65504, INFINITY}));
  EXPECT_EQ(Values<double>(arguments[3]), (std::vector<double>{1, 0x1p-133, -0x1.fep127, INFINITY}));
}

TEST_P(HostConversionsTest, Arithmetic) {
  std::vector<ModelValue> arguments = {Buffer({}, std::vector<uint16_t>{0x40b0}),
                                       Buffer({}, std::vector<uint16_t>{0x4580}),
                                       Buffer({}, std::vector<int64_t>{257})};  // 5.5 and 5.5
  const std::vector<ModelValue> results = Run("arithmetic", &arguments);
  const uint16_t expected[] = {0x4130, 0x4016, 0x4380, 0x4f90, 0x40b1, 0x5c04};
  ASSERT_EQ(results.size(), std::size(expected));
  for (size_t i = 0; i < results.size(); ++i) EXPECT_EQ(Values<uint16_t>(results[i])[0], expected[i]) << i;
}

TEST_P(HostConversionsTest, Calls) {
  const int64_t x = 0x123456789abcdef, y = 0x1000001;
  std::vector<ModelValue> arguments = {Buffer({}, std::vector<int64_t>{x}), Buffer({}, std::vector<int64_t>{y << 38}),
                                       Buffer({}, std::vector<float>{2.5f}), Buffer({}, std::vector<int32_t>{3})};
  const std::vector<ModelValue> results = Run("calls", &arguments);
  ASSERT_EQ(results.size(), 5u);
  __extension__ using Wide = __int128;
  EXPECT_EQ(Values<int64_t>(results[0])[0], static_cast<int64_t>(Wide{x} * x / (y << 38)));
  EXPECT_EQ(Values<int64_t>(results[1])[0], static_cast<int64_t>(Wide{x} * x % (y << 38)));
  EXPECT_EQ(Values<float>(results[2])[0], 15.625f);
  EXPECT_EQ(Values<float>(results[3])[0], 2.0f);
  EXPECT_EQ(Values<float>(results[4])[0], 8.75f);
}

INSTANTIATE_TEST_SUITE_P(Processors, HostConversionsTest,
                         testing::Values("native", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(HostCpuTest, KnowsWhatLlvmKnows) {
  for (const char* name : {"x86-64", "x86-64-v3", "skylake", "znver4"}) {
    auto cpu = findHostCpu(name);
    ASSERT_TRUE(cpu.ok()) << cpu.status();
    EXPECT_EQ(cpu->name, name);
    EXPECT_EQ(cpu->features, "");
  }
  EXPECT_NE(findHostCpu("native")->features, "");
  for (const char* name : {"sm_90", "i386", "x86_64", "cortex-a53"}) {
    const auto cpu = findHostCpu(name);
    EXPECT_EQ(cpu.status().code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_NE(cpu.status().message().find(name), std::string::npos);
  }
}

TEST(HostCpuTest, TheNameGoesBeforeTheEnvironment) {
  const char* before = std::getenv("MMTUNE_HOST_CPU");
  const std::string kept = before == nullptr ? "" : before;
  setenv("MMTUNE_HOST_CPU", "x86-64-v2", /*overwrite=*/1);
  EXPECT_EQ(findHostCpu("")->name, "x86-64-v2");
  EXPECT_EQ(findHostCpu("x86-64-v3")->name, "x86-64-v3");
  EXPECT_NE(findHostCpu("native")->features, "");
  setenv("MMTUNE_HOST_CPU", "toaster", /*overwrite=*/1);
  EXPECT_EQ(findHostCpu("").status().message().substr(0, 24), "MMTUNE_HOST_CPU=toaster ");
  setenv("MMTUNE_HOST_CPU", kept.c_str(), /*overwrite=*/1);  // Empty is as if there were none.
  EXPECT_TRUE(checkRunsHere("native").ok());
  EXPECT_TRUE(checkRunsHere("x86-64").ok());
}

}  // namespace
}  // namespace mmtune
