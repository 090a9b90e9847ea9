// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which entries of an earlier spec tune model --spec keeps, and which toolchains its library may be of.
#include "server/tune/commands/model_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/tune/commands/model_build.h"
#include "tests/server/tune/record_factory.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;

/// Returns an entry of the family fma for the problem M x 256 x 64.
TuningSpecEntry Entry(int64_t m, const std::string& mlir, std::optional<RowRange> rows = std::nullopt) {
  RankedRecord ranked;
  ranked.record = OkRecord(1e6);
  ranked.record.problem.m = m;
  ranked.record.toolchain = {"0.1.0", mlir, "llvm 22.1.8", "fma=5 wgmma=3"};
  return SpecEntryOf(ranked, rows);
}

std::vector<int64_t> RowsOf(const TuningSpec& spec) {
  std::vector<int64_t> rows;
  for (const TuningSpecEntry& entry : spec.entries) rows.push_back(entry.problem.m);
  return rows;
}

TEST(CheckToolchain, RefusesALibraryOfAnotherToolchainThanTheWorkers) {
  const Toolchain own = {"0.1.0", "22.1.8", "ptxas 13.0", "fma=5"};
  EXPECT_TRUE(CheckToolchain(own, own, "libgpt.so").ok());
  Toolchain workers = own;
  workers.assembler = "driver";
  const absl::Status refused = CheckToolchain(workers, own, "libgpt.so");
  EXPECT_EQ(ExitCodeOf(refused), ExitCode::kUsage);
  EXPECT_THAT(std::string(refused.message()),
              ::testing::StartsWith("-o libgpt.so would be built with another toolchain than the workers' (assembler "
                                    "driver, here ptxas 13.0)"));
}

TEST(MergeOldEntries, KeepsThoseOfTheSameToolchainThatHaveNoNewOnes) {
  const TuningSpec spec = {{Entry(128, "22.1.8")}};
  const TuningSpec old = {{Entry(128, "22.1.8"), Entry(64, "22.1.8")}};
  const MergedSpec merged = MergeOldEntries(spec, old);
  EXPECT_THAT(RowsOf(merged.spec), ElementsAre(128, 64));
  EXPECT_EQ(merged.dropped, 0);
}

TEST(MergeOldEntries, DropsThoseOfAnotherToolchainAndCountsThoseWithoutNewOnes) {
  const TuningSpec spec = {{Entry(128, "22.1.8")}};
  const TuningSpec old = {{Entry(128, "21.1.8"), Entry(64, "21.1.8"), Entry(32, "21.1.8"), Entry(16, "22.1.8")}};
  const MergedSpec merged = MergeOldEntries(spec, old);
  EXPECT_THAT(RowsOf(merged.spec), ElementsAre(128, 16));
  EXPECT_EQ(merged.spec.entries[0].toolchain.mlir, "22.1.8");
  EXPECT_EQ(merged.dropped, 2);
}

TEST(MergeOldEntries, KeepsEntriesOfOtherDevicesWhateverTheirToolchain) {
  TuningSpecEntry other = Entry(64, "21.1.8");
  other.device.arch = "sm_75";
  const MergedSpec merged = MergeOldEntries({{Entry(128, "22.1.8")}}, {{other}});
  EXPECT_THAT(RowsOf(merged.spec), ElementsAre(128, 64));
  EXPECT_EQ(merged.dropped, 0);
}

TEST(MergeOldEntries, KeepsEntriesWhoseOwnFamilyHasTheSameVersion) {
  TuningSpecEntry same = Entry(64, "22.1.8"), newer = Entry(32, "22.1.8");
  same.toolchain.families = "fma=5 wgmma=2";
  newer.toolchain.families = "fma=4 wgmma=3";
  const MergedSpec merged = MergeOldEntries({{Entry(128, "22.1.8")}}, {{same, newer}});
  EXPECT_THAT(RowsOf(merged.spec), ElementsAre(128, 64));
  EXPECT_EQ(merged.dropped, 1);
}

TEST(MergeOldEntries, DropsADispatchTableAsAWhole) {
  TuningSpecEntry other_problem = Entry(128, "22.1.8");
  other_problem.problem.k = 32;
  const TuningSpec old = {{Entry(8, "22.1.8", RowRange{1, 8}), Entry(64, "21.1.8", RowRange{9, 64})}};
  const MergedSpec merged = MergeOldEntries({{other_problem}}, old);
  EXPECT_THAT(RowsOf(merged.spec), ElementsAre(128));
  EXPECT_EQ(merged.dropped, 2);
}

}  // namespace
}  // namespace mmtune
