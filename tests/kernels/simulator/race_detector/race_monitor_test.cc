// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of the race detector: each kernel comes with one error, which is found, and without it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/kernels/simulator/race_detector/race_barrier_kernels.h"
#include "tests/kernels/simulator/race_detector/race_global_kernels.h"
#include "tests/kernels/simulator/race_detector/race_shared_kernels.h"

namespace mmtune::simt {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::IsEmpty;

struct Case {
  const char* name;
  KernelEntry wrong, right;
  const char* kind;
  uint32_t blocks = 1;
  const RedZone* red_zones = nullptr;
  /// In some orders of threads the bug shows as one of another kind.
  bool any_kind_with_fuzzing = false;
};

#define CASE(kernel, ...) \
  Case { #kernel, &kernel<false>, &kernel<true>, __VA_ARGS__ }

const Case kCases[] = {
    CASE(ReadAfterWrite, "race-raw"),
    CASE(ReadOfUnwritten, "uninitialized-read"),
    CASE(WriteAfterRead, "race-war", 1, nullptr, true),
    CASE(WriteAfterManyReads, "race-war", 1, nullptr, true),
    CASE(WriteAfterWrite, "race-waw"),
    CASE(HalfWords, "race-waw"),
    CASE(Vectors, "race-waw"),
    CASE(CopyWithoutWait, "async-race"),
    CASE(CopyWithWeakWait, "async-race"),
    CASE(CopyWithoutCommit, "async-race"),
    CASE(CopyWithoutBarrier, "race-raw", 1, nullptr, true),
    CASE(CopyOverReads, "race-war", 1, nullptr, true),
    CASE(IntoRedZone, "shared-out-of-bounds", 1, kRedZones),
    CASE(PastSharedEnd, "shared-out-of-bounds"),
    CASE(BeforeShared, "shared-out-of-bounds"),
    CASE(PastGlobalEnd, "global-out-of-bounds"),
    CASE(GlobalWriteWrite, "global-race", 4),
    CASE(GlobalWriteRead, "global-race", 4),
    CASE(GlobalReadWrite, "global-race", 4),
    CASE(GlobalInOneBlock, "global-race", 2),
    CASE(LastBlockReads, "global-race", 4),
    CASE(OneReaderSaysNothing, "global-race", 2),
    CASE(OneBlockSaysNothing, "global-race", 6),
    CASE(OneWriterSaysNothing, "global-race", 2),
    CASE(TicketIsReset, "global-race", 2),
    CASE(RelaxedTicketIsReset, "global-race", 2),
    CASE(SharedTicketIsReset, "race-raw", 1, nullptr, true),
    CASE(AtomicsAndPlainWrites, "global-race"),
    CASE(SharedAtomics, "race-war", 1, nullptr, true),
    CASE(FlagByReleaseAndAcquire, "race-raw"),
    CASE(FlagWithoutAcquire, "race-raw"),
    CASE(FlagByFences, "race-raw"),
    CASE(InitialisedBesideAtomics, "race-raw", 1, nullptr, true),
    CASE(GlobalInitialisedBesideAtomics, "global-race", 2),
    CASE(PlainReadAfterOwnAtomic, "race-war", 1, nullptr, true),
    CASE(AtomicAndPlainReads, "race-war", 1, nullptr, true),
    CASE(LastBlockReadsWithRelaxedTicket, "global-race", 4),
    CASE(FlagByFencesOfBlock, "race-raw"),
    CASE(LastBlockReadsBehindFenceOfBlock, "global-race", 4),
    CASE(LastThreadAcquiresByFenceOfBlock, "global-race", 4),
    CASE(PollsForever, "deadlock"),
    CASE(HalfWarpsMeet, "barrier-divergence"),
    CASE(AllArrive, "race-raw", 1, nullptr, true),
    CASE(PartOfAWarpExpected, "misuse"),
    CASE(WaitForTheLastOfManyCopies, "async-race", 1, nullptr, true),
    CASE(MessageThroughAtomic, "race-raw", 1, nullptr, true),
    CASE(DivergentBarrier, "barrier-divergence"),
    CASE(ProducersAndConsumers, "race-raw", 1, nullptr, true),
    CASE(ArrivingIsNotWaiting, "race-raw", 1, nullptr, true),
    CASE(WarpBarrierOfHalf, "race-raw", 1, nullptr, true),
    CASE(WarpBarrierOfOtherWarp, "race-raw", 1, nullptr, true),
    CASE(VoteIsNoBarrier, "race-raw", 1, nullptr, true),
    CASE(DivergentVote, "warp-divergence"),
    CASE(VoteAfterExit, "warp-divergence"),
    CASE(BarrierAfterExit, "deadlock"),
    CASE(NoSuchBarrier, "misuse"),
    CASE(MbarrierWait, "uninitialized-read", 1, nullptr, true),
    CASE(BulkCopyWait, "async-race"),
};

class RaceMonitorTest : public testing::TestWithParam<Case> {
 protected:
  std::vector<Finding> Run(KernelEntry kernel, std::optional<uint64_t> fuzzing_seed) {
    MonitoredLaunches launches;
    launches.AddBuffer(4096);
    launches.AddBuffer(1000);
    MonitoredShape shape;
    shape.blocks = GetParam().blocks;
    shape.fuzzing_seed = fuzzing_seed;
    shape.red_zones = GetParam().red_zones;
    shape.shared = std::string(GetParam().name) == "CopyWithWeakWait" ? 2048 : 1024;
    return launches.Run(kernel, shape);
  }

  static std::string Texts(const std::vector<Finding>& findings) {
    std::string text;
    for (const Finding& finding : findings) text += FindingText(finding) + "\n";
    return text;
  }
};

TEST_P(RaceMonitorTest, ReportsFinding) {
  const std::vector<Finding> findings = Run(GetParam().wrong, std::nullopt);
  EXPECT_THAT(findings, Contains(Field(&Finding::kind, GetParam().kind))) << Texts(findings);
}

TEST_P(RaceMonitorTest, ReportsFindingInAnyThreadOrder) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const std::vector<Finding> findings = Run(GetParam().wrong, seed);
    ASSERT_FALSE(findings.empty()) << seed;
    if (GetParam().any_kind_with_fuzzing) continue;
    EXPECT_THAT(findings, Contains(Field(&Finding::kind, GetParam().kind))) << "seed " << seed << "\n"
                                                                            << Texts(findings);
  }
}

TEST_P(RaceMonitorTest, ReportsNothingForFixedKernels) {
  std::vector<Finding> findings = Run(GetParam().right, std::nullopt);
  EXPECT_THAT(findings, IsEmpty()) << Texts(findings);
  for (uint64_t seed = 0; seed < 8; ++seed) {
    findings = Run(GetParam().right, seed);
    EXPECT_THAT(findings, IsEmpty()) << "seed " << seed << "\n" << Texts(findings);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, RaceMonitorTest, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace mmtune::simt
