// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tune records spec, on a log of records made up here.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "db/tuning_log.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/json/tuning_spec.h"
#include "server/tune/commands/commands.h"
#include "tests/db/log_testing.h"
#include "tests/server/tune/record_factory.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

struct Answer {
  int code;
  std::string out, err;
};

class SpecCommandTest : public ::testing::Test {
 protected:
  SpecCommandTest() { EXPECT_TRUE(OpenTuningLog(log_, {}).ok()); }

  void Add(double median_ns, const std::function<void(TuningRecord&)>& change = [](TuningRecord&) {}) {
    TuningRecord record = OkRecord(median_ns);
    record.uuid = absl::StrCat("record-", ++records_);
    record.schedule.params["bm"] = records_;
    record.measurement.code_digest = std::string(64, 'a');
    record.measurement.outcome = Outcome::kOk;
    change(record);
    const auto inserted = OpenTuningLog(log_, {}).value()->InsertRecord("", record);
    ASSERT_TRUE(inserted.ok()) << inserted.status();
  }

  Answer Spec(std::vector<std::string> more = {}) {
    std::vector<std::string> args = {"records", "spec", "--log", log_};
    args.insert(args.end(), more.begin(), more.end());
    std::ostringstream out, err;
    const int code = RunCommandLine(std::move(args), Console{out, err});
    return {code, out.str(), err.str()};
  }

  TuningSpec Entries(std::vector<std::string> more = {}) {
    const Answer answer = Spec(std::move(more));
    EXPECT_EQ(answer.code, 0) << answer.err;
    const auto spec = TuningSpecFromJson(answer.out);
    EXPECT_TRUE(spec.ok()) << spec.status();
    return spec.ok() ? *spec : TuningSpec();
  }

  const TempFolder folder_;
  const std::string log_ = folder_.File("log.db");
  int64_t records_ = 0;
};

TEST_F(SpecCommandTest, WritesTheBestOfEachProblemAndDevice) {
  Add(3e6);
  Add(2e6);
  Add(5e6, [](TuningRecord& record) { record.problem.epilogue = ParseEpilogue("relu").value(); });
  Add(6e6, [](TuningRecord& record) { record.device.arch = "sm_75"; });
  const TuningSpec spec = Entries();
  ASSERT_EQ(spec.entries.size(), 3u);
  EXPECT_EQ(Spec().out, TuningSpecToJson(spec));
  EXPECT_EQ(Spec().out, Spec().out);
  EXPECT_EQ(Entries({"--arch", "sm_75"}).entries.at(0).median_ns, 6e6);
  EXPECT_EQ(Entries({"--problem", "128x256x64", "--epilogue", "relu"}).entries.at(0).median_ns, 5e6);
  EXPECT_EQ(Entries({"--problem", "128x256x64"}).entries.size(), 2u);
}

TEST_F(SpecCommandTest, WritesAFileWhole) {
  Add(3e6);
  const std::string file = folder_.File("spec.json");
  const Answer answer = Spec({"-o", file});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "wrote 1 entry to " + file + "\n");
  std::ifstream in(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), Spec().out);
  EXPECT_FALSE(std::filesystem::exists(file + ".partial"));
  EXPECT_EQ(Spec({"-o", folder_.File("nowhere/spec.json")}).code, 2);
}

TEST_F(SpecCommandTest, UnverifiedSchedulesAreLeftOutUnlessAllowedAndThenSaidToBe) {
  Add(1e6, [](TuningRecord& record) { record.measurement.verification = {}; });
  const Answer nothing = Spec();
  EXPECT_EQ(nothing.code, 1);
  EXPECT_THAT(nothing.err, HasSubstr("; the records of 1 entry are not verified: --allow-unverified"));
  std::ostringstream best, err;
  EXPECT_EQ(RunCommandLine({"records", "best", "--log", log_}, Console{best, err}), 0);
  EXPECT_EQ(best.str(), "no verified records; --allow-unverified ranks the others\n");
  Add(2e6);
  EXPECT_EQ(Entries().entries.at(0).median_ns, 2e6);
  EXPECT_EQ(Spec().out.find("verified"), std::string::npos);
  const TuningSpec all = Entries({"--allow-unverified"});
  EXPECT_EQ(all.entries.at(0).median_ns, 1e6);
  EXPECT_FALSE(all.entries.at(0).verified);
  for (const bool with_problem : {false, true}) {
    std::vector<std::string> args = {"records", "best", "--log", log_};
    if (with_problem) args.insert(args.end(), {"--problem", "128x256x64"});
    for (const bool allowed : {false, true}) {
      if (allowed) args.emplace_back("--allow-unverified");
      std::ostringstream out;
      EXPECT_EQ(RunCommandLine(args, Console{out, err}), 0);
      EXPECT_EQ(out.str().find("unverified") != std::string::npos, allowed) << out.str();
    }
  }
}

TEST_F(SpecCommandTest, TakesWhatRecordsBestHasFirst) {
  Add(3e6, [](TuningRecord& record) { record.schedule.params["bm"] = 1; });
  Add(1e6, [](TuningRecord& record) { record.schedule.params["bm"] = 1; });
  Add(2e6, [](TuningRecord& record) { record.schedule.params["bm"] = 2; });
  EXPECT_EQ(Entries().entries.at(0).schedule.Get("bm"), 2) << "a lucky record is not the schedule's time";
  Add(2.2e6, [](TuningRecord& record) {
    record.schedule.params["bm"] = 3;
    Schedule reference = record.schedule;
    reference.params["bm"] = 2;
    record.measurement.conditions.comparison = Comparison{reference, 0.9, 0.9, 0.9, {0.9}, {1.8e6}, {2e6}};
  });
  EXPECT_EQ(Entries().entries.at(0).schedule.Get("bm"), 3);
  EXPECT_EQ(Entries().entries.at(0).median_ns, 0.9 * 2e6) << "the time that ranks it";
  EXPECT_TRUE(Entries().entries.at(0).verified);
  std::ostringstream best, err;
  EXPECT_EQ(RunCommandLine({"records", "best", "--json", "--log", log_}, Console{best, err}), 0);
  EXPECT_THAT(best.str(), HasSubstr("\"bm\":3"));
}

TEST_F(SpecCommandTest, WarmRecordsCountBeforeColdOnes) {
  Add(1e6, [](TuningRecord& record) { record.measurement.timing.regime = "cold"; });
  EXPECT_EQ(Entries().entries.at(0).median_ns, 1e6);
  Add(5e6, [](TuningRecord& record) { record.measurement.timing.regime = "warm"; });
  EXPECT_EQ(Entries().entries.at(0).median_ns, 5e6);
}

TEST_F(SpecCommandTest, SaysWhenAnOlderToolchainWasFaster) {
  Add(1e6, [](TuningRecord& record) { record.toolchain.mlir = "old"; });
  Add(2e6, [](TuningRecord& record) { record.unix_millis += 1000; });
  EXPECT_EQ(Entries().entries.at(0).median_ns, 2e6);
  EXPECT_THAT(Spec().err, HasSubstr("faster for 1 of 1 entries; --any-toolchain"));
  EXPECT_EQ(Entries({"--any-toolchain"}).entries.at(0).median_ns, 1e6);
  EXPECT_EQ(Spec({"--any-toolchain"}).err, "");
}

TEST_F(SpecCommandTest, TakesFewStepsForEachEntry) {
  for (int size = 1; size <= 20; ++size) {
    Add(1e6, [size](TuningRecord& record) { record.problem.m = 128 * size; });
  }
  const mmtune::testing::StatementSteps steps;
  const auto steps_of = [this](const std::vector<std::string>& more) {
    mmtune::testing::StatementSteps::Take();
    EXPECT_EQ(Entries(more).entries.size(), 20u);
    return mmtune::testing::StatementSteps::Take();
  };
  constexpr int64_t kSteps = 250;  // Ranking the records of a problem takes more.
  EXPECT_LT(steps_of({"--any-toolchain"}), 20 * kSteps);
  EXPECT_LT(steps_of({}), 20 * kSteps);
}

TEST_F(SpecCommandTest, WithNothingToWriteItSaysWhatTheLogHas) {
  const std::string file = folder_.File("spec.json");
  auto nothing = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"-o", file});
    const Answer answer = Spec(more);
    EXPECT_EQ(answer.code, 1);
    EXPECT_EQ(answer.out, "");
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1);
    return answer.err;
  };
  EXPECT_THAT(nothing({}), HasSubstr("the log has no records; run tune matmul first"));
  Add(3e6, [](TuningRecord& record) { record.measurement.outcome = Outcome::kRejected; });
  EXPECT_THAT(nothing({}), HasSubstr("no valid record, but ones that are rejected"));
  Add(3e6);
  EXPECT_THAT(nothing({"--device-name", "cuda"}),
              HasSubstr("no valid record passes the filters; the log has 128x256x64 f32 on simt-cpu"));
}

TEST_F(SpecCommandTest, ARecordWithoutADigestOfItsCodeIsNamed) {
  Add(3e6, [](TuningRecord& record) { record.measurement.code_digest = ""; });
  const Answer answer = Spec();
  EXPECT_EQ(answer.code, 3);
  EXPECT_EQ(answer.out, "");
  EXPECT_THAT(answer.err, HasSubstr("malformed: for 128x256x64 f32 on simt-cpu"));
  EXPECT_THAT(answer.err, HasSubstr(" code_digest is '', not a SHA-256"));
}

}  // namespace
}  // namespace mmtune
