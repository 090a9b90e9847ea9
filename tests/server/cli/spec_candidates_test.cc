// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/spec_candidates.h"

#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/server/cli/record_factory.h"

namespace mmtune {
namespace {

/// `bm` makes another schedule.
TuningRecord Record(double median_ns, int64_t bm, const std::string& toolchain = "a", int64_t unix_millis = 1000) {
  TuningRecord record = OkRecord(median_ns);
  record.schedule.params["bm"] = bm;
  record.toolchain.mlir = toolchain;
  record.unix_millis = unix_millis;
  return record;
}

TuningSpec BestOf(const std::vector<TuningRecord>& records, bool any_toolchain = false) {
  SpecCandidates candidates;
  for (const TuningRecord& record : records) candidates.Add(record);
  return candidates.Best(any_toolchain);
}

TEST(SpecCandidatesTest, TheFastestOfAProblemAndClassIsTaken) {
  TuningRecord other_problem = Record(9e6, 1), other_device = Record(8e6, 2), twin = Record(4e6, 3);
  other_problem.problem.epilogue = ParseEpilogue("relu").value();
  other_device.device.arch = "sm_75";
  twin.device.uuid = "another of its class";
  const TuningSpec spec = BestOf({Record(5e6, 4), other_problem, other_device, twin, Record(6e6, 5)});
  ASSERT_EQ(spec.entries.size(), 3u);
  for (const TuningSpecEntry& entry : spec.entries) {
    if (!entry.problem.epilogue.empty()) {
      EXPECT_EQ(entry.median_ns, 9e6);
    } else {
      EXPECT_EQ(entry.median_ns, entry.device.arch == "sm_75" ? 8e6 : 4e6);
    }
  }
  EXPECT_EQ(BestOf({Record(5e6, 4)}).entries[0].schedule.Get("bm"), 4);
}

TEST(SpecCandidatesTest, WarmRecordsCountBeforeColdOnes) {
  TuningRecord cold = Record(1e6, 1);
  cold.measurement.timing.regime = "cold";
  EXPECT_EQ(BestOf({cold, Record(5e6, 2)}).entries[0].median_ns, 5e6);
  EXPECT_EQ(BestOf({cold}).entries[0].median_ns, 1e6);
}

TEST(SpecCandidatesTest, OnlyCanonicalOkRecordsCount) {
  TuningRecord late = Record(1e6, 1), wrong = Record(1e6, 2);
  late.canonical = false;
  wrong.measurement.outcome = Outcome::kWrongResult;
  SpecCandidates candidates;
  candidates.Add(late);
  candidates.Add(wrong);
  EXPECT_TRUE(candidates.empty());
  EXPECT_TRUE(candidates.Best(true).entries.empty());
}

TEST(SpecCandidatesTest, WhatIsNotProvenCountsOnlyWhereAllowed) {
  TuningRecord unproven = Record(1e6, 1);
  unproven.measurement.proof = {};
  const TuningRecord proven = Record(2e6, 2);
  EXPECT_EQ(BestOf({unproven, proven}).entries[0].median_ns, 2e6);
  EXPECT_TRUE(BestOf({proven}).entries[0].proven);
  EXPECT_TRUE(BestOf({unproven}).entries.empty());
  SpecCandidates all(/*allow_unproven=*/true);
  all.Add(unproven);
  all.Add(proven);
  EXPECT_EQ(all.Best(false).entries.at(0).median_ns, 1e6);
  EXPECT_FALSE(all.Best(false).entries.at(0).proven);
}

TEST(SpecCandidatesTest, OfAScheduleTheProvenRecordSpeaks) {
  TuningRecord rerun = Record(1e6, 1);
  rerun.measurement.proof = {};
  SpecCandidates all(/*allow_unproven=*/true);
  for (const TuningRecord& record : {Record(3e6, 1), rerun, Record(2e6, 2)}) all.Add(record);
  EXPECT_EQ(all.Best(false).entries.at(0).median_ns, 2e6);
}

TEST(SpecCandidatesTest, TheToolchainOfTheNewestRecordCounts) {
  const std::vector<TuningRecord> records = {Record(1e6, 1, "old", 1000), Record(3e6, 2, "new", 2000),
                                             Record(2e6, 3, "new", 1500), Record(9e6, 4, "old", 500)};
  EXPECT_EQ(BestOf(records).entries[0].median_ns, 2e6);
  EXPECT_EQ(BestOf(records).entries[0].toolchain.mlir, "new");
  EXPECT_EQ(BestOf(records, /*any_toolchain=*/true).entries[0].median_ns, 1e6);
  SpecCandidates candidates;
  for (const TuningRecord& record : records) candidates.Add(record);
  EXPECT_EQ(candidates.SlowerThanOlder(), 1u);
}

TEST(SpecCandidatesTest, TheOrderOfRecordsDoesNotMatter) {
  std::vector<TuningRecord> records = {Record(2e6, 8), Record(2e6, 16), Record(2e6, 32, "b", 1000)};
  const TuningSpec spec = BestOf(records), any = BestOf(records, true);
  std::sort(records.begin(), records.end(),
            [](const auto& a, const auto& b) { return a.schedule.Text() < b.schedule.Text(); });
  do {
    EXPECT_EQ(BestOf(records), spec);
    EXPECT_EQ(BestOf(records, true), any);
  } while (std::next_permutation(records.begin(), records.end(),
                                 [](const auto& a, const auto& b) { return a.schedule.Text() < b.schedule.Text(); }));
}

}  // namespace
}  // namespace mmtune
