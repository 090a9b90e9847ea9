// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each form of the operation table that one thread can execute, run from PTX text on special values, with code for race
// detection and without, against a formula (operation_case.h). A form, or a word of it, for which there is no formula
// is a failure. A sample of each form's opcodes runs, with each word at least once; MMTUNE_TEST_WHOLE=1 runs all of
// most.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "kernels/simulator/ptx/operation_table.h"
#include "tests/kernels/simulator/ptx/opcode_forms.h"
#include "tests/kernels/simulator/ptx/operation_runner.h"
#include "tests/test_seed.h"

namespace mmtune::ptx {
namespace {

struct Part {
  const char* name;
  llvm::ArrayRef<Operation> (*operations)();
  std::optional<Case> (*formula)(const Opcode&);
};

constexpr Part kParts[] = {
    {"Integers", integerOperations, integerCase},          {"Bits", bitOperations, bitCase},
    {"Comparisons", comparisonOperations, comparisonCase}, {"Floats", floatOperations, floatCase},
    {"Conversions", conversionOperations, conversionCase}, {"Memory", memoryOperations, memoryCase},
};

class OperationFormulasTest : public ::testing::TestWithParam<std::tuple<Part, bool>> {};

TEST_P(OperationFormulasTest, EachFormIsItsFormula) {
  const auto& [part, raceDetection] = GetParam();
  std::mt19937_64 random(FreshTestSeed());
  const size_t most = TestCount(raceDetection ? 12 : 24, 2000);
  std::vector<Case> cases;
  for (const Operation& operation : part.operations()) {
    const std::string missing = sampleForm(parseForm(operation.form.str()), most, random, [&](const Opcode& opcode) {
      std::optional<Case> found;
      if (knowsWords(opcode)) found = part.formula(opcode);
      if (found) cases.push_back(*found);
      return found.has_value();
    });
    EXPECT_EQ(missing, "") << operation.form.str() << " has no formula with these words";
  }
  checkCases(cases, raceDetection, TestCount(raceDetection ? 512 : 2048, 20000));
}

std::string nameOf(const ::testing::TestParamInfo<std::tuple<Part, bool>>& info) {
  return absl::StrCat(std::get<0>(info.param).name, std::get<1>(info.param) ? "WithRaceDetection" : "");
}

INSTANTIATE_TEST_SUITE_P(All, OperationFormulasTest, ::testing::Combine(::testing::ValuesIn(kParts), ::testing::Bool()),
                         nameOf);

// Operands that are literals, guards, forms of more operands than the opcode says, and opcodes of which the sample
// lacks some and which were wrong.
TEST(OperationLiteralsTest, LiteralsAndGuardsAreTheirFormulas) {
  const std::vector<Case> cases = {
      oneResult("bfe.u32 $r0, $a, 5, 9;", "w", "w", [](const U* x) { return x[0] >> 5 & 511; }),
      oneResult("bfe.u32 $r0, $a, 0, 32;", "w", "w", [](const U* x) { return x[0]; }),
      oneResult("bfe.u32 $r0, $a, 5, 0;", "w", "w", [](const U*) { return U{0}; }),
      oneResult("bfe.u32 $r0, $a, 28, 9;", "w", "w", [](const U* x) { return x[0] >> 28; }),
      oneResult("bfe.u64 $r0, $a, 33, 31;", "q", "q", [](const U* x) { return x[0] >> 33; }),
      oneResult("bfe.s32 $r0, $a, 4, 8;", "w", "w", [](const U* x) { return U(asSigned(x[0] << 20, 32) >> 24); }),
      *conversionCase({{"cvt", "rp", "f32", "u64"}}),
      *conversionCase({{"cvt", "rp", "bf16", "s64"}}),
      oneResult("bfi.b32 $r0, $a, $b, $c, 5;", "w", "www",
                [](const U* x) {
                  const U position = x[2] & 255;
                  U field = x[1];
                  for (U i = 0; i < 5 && position + i < 32; ++i)
                    field = (field & ~(U{1} << (position + i))) | (x[0] >> i & 1) << (position + i);
                  return field;
                }),
      oneResult("setp.hi.and.u32 $r0, $a, $b, !$c;", "p", "wwp", [](const U* x) { return U{x[0] > x[1] && !x[2]}; }),
      oneResult("@$b add.s32 $a, $a, 1; @!$b add.s32 $a, $a, 5; mov.b32 $r0, $a;", "w", "wp",
                [](const U* x) { return x[0] + (x[1] ? 1 : 5); }),
      oneResult("add.f32 $r0, $a, 0f3F800000;", "f", "f",
                [](const U* x) { return Rounded(OddSum(Number(x[0], kF32), 1), kF32, Direction::kNearest); }),
      oneResult("min.f32 $r0, $a, $b, $c;", "f", "fff",
                [](const U* x) {
                  U best = nanOf(kF32);
                  for (int i = 0; i < 3; ++i) {
                    const Wide a = Number(best, kF32), b = Number(x[i], kF32);
                    if (IsNan(a) || b < a || (a == b && x[i] >> 31 != 0)) best = IsNan(b) ? best : x[i];
                  }
                  return best;
                }),
  };
  for (bool raceDetection : {false, true}) checkCases(cases, raceDetection);
}

}  // namespace
}  // namespace mmtune::ptx
