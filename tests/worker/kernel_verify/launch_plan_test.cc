// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts of launches: expressions, buffers, tensor maps and numbers, and what is said of wrong ones.
#include "worker/kernel_verify/launch_plan.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace mmtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr ShapeSizes kShape = {100, 48, 7};

std::string SizesError(const std::string& text) { return std::string(EvaluateSizes(text, kShape).status().message()); }

TEST(EvaluateSizesTest, EvaluatesByPrecedenceAndRoundsCdivUp) {
  EXPECT_THAT(*EvaluateSizes("cdiv(M,64), N/32 ,K", kShape), ElementsAre(2, 1, 7));
  EXPECT_THAT(*EvaluateSizes("2+3*4-1,(2+3)*4,-M,7%4,--2", kShape), ElementsAre(13, 20, -100, 3, 2));
  EXPECT_THAT(*EvaluateSizes("min(M,N),max(M,N),cdiv(64,64),cdiv(0,5)", kShape), ElementsAre(48, 100, 1, 0));
  EXPECT_THAT(*EvaluateSizes("4", std::nullopt), ElementsAre(4));
}

TEST(EvaluateSizesTest, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(SizesError("4,"), HasSubstr("'4,': expected a number, M, N, K"));
  EXPECT_THAT(SizesError("4 5"), HasSubstr("unexpected text at character 3"));
  EXPECT_THAT(SizesError("Q"), HasSubstr("at character 1"));
  EXPECT_THAT(SizesError("M/(N-48)"), HasSubstr("a division by 0"));
  EXPECT_THAT(SizesError("9223372036854775807+1"), HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(SizesError("99999999999999999999"), HasSubstr("does not fit 64 bits"));
  EXPECT_THAT(SizesError(std::string(100000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(SizesError(std::string(100000, '-')), HasSubstr("nested too deeply"));
  EXPECT_EQ(std::string(EvaluateSizes("cdiv(N,64)", std::nullopt).status().message()),
            "'cdiv(N,64)': N at character 6 has no value; give --shapes MxNxK");
}

ptx::PtxKernel Kernel(const std::vector<uint64_t>& parameter_bytes) {
  ptx::PtxKernel kernel;
  kernel.name = "matmul";
  for (uint64_t bytes : parameter_bytes) kernel.parameters.push_back({"p", bytes});
  return kernel;
}

KernelLaunch Launch(const std::vector<std::string>& arguments) {
  KernelLaunch launch;
  launch.grid = "cdiv(M,64),N";
  launch.block = "128";
  launch.shared = "K*16";
  launch.arguments = arguments;
  return launch;
}

std::string PlanError(const std::vector<std::string>& arguments, const std::vector<uint64_t>& parameter_bytes) {
  return std::string(PlanLaunches({Launch(arguments)}, {Kernel(parameter_bytes)}, kShape).status().message());
}

TEST(PlanLaunchesTest, ReadsEveryKindOfArgument) {
  const auto plan = PlanLaunches({Launch({"A=buffer:f16[M,K+1]=random", "buffer:i32[5]", "A", "map:A[8,1]:swizzle=64",
                                          "f32=0.5", "i32=-M", "u8=7"})},
                                 {Kernel({8, 8, 8, 128, 4, 4, 1})}, kShape);
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_EQ(plan->buffers.size(), 2u);
  EXPECT_EQ(plan->buffers[0].name, "A");
  EXPECT_EQ(plan->buffers[0].bytes(), 2u * 100 * 8);
  EXPECT_EQ(plan->buffers[0].fill, "random");
  EXPECT_EQ(plan->buffers[1].name, "1");
  const PlannedLaunch& launch = plan->launches[0];
  EXPECT_EQ(launch.kernel, "matmul");
  EXPECT_THAT(launch.shape.grid, ElementsAre(2, 48, 1));
  EXPECT_THAT(launch.shape.block, ElementsAre(128, 1, 1));
  EXPECT_EQ(launch.shape.dynamic_shared_bytes, 112u);
  EXPECT_EQ(launch.arguments[2].buffer, std::optional<size_t>(0));
  EXPECT_TRUE(launch.arguments[3].is_map);
  EXPECT_THAT(launch.arguments[3].box, ElementsAre(1, 8));
  EXPECT_EQ(launch.arguments[3].swizzle, 2);
  float half = 0;
  std::memcpy(&half, launch.arguments[4].bytes.data(), 4);
  EXPECT_EQ(half, 0.5f);
  int32_t negative = 0;
  std::memcpy(&negative, launch.arguments[5].bytes.data(), 4);
  EXPECT_EQ(negative, -100);
}

TEST(PlanLaunchesTest, LaterLaunchesUseTheSameBuffers) {
  const auto plan =
      PlanLaunches({Launch({"A=buffer:f32[4]"}), Launch({"A"}), Launch({"buffer:f32[4]"})}, {Kernel({8})}, kShape);
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_EQ(plan->buffers.size(), 2u);
  EXPECT_EQ(plan->launches[1].arguments[0].buffer, std::optional<size_t>(0));
  EXPECT_EQ(plan->buffers[1].name, "2.0");
  EXPECT_THAT(
      std::string(PlanLaunches({Launch({"A=buffer:f32[4]"}), Launch({"B"})}, {Kernel({8})}, kShape).status().message()),
      HasSubstr("launch 1: argument 0 (B): no earlier argument is a buffer named 'B'"));
}

TEST(PlanLaunchesTest, NumberAndSizesOfArgumentsAreThoseOfTheKernel) {
  EXPECT_EQ(PlanError({"i32=1"}, {4, 8}), "the kernel matmul takes another number of arguments (--arg): 2, not 1");
  EXPECT_EQ(PlanError({"i64=1"}, {4}), "argument 0 (i64=1) has 8 bytes, the parameter p has 4");
  EXPECT_EQ(PlanError({"buffer:f32[4]"}, {4}), "argument 0 (buffer:f32[4]) has 8 bytes, the parameter p has 4");
}

TEST(PlanLaunchesTest, StructsAreBytesWithArgumentsInThem) {
  const auto plan = PlanLaunches({Launch({"struct:280{ 8:A=buffer:f16[M,K]=random; 0:i32=cdiv(M,3) ;16:A;24:e5m2=1.5;"
                                          "144:B=buffer:f32[N,8]:map[1,4,8]:swizzle=32}=" +
                                          std::string(560, '7')})},
                                 {Kernel({280})}, kShape);
  ASSERT_TRUE(plan.ok()) << plan.status();
  ASSERT_EQ(plan->buffers.size(), 2u);
  EXPECT_EQ(plan->buffers[0].name, "A");
  EXPECT_EQ(plan->buffers[0].fill, "random");
  const KernelArgument& argument = plan->launches[0].arguments[0];
  EXPECT_EQ(argument.bytes, std::string(280, 'w'));
  ASSERT_EQ(argument.fields.size(), 5u);
  EXPECT_EQ(argument.fields[0].offset, 8u);
  EXPECT_EQ(argument.fields[0].buffer, 0u);
  EXPECT_EQ(argument.fields[1].bytes, std::string("\x22\0\0\0", 4));
  EXPECT_EQ(argument.fields[2].buffer, 0u);
  EXPECT_EQ(argument.fields[3].bytes, "\x3e");
  EXPECT_TRUE(argument.fields[4].is_map);
  EXPECT_THAT(argument.fields[4].box, ElementsAre(8, 4, 1));
  EXPECT_TRUE(NamesShape({Launch({"struct:8{0:i32=K}"})}));
  KernelLaunch fixed;
  fixed.arguments = {"struct:8{0:K=buffer:i8[4]}"};
  EXPECT_FALSE(NamesShape({fixed}));
}

TEST(PlanLaunchesTest, WrongArgumentsAreNamed) {
  for (const auto& [argument, why] : std::vector<std::pair<std::string, std::string>>{
           {"buffer:f17[4]", "there is no type 'f17'; types are f16, bf16"},
           {"buffer:f32", "a buffer is TYPE[DIM,DIM...], then =FILL"},
           {"buffer:f32[4]random", "a buffer is TYPE[DIM,DIM...], then =FILL"},
           {"buffer:f32[0]", "an extent is 0; it must be 1 or more"},
           {"buffer:f32[M*1000000,1000000]", "the buffer is larger than the limit of 1 GiB"},
           {"buffer:i8[4]=value:300", "'value:300' does not fit i8"},
           {"buffer:u8[4]=value:-1", "'value:-1' does not fit u8"},
           {"buffer:i32[4]=value:0.5", "'value:0.5' does not fit i32"},
           {"buffer:i32[4]=value:nan", "'value:nan' does not fit i32"},
           {"buffer:u64[4]=value:1e30", "'value:1e30' does not fit u64"},
           {"buffer:i64[4]=value:9223372036854775808", "does not fit i64"},
           {"buffer:f32[4]=nonsense", "'nonsense' is not random, zeros, iota or value:NUMBER"},
           {"x y=buffer:f32[4]", "'x y' is no name of a buffer"},
           {"i32=3000000000", "3000000000 does not fit i32"},
           {"u32=-1", "-1 does not fit u32"},
           {"i32=1,2", "expected one integer or expression after"},
           {"f32=one", "'one' is no number"},
           {"map:A[8]", "no earlier argument is a buffer named 'A'"},
           {"map:A", "a tensor map is map:NAME[DIM,DIM...]"},
           {"B", "no earlier argument is a buffer named 'B'"},
           {"struct:8", "a struct is struct:BYTES{OFFSET:ARGUMENT;...}, then =HEX"},
           {"struct:8{0:i32=1}0", "a struct is struct:BYTES{OFFSET:ARGUMENT;...}, then =HEX"},
           {"struct:0{}", "a struct has 1 to 32764 bytes"},
           {"struct:2{}=123", "no hexadecimal number of whole bytes"},
           {"struct:2{}=12zz", "no hexadecimal number of whole bytes"},
           {"struct:2{}=12", "a struct of 2 bytes with 1 bytes behind '='"},
           {"struct:8{i32}", "field i32: expected OFFSET:ARGUMENT"},
           {"struct:8{5:i32=1}", "field 5:i32=1: its 4 bytes must lie within the struct of 8 bytes"},
           {"struct:8{-1:i8=1}", "its 1 bytes must lie within the struct of 8 bytes"},
           {"struct:8{0:i32=1;3:i8=1}", "field 3:i8=1: two fields of the struct overlap at byte 3"},
           {"struct:8{0:struct:4{}}", "a struct cannot be in a struct"},
           {"struct:8{0:B}", "no earlier argument is a buffer named 'B'"}}) {
    const std::string error = PlanError({argument}, {8});
    EXPECT_THAT(error, HasSubstr("argument 0 (" + argument + "): ")) << error;
    EXPECT_THAT(error, HasSubstr(why)) << error;
  }
  EXPECT_THAT(PlanError({"A=buffer:f32[4]", "A=buffer:f32[4]"}, {8, 8}), HasSubstr("two buffers are named A"));
  EXPECT_THAT(PlanError({"A=buffer:f32[4]", "map:A[2,2]"}, {8, 128}), HasSubstr("another number of dimensions"));
  EXPECT_THAT(PlanError({"A=buffer:f32[4]", "map:A[2]:swizzle=16"}, {8, 128}), HasSubstr("swizzle must be"));
}

TEST(PlanLaunchesTest, SharedMemoryIsOneNumber) {
  KernelLaunch launch = Launch({});
  launch.shared = "1024,5";
  EXPECT_EQ(PlanLaunches({launch}, {Kernel({})}, kShape).status().message(),
            "--shared 1024,5: expected one number of bytes");
}

TEST(PlanLaunchesTest, KernelAndBlockAreThoseOfThePtxWhereTheyAreNotGiven) {
  KernelLaunch launch;
  ptx::PtxKernel kernel = Kernel({});
  EXPECT_THAT(std::string(PlanLaunches({launch}, {kernel}, std::nullopt).status().message()),
              HasSubstr("give --block"));
  kernel.requiredThreads = {64, 2, 1};
  const auto plan = PlanLaunches({launch}, {kernel}, std::nullopt);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_THAT(plan->launches[0].shape.block, ElementsAre(64, 2, 1));
  ptx::PtxKernel other = kernel;
  other.name = "other";
  EXPECT_EQ(PlanLaunches({launch}, {kernel, other}, std::nullopt).status().message(),
            "the PTX has several kernels; give --kernel: matmul, other");
  launch.kernel = "missing";
  EXPECT_EQ(PlanLaunches({launch}, {kernel, other}, std::nullopt).status().message(),
            "the PTX has no kernel missing; it has matmul, other");
  EXPECT_EQ(PlanLaunches({launch}, {}, std::nullopt).status().message(), "the PTX has no kernel (.entry)");
  launch.kernel = "other";
  launch.grid = "1,2,3,4";
  EXPECT_THAT(std::string(PlanLaunches({launch}, {kernel, other}, std::nullopt).status().message()),
              HasSubstr("--grid 1,2,3,4: more than three numbers"));
  launch.grid = "-1";
  EXPECT_THAT(std::string(PlanLaunches({launch}, {kernel, other}, std::nullopt).status().message()),
              HasSubstr("--grid -1: -1 is not a number from 0"));
}

TEST(PlanLaunchesTest, NamesOfBuffersAreNotExpressions) {
  EXPECT_FALSE(NamesShape({KernelLaunch{.block = "1", .arguments = {"M=buffer:f32[4]", "M", "i32=3", "map:M[4]"}}}));
  EXPECT_TRUE(NamesShape({KernelLaunch{.block = "1", .arguments = {"A=buffer:f32[M]"}}}));
  EXPECT_TRUE(NamesShape({KernelLaunch{.block = "1", .arguments = {"i32=K"}}}));
  EXPECT_TRUE(NamesShape({KernelLaunch{.grid = "cdiv(N,4)", .block = "1"}}));
}

TEST(FillElementsTest, FillsAreWhatTheySay) {
  std::vector<float> values(300);
  const ElementType& type = **FindElementType("f32");
  auto* bytes = reinterpret_cast<char*>(values.data());
  FillElements(type, "", 1, 300, bytes);
  EXPECT_NE(values[0], values[0]);
  FillElements(type, "iota", 1, 300, bytes);
  EXPECT_EQ(values[299], 299);
  FillElements(type, "value:-2.5", 1, 300, bytes);
  EXPECT_EQ(values[17], -2.5f);
  FillElements(type, "random", 1, 300, bytes);
  const std::vector<float> first = values;
  for (float value : values) EXPECT_TRUE(value >= -2 && value < 2) << value;
  EXPECT_NE(values[0], values[1]);
  FillElements(type, "random", 2, 300, bytes);
  EXPECT_NE(values, first);
  FillElements(type, "zeros", 1, 300, bytes);
  EXPECT_EQ(values[299], 0);
}

TEST(FillElementsTest, Fp8IsRoundedToNearestEven) {
  const auto code = [](const char* type, double number) {
    char element = 0;
    WriteNumber(**FindElementType(type), number, &element);
    return static_cast<int>(static_cast<unsigned char>(element));
  };
  EXPECT_EQ(code("e4m3", 1), 0x38);
  EXPECT_EQ(code("e4m3", -2), 0xC0);
  EXPECT_EQ(code("e4m3", 17), 0x58);         // Between 16 and 18, to the even fraction.
  EXPECT_EQ(code("e4m3", 19), 0x5A);         // Between 18 and 20.
  EXPECT_EQ(code("e4m3", 0x1p-9), 0x01);     // The smallest.
  EXPECT_EQ(code("e4m3", 0x1p-10), 0x00);    // Half of it.
  EXPECT_EQ(code("e4m3", 0x1.8p-10), 0x01);  // Three quarters.
  EXPECT_EQ(code("e4m3", 1e9), 0x7E);
  EXPECT_EQ(code("e4m3", NAN), 0x7F);
  EXPECT_EQ(code("e5m2", 1.5), 0x3E);
  EXPECT_EQ(code("e5m2", -0.0), 0x80);
  EXPECT_EQ(code("e5m2", 0x1p-16), 0x01);
  EXPECT_EQ(code("e5m2", 57344), 0x7B);
}

}  // namespace
}  // namespace mmtune
