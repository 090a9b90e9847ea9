// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summation signatures of schedules, and the contracts that accept them. tests/kernels/families/
// summation_execution_test.cc compares them with bits.
#include "kernels/families/common/summation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>

#include "kernels/families/common/registry.h"
#include "search/space/restricted_family.h"
#include "search/space/search_space.h"
#include "tests/kernels/families/test_devices.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

std::string SignatureOf(const MatmulProblem& problem, const Schedule& schedule,
                        const DeviceInfo& device = TestDevice("sm_90")) {
  const absl::StatusOr<SummationSignature> signature = SummationOf(problem, schedule, device);
  return signature.ok() ? signature->Text() : std::string(signature.status().message());
}

std::string OfFma(std::string_view changes, int64_t k = 1024) {
  MatmulProblem problem = TestProblem("512x512x512");
  problem.k = k;
  return SignatureOf(problem, ReferenceSchedule(changes));
}

MatmulProblem Problem(std::string_view shape, DataType type, MathMode math = MathMode::kIeee) {
  MatmulProblem problem = *ParseMatmulShape(shape, type);
  problem.math = math;
  return problem;
}

Schedule Mma(std::string_view changes) {
  Schedule schedule = *ParseSchedule(
      "mma async=1 bk=32 bm=64 bn=64 group_m=1 min_blocks=1 prefetch=0 reduction=0 slice_k=1 split_k=1 stages=2 "
      "stream_k=1 wm=32 wn=32");
  if (changes.empty()) return schedule;
  const Schedule changed = *ParseSchedule("mma " + std::string(changes));
  for (const auto& [name, value] : changed.params) schedule.params[name] = value;
  return schedule;
}

TEST(SummationSignature, TilesAndPipelinesDoNotChangeTheSums) {
  EXPECT_EQ(OfFma(""), "fma.f32 over k");
  EXPECT_EQ(OfFma("bm=64 bn=64 tm=4 tn=4 stages=2 bk=8 unroll_k=8"), OfFma(""));
  EXPECT_EQ(SignatureOf(TestProblem("512x512x512"), *ParseSchedule("direct bx=16 by=16 tm=1 tn=1")), OfFma(""));
}

TEST(SummationSignature, PartsAndSlicesDo) {
  EXPECT_EQ(OfFma("split_k=4 reduction=2"), "fma.f32 over k; parts of 256 k, added in order");
  EXPECT_EQ(OfFma("split_k=4 reduction=3 min_blocks=1"), OfFma("split_k=4 reduction=2"));
  EXPECT_EQ(OfFma("split_k=4 reduction=3 min_blocks=1 bk=8 unroll_k=8"), OfFma("split_k=4 reduction=2"));
  EXPECT_EQ(OfFma("split_k=4 reduction=1"), "fma.f32 over k; parts of 256 k, added in any order");
  const std::string sliced = "slice_k=2 bm=64 bn=64 tm=4 tn=4 unroll_k=8 min_blocks=1";
  EXPECT_EQ(OfFma(sliced), "fma.f32 over k; 2 slices of 8 k, added in order");
  EXPECT_EQ(OfFma(sliced, 1020), "fma.f32 over k; 2 slices of 8 k, the short ones first, added in order");
  EXPECT_EQ(OfFma(sliced + " split_k=2 reduction=3"),
            "fma.f32 over k; 2 slices of 8 k, added in order; parts of 512 k, added in order");
}

TEST(SummationSignature, StreamKDependsOnTheTilesAndOnM) {
  const Schedule schedule = ReferenceSchedule("stream_k=7 reduction=3 min_blocks=1");
  EXPECT_EQ(SignatureOf(TestProblem("512x512x512"), schedule),
            "fma.f32 over k; stream-k of 7 blocks, tiles of 128x128x16 of 1*512x512 in groups of 1, added in order");
  EXPECT_NE(SignatureOf(TestProblem("500x512x512"), schedule), SignatureOf(TestProblem("512x512x512"), schedule));
}

TEST(SummationSignature, SumsThatAreAddedAlikeHaveOneSignature) {
  // Slices with one run of k each, of a step that K need not fill.
  const std::string sliced = "slice_k=2 bk=64 bm=64 bn=64 tm=4 tn=4 unroll_k=8 min_blocks=1 stages=2";
  EXPECT_EQ(OfFma(sliced, 60), "fma.f32 over k; parts of 32 k, added in order");
  EXPECT_EQ(OfFma(sliced, 65), "fma.f32 over k; 2 slices of 32 k, the short ones first, added in order");
  // In split precision an instruction's sum is added as a part's is.
  const auto parts = [](int64_t k, MathMode math) {
    MatmulProblem problem = Problem("512x512x512", DataType::kF32, math);
    problem.k = k;
    return SignatureOf(problem, Mma("split_k=2 reduction=2"));
  };
  EXPECT_EQ(parts(40, MathMode::kTf32x3), "3 from 0 by mma.m16n8k8.tf32.rn@sm_90 over k");
  EXPECT_THAT(parts(48, MathMode::kTf32x3), HasSubstr("; parts of 32 k"));
  EXPECT_EQ(parts(48, MathMode::kBf16x6), "6 from 0 by mma.m16n8k16.bf16@sm_90 over k");
  EXPECT_THAT(parts(40, MathMode::kTf32), HasSubstr("; parts of 32 k"));
  // Stream-k whose blocks share no tile, and one whose tiles exceed the matrix.
  const std::string stream = "reduction=3 min_blocks=1 stream_k=";
  EXPECT_EQ(SignatureOf(TestProblem("512x512x512"), ReferenceSchedule(stream + "8")),
            "fma.f32 over k; stream-k of whole tiles");
  EXPECT_EQ(SignatureOf(TestProblem("100x512x512"), ReferenceSchedule(stream + "3")),
            "fma.f32 over k; stream-k of 3 blocks, tiles of 100x128x16 of 1*100x512 in groups of 1, added in order");
}

TEST(SummationSignature, TensorCoresAreNamedWithTheirRoundingAndArchitecture) {
  const MatmulProblem f16 = Problem("512x512x512", DataType::kF16);
  const MatmulProblem tf32 = Problem("512x512x512", DataType::kF32, MathMode::kTf32);
  EXPECT_EQ(SignatureOf(f16, Mma("")), "mma.m16n8k16.f16@sm_90 over k");
  EXPECT_EQ(SignatureOf(f16, Mma("async=0"), TestDevice("sm_75")), "mma.m16n8k8.f16@sm_75 over k");
  EXPECT_EQ(SignatureOf(f16, Mma(""), TestDevice("sm_80", DeviceKind::kSimt)), "mma.m16n8k16.f16@simt over k");
  EXPECT_EQ(SignatureOf(tf32, Mma(""), TestDevice("sm_80")), "mma.m16n8k8.tf32.rna@sm_80 over k");
  EXPECT_EQ(SignatureOf(tf32, Mma("")), "mma.m16n8k8.tf32.rn@sm_90 over k");
  EXPECT_EQ(SignatureOf(Problem("512x512x512", DataType::kF32, MathMode::kBf16x6), Mma("")),
            "6 from 0 by mma.m16n8k16.bf16@sm_90 over k");
  // The last block of a tile adds the parts of each slice by itself.
  EXPECT_EQ(SignatureOf(f16, Mma("slice_k=2 split_k=2 reduction=3")),
            "mma.m16n8k16.f16@sm_90 over k; parts of 256 k, added in order; 2 slices of 16 k, added in order");
  EXPECT_EQ(SignatureOf(f16, Mma("slice_k=2 split_k=2 reduction=2")),
            "mma.m16n8k16.f16@sm_90 over k; 2 slices of 16 k, added in order; parts of 256 k, added in order");
}

TEST(SummationSignature, IntegersAreExactInAnyOrder) {
  const MatmulProblem problem = Problem("512x512x512", DataType::kS8);
  EXPECT_EQ(SignatureOf(problem, Mma("split_k=2 reduction=2")), "exact integers");
  EXPECT_EQ(SignatureOf(problem, *ParseSchedule("direct bx=16 by=16 tm=1 tn=1")), "exact integers");
}

TEST(SummationSignature, LanesOfARowHaveNoCounterpartInMoreRows) {
  const MatmulProblem row = Problem("1x512x512", DataType::kF32), column = Problem("512x1x512", DataType::kF32);
  const Schedule lanes = *ParseSchedule("gemv lanes_k=8 pieces=1 reduction=0 split_k=1 unroll=1 warps_k=2 warps_out=1");
  EXPECT_EQ(SignatureOf(row, lanes), "fma.f32 over k; 8 lanes of 2 slices, each of 1 k, lanes added in pairs");
  EXPECT_EQ(SignatureOf(column, lanes), "fma.f32 over k; 8 lanes of 2 slices, each of 4 k, lanes added in pairs");
  const Numerics invariant = *Numerics::Parse("batch-invariant");
  EXPECT_FALSE(invariant.Accepts(*SummationOf(row, lanes, TestDevice("sm_90"))));
  EXPECT_TRUE(invariant.Accepts(*SummationOf(column, lanes, TestDevice("sm_90"))));
}

// A text that two signatures share would make them equal.
TEST(SummationSignature, EveryFieldIsInTheText) {
  SummationSignature base;
  base.instruction = "fma.f32";
  base.slices = 2, base.lanes = 2, base.chunk = 4, base.partK = 64;
  std::vector<SummationSignature> all(9, base);
  all[1].slices = 4;
  all[2].lanes = 4;
  all[3].chunk = 8;
  all[4].partK = 128;
  all[5].shortFirst = true;
  all[6].partsFirst = true;
  all[7].isAtomic = true;
  all[8].stream = "stream-k of 3 blocks";
  std::set<std::string> texts;
  for (const SummationSignature& signature : all) texts.insert(signature.Text());
  EXPECT_EQ(texts.size(), all.size());
}

TEST(Numerics, TextsAreReadBack) {
  for (const char* text : {"any", "deterministic", "batch-invariant", "same-as fma.f32 over k"}) {
    EXPECT_EQ(Numerics::Parse(text)->Text(), text);
  }
  EXPECT_EQ(Numerics::Parse("")->Text(), "any");
  EXPECT_THAT(std::string(Numerics::Parse("fast").status().message()), HasSubstr("'fast' is no numerics contract"));
  for (const std::string& text :
       {std::string("same-as "), "same-as " + std::string(300, 'x'), std::string("same-as \n")})
    EXPECT_THAT(std::string(Numerics::Parse(text).status().message()), HasSubstr("names no summation signature"));
}

/// Returns the schedules of a part of the space of `fma`, with the rule of `numerics`: their texts by their signatures.
std::map<std::string, std::set<std::string>> Searched(const Numerics& numerics) {
  const MatmulProblem problem = TestProblem("32x64x256");
  const DeviceInfo device = TestDevice("sm_90");
  const FamilyPart part = *ParseFamilyPart(
      "fma bm=16,32 bn=32 tm=4 tn=4 lm=4 slice_k=1,2 bk=16,32 split_k=1,2,3 kmajor_a=0 pad_a=0 pad_b=0 async=0 "
      "stages=1,2 unroll_k=4 fragments=1 min_blocks=1 group_m=1,4 order=1");
  const auto restricted = *RestrictedFamily::Create(**FindKernelFamily("fma"), part, problem, device,
                                                    *SummationRule("fma", problem, device, numerics));
  const auto space = *SearchSpace::Create(problem, device, {restricted.get()});
  const auto enumerator = space->Enumerate();
  std::map<std::string, std::set<std::string>> searched;
  while (const std::optional<Schedule> schedule = enumerator->Next())
    searched[SummationOf(problem, *schedule, device)->Text()].insert(schedule->Text());
  return searched;
}

// The rule reads a part of the parameters, before the others have values.
TEST(Numerics, RulesLeaveExactlyTheSchedulesWithTheSignature) {
  const auto all = Searched(*Numerics::Parse("any"));
  EXPECT_GT(all.size(), 10u);
  auto deterministic = all;
  std::erase_if(deterministic, [](const auto& entry) { return entry.first.find("any order") != std::string::npos; });
  EXPECT_LT(deterministic.size(), all.size());
  EXPECT_EQ(Searched(*Numerics::Parse("deterministic")), deterministic);
  auto invariant = deterministic;
  std::erase_if(invariant, [](const auto& entry) { return entry.first.find("stream-k") != std::string::npos; });
  EXPECT_LT(invariant.size(), deterministic.size());
  EXPECT_EQ(Searched(*Numerics::Parse("batch-invariant")), invariant);
  for (const auto& [text, schedules] : deterministic) {
    const std::map<std::string, std::set<std::string>> expected = {{text, schedules}};
    EXPECT_EQ(Searched(*Numerics::Parse("same-as " + text)), expected) << text;
  }
}

}  // namespace
}  // namespace mmtune
