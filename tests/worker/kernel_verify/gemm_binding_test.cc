// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the elements of A, B and C lie in the buffers of a kernel.
#include "worker/kernel_verify/gemm_binding.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "worker/measure/checker.h"
#include "worker/measure/element_types.h"
#include "worker/measure/operand_sets.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

KernelBuffer Buffer(const std::string& name, const std::string& type, std::vector<int64_t> extents) {
  return {name, *FindElementType(type), std::move(extents), ""};
}

KernelLaunchPlan Plan(const std::string& a, const std::string& c) {
  KernelLaunchPlan plan;
  plan.buffers = {Buffer("A", a, {2, 5}), Buffer("B", a, {4, 3}), Buffer("C", c, {2, 6})};
  return plan;
}

std::string ErrorOf(const std::string& text, const KernelLaunchPlan& plan, std::optional<ShapeSizes> shape = {}) {
  return std::string(GemmBinding::Create(text, plan, shape).status().message());
}

TEST(GemmBindingTest, OperandsLieByLayoutAndLeadingDimension) {
  // A is 2x3 of rows of 5, B is 3x4 column-major, C is 2x4 of rows of 6.
  const KernelLaunchPlan plan = Plan("f32", "f32");
  const auto gemm = GemmBinding::Create("A,B:t,C", plan, ShapeSizes{2, 4, 3});
  ASSERT_TRUE(gemm.ok()) << gemm.status();
  EXPECT_EQ(gemm->problem().Text(), "2x4x3");
  std::vector<std::string> contents;
  for (const KernelBuffer& buffer : plan.buffers) contents.emplace_back(buffer.bytes(), '\0');
  gemm->WriteOperands(
      [](PlanBuffer input, int64_t first, int64_t count, void* elements) {
        for (int64_t i = 0; i < count; ++i)
          static_cast<float*>(elements)[i] = static_cast<float>(first + i + (input == PlanBuffer::kA ? 0 : 100));
      },
      &contents);
  const auto element = [&](size_t buffer, size_t index) {
    float value = 0;
    std::memcpy(&value, contents[buffer].data() + 4 * index, 4);
    return value;
  };
  EXPECT_EQ(element(0, 0), 0);
  EXPECT_EQ(element(0, 5 + 2), 5);  // A[1][2]
  EXPECT_TRUE(std::isnan(element(0, 3)));
  EXPECT_EQ(element(1, 0), 100);
  EXPECT_EQ(element(1, 1), 104);          // B[1][0]
  EXPECT_EQ(element(1, 3 * 3 + 2), 111);  // B[2][3]

  std::vector<std::string> after = contents;
  const float seven = 7;
  std::memcpy(after[2].data() + 4 * (6 + 3), &seven, 4);  // C[1][3]
  const std::string c = gemm->ReadResult(after);
  ASSERT_EQ(c.size(), 4u * 8);
  float last = 0;
  std::memcpy(&last, c.data() + 4 * 7, 4);
  EXPECT_EQ(last, 7);
  EXPECT_EQ(gemm->Damage(contents, after), "");
  std::memcpy(after[2].data() + 4 * (6 + 4), &seven, 4);
  EXPECT_EQ(gemm->Damage(contents, after), "the kernel wrote to the buffer C at [1][4], which is not an element of C");
  std::memcpy(after[0].data() + 4, &seven, 4);
  EXPECT_EQ(gemm->Damage(contents, after), "the kernel wrote to the buffer A at [0][1], which is an input");
}

TEST(GemmBindingTest, WithoutShapeItIsThatOfTheBuffers) {
  KernelLaunchPlan plan;
  plan.buffers = {Buffer("0", "f16", {5, 2}), Buffer("1", "f16", {5, 3}), Buffer("2", "f32", {3, 2})};
  const auto gemm = GemmBinding::Create("0:t,1,2:t", plan, std::nullopt);
  ASSERT_TRUE(gemm.ok()) << gemm.status();
  EXPECT_EQ(gemm->problem().Text(), "2x3x5 f16 out=f32");
}

TEST(GemmBindingTest, TypesAreThoseThatCanBeChecked) {
  const ShapeSizes shape = {2, 3, 4};
  for (const auto& [a, c, text] : std::vector<std::array<std::string, 3>>{{"f32", "f32", "2x3x4"},
                                                                          {"tf32", "f32", "2x3x4 tf32"},
                                                                          {"bf16", "bf16", "2x3x4 bf16"},
                                                                          {"i8", "i32", "2x3x4 s8"},
                                                                          {"f64", "f64", "2x3x4 f64"},
                                                                          {"e4m3", "f32", "2x3x4 f16 out=f32"},
                                                                          {"e5m2", "f16", "2x3x4 f16"},
                                                                          {"e4m3", "bf16", "2x3x4 bf16"}}) {
    const auto gemm = GemmBinding::Create("A,B,C", Plan(a, c), shape);
    ASSERT_TRUE(gemm.ok()) << gemm.status();
    EXPECT_EQ(gemm->problem().Text(), text);
  }
  for (const auto& [a, c] : std::vector<std::array<std::string, 2>>{
           {"f16", "bf16"}, {"f32", "f16"}, {"e4m3", "e4m3"}, {"i32", "i32"}, {"i8", "f32"}, {"u8", "i32"}})
    EXPECT_THAT(ErrorOf("A,B,C", Plan(a, c), shape), HasSubstr("is not a matmul that can be checked")) << a << c;
}

TEST(GemmBindingTest, WrongTextsAreNamed) {
  const KernelLaunchPlan plan = Plan("f32", "f32");
  EXPECT_THAT(ErrorOf("A,B", plan), HasSubstr("--gemm A,B is not A,B,C"));
  EXPECT_THAT(ErrorOf("A,B,D", plan), HasSubstr("no argument is a buffer named 'D'"));
  EXPECT_THAT(ErrorOf("A,B,C", plan, ShapeSizes{2, 4, 4}),
              HasSubstr("the buffer B of 4 x 3 is too small for a matrix of 4 x 4 (2x4x4)"));
  for (const char* text : {"A,A,C", "A,B,A", "A,B,B:t"})
    EXPECT_EQ(ErrorOf(text, plan), absl::StrCat("--gemm ", text, ": A, B and C must be different buffers"));
  KernelLaunchPlan flat = plan;
  flat.buffers[0].extents = {10};
  EXPECT_THAT(ErrorOf("A,B,C", flat), HasSubstr("the buffer A has 1 extents; a matrix has two"));
}

TEST(GemmBindingTest, OperandsOfFp8HaveItsNumbers) {
  // The exact and the random operands are numbers of the type, so writing them changes none.
  for (const auto& [type, bits] : std::vector<std::pair<std::string, int>>{{"e4m3", 4}, {"e5m2", 3}}) {
    KernelLaunchPlan plan;
    plan.buffers = {Buffer("A", type, {16, 96}), Buffer("B", type, {96, 24}), Buffer("C", "f16", {16, 24})};
    const auto gemm = GemmBinding::Create("A,B,C", plan, {});
    ASSERT_TRUE(gemm.ok()) << gemm.status();
    EXPECT_EQ(gemm->operand_bits(), bits);
    const auto exact = ExactCheck::Create(gemm->problem(), 7, INT64_MAX, bits);
    for (const OperandSource& source :
         {exact->Source(), OperandSource(RandomOperandStream(gemm->problem(), 7, bits))}) {
      for (const PlanBuffer input : {PlanBuffer::kA, PlanBuffer::kB}) {
        std::vector<char> elements(static_cast<size_t>(2 * 16 * 96));
        source(input, 0, 16 * 96, elements.data());
        std::vector<float> numbers(16 * 96);
        DecodeElements(DataType::kF16, elements.data(), 16 * 96, numbers.data());
        float largest = 0;
        for (const float number : numbers) {
          int exponent = 0;
          const float all = std::ldexp(std::frexp(number, &exponent), bits);
          EXPECT_EQ(all, std::nearbyint(all)) << number;
          EXPECT_EQ(number * 512, std::nearbyint(number * 512)) << number;
          largest = std::max(largest, std::fabs(number));
        }
        EXPECT_GT(largest, 0);
        EXPECT_LE(largest, 240);
      }
    }
  }
}

}  // namespace
}  // namespace mmtune
