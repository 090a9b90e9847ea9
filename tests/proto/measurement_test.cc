// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <string>

namespace mmtune {
namespace {

using ::testing::HasSubstr;

TEST(Outcomes, HaveTheNamesThatTheLogStores) {
  const char* const names[] = {"ok",        "rejected", "compile_failed", "launch_failed", "wrong_result",
                               "timed_out", "crashed",  "unstable",       "suspect",       "skipped"};
  ASSERT_EQ(std::size(kAllOutcomes), std::size(names));
  for (size_t i = 0; i < std::size(names); ++i) {
    EXPECT_EQ(OutcomeName(kAllOutcomes[i]), names[i]);
    EXPECT_EQ(*ParseOutcome(names[i]), kAllOutcomes[i]);
  }
}

TEST(Outcomes, RefuseUnknownNamesListingKnownOnes) {
  for (const char* name : {"", "OK", "failed", "timed out"}) {
    auto outcome = ParseOutcome(name);
    EXPECT_EQ(outcome.status().code(), absl::StatusCode::kInvalidArgument) << name;
    EXPECT_THAT(std::string(outcome.status().message()),
                HasSubstr("known: ok, rejected, compile_failed, launch_failed, wrong_result, timed_out, crashed, "
                          "unstable, suspect, skipped"));
  }
}

TEST(Toolchain, DigestDependsOnEveryField) {
  const Toolchain toolchain{"0.1.0", "22.1.8", "ptxas 13.0", "direct=1 fma=1"};
  EXPECT_EQ(toolchain.CanonicalJson(),
            R"({"assembler":"ptxas 13.0","families":"direct=1 fma=1","mlir":"22.1.8","mmtune":"0.1.0"})");
  // Logs find toolchains by it.
  EXPECT_EQ(toolchain.Digest(), "6bed390573c91efce93c963d602a88bd5071fe3d700da19d23a34e5595a7dd93");
  std::set<std::string> digests{toolchain.Digest()};
  for (std::string Toolchain::* field :
       {&Toolchain::mmtune, &Toolchain::mlir, &Toolchain::assembler, &Toolchain::families}) {
    Toolchain other = toolchain;
    other.*field += "x";
    EXPECT_TRUE(digests.insert(other.Digest()).second);
  }
}

TEST(Toolchain, OfAFamilyHasTheVersionOfThisFamilyAlone) {
  const Toolchain toolchain{"0.1.0", "22.1.8", "ptxas 13.0", "fma=5 mma=7 wgmma=3"};
  EXPECT_EQ(toolchain.ForFamily("fma"), (Toolchain{"0.1.0", "22.1.8", "ptxas 13.0", "fma=5"}));
  EXPECT_EQ(toolchain.ForFamily("mma"), (Toolchain{"0.1.0", "22.1.8", "ptxas 13.0", "mma=7"}));
  EXPECT_EQ(toolchain.ForFamily("wgmma"), (Toolchain{"0.1.0", "22.1.8", "ptxas 13.0", "wgmma=3"}));
  EXPECT_EQ(toolchain.ForFamily("ma").families, "");
}

TEST(Toolchain, InvalidUtf8DoesNotThrow) {
  Toolchain toolchain;
  toolchain.assembler = "quote \" and \xff";
  EXPECT_EQ(toolchain.CanonicalJson(),
            "{\"assembler\":\"quote \\\" and \xef\xbf\xbd\",\"families\":\"\",\"mlir\":\"\",\"mmtune\":\"\"}");
}

TEST(TuningRecord, GflopsUseTheMedianAndNeedOk) {
  TuningRecord record;
  record.problem = {1000, 1000, 1000, DataType::kF32};
  EXPECT_EQ(record.Gflops(), 0) << "no time yet";
  EXPECT_FALSE(record.measurement.Timed());
  record.measurement.timing.median_ns = 1e6;
  EXPECT_DOUBLE_EQ(record.Gflops(), 2000);
  for (Outcome outcome : kAllOutcomes) {
    record.measurement.outcome = outcome;
    EXPECT_EQ(record.measurement.Timed(), outcome == Outcome::kOk) << OutcomeName(outcome);
    EXPECT_EQ(record.Gflops() > 0, outcome == Outcome::kOk) << OutcomeName(outcome);
  }
}

}  // namespace
}  // namespace mmtune
