// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/verify_command.h"

#include <sstream>

#include "db/tuning_log.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "server/tune/commands/profile_command.h"
#include "tests/server/tune/record_factory.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::Not;

VerifyRequest Request() {
  VerifyRequest request;
  request.problem = {64, 48, 32};
  request.schedule = ParseSchedule("fma bk=8 bm=32").value();
  return request;
}

VerifyAnswer Verified() {
  VerifyAnswer answer;
  answer.device.name = "simt-cpu";
  answer.device.arch = "sm_80";
  Measurement& measured = answer.measurement;
  measured.timing.median_ns = 1;
  measured.verification.performed = measured.verification.passed = measured.verification.correct = true;
  measured.verification.race_free = measured.verification.deterministic = true;
  measured.verification.shapes = {"64x64x24", "50x51x23"};
  measured.verification.fuzzing_runs = 3;
  measured.verification.digest = "d16e57";
  measured.check.performed = measured.check.passed = true;
  measured.check.tier = "exact, rounding";
  measured.check.bound_fraction = 0.125;
  measured.check.relative_error = 2.5e-7;
  measured.check.deterministic = true;
  return answer;
}

TEST(RunVerifyCommandTest, ASizeTooLargeForRaceDetectionIsRefusedBeforeAnythingRuns) {
  VerifyOptions options;
  options.problem.shape = "100000x100000x100000";
  options.schedule = "fma bk=8 bm=32";
  options.detect_races = true;
  std::ostringstream out, err;
  const absl::Status status = RunVerifyCommand(options, Console{out, err}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("--detect-races: "));
  options.problem.shape = "64x48x32";
  options.device = "tpu";  // The next thing that is looked at.
  EXPECT_THAT(std::string(RunVerifyCommand(options, Console{out, err}).status().message()), HasSubstr("tpu"));
}

TEST(NamedRecordTest, ARecordOfAnotherProblemIsRefusedBeforeAnythingRuns) {
  const TempFolder folder;
  const std::string log = folder.File("log.db");
  const TuningRecord record = OkRecord(1e6);  // Of 128x256x64.
  const auto inserted = OpenTuningLog(log, {}).value()->InsertRecord("", record);
  ASSERT_TRUE(inserted.ok()) << inserted.status();
  VerifyOptions verify;
  ProfileOptions profile;
  verify.log = profile.log = log;
  verify.record = profile.record = record.uuid;
  std::ostringstream out, err;
  auto statuses = [&](const std::string& shape) {
    verify.problem.shape = profile.problem.shape = shape;
    return std::vector<absl::Status>{RunVerifyCommand(verify, Console{out, err}).status(),
                                     RunProfileCommand(profile, Console{out, err}).status()};
  };
  for (const absl::Status& status : statuses("64x48x32")) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(),
              "record 0123456789abcdef is of 128x256x64 f32, not of 64x48x32 f32: give the record's problem");
  }
}

TEST(VerdictTest, AVerifiedScheduleSaysWhatWasShown) {
  EXPECT_TRUE(IsVerified(Verified()));
  EXPECT_EQ(VerdictText(Request(), Verified()),
            "64x48x32 f32\n"
            "fma bk=8 bm=32\n"
            "\n"
            "verdict        verified\n"
            "correct        yes\n"
            "race-free      yes\n"
            "deterministic  yes\n"
            "error          0.125 of the bound, 2.5e-07 of the largest magnitude\n"
            "covered        the PTX for sm_80 at 64x64x24, 50x51x23; each in race detection and in 3 fuzzing runs\n"
            "at this size   exact, rounding passed on simt-cpu, sm_80\n"
            "digest         d16e57\n");
}

TEST(VerdictTest, LongLinesContinueInTheirColumn) {
  const std::string text = VerdictText(Request(), Verified(), {.width = 60});
  EXPECT_THAT(text, HasSubstr("covered        the PTX for sm_80 at 64x64x24, 50x51x23; each\n"
                              "               in race detection and in 3 fuzzing runs\n"));
}

TEST(VerdictTest, WithoutFuzzingRunsDeterminismIsNotCompared) {
  VerifyAnswer answer = Verified();
  answer.measurement.verification.fuzzing_runs = 0;
  EXPECT_THAT(VerdictText(Request(), answer), HasSubstr("deterministic  not compared\n"));
  EXPECT_THAT(VerdictJson(Request(), answer), HasSubstr("\"deterministic\":null"));
  EXPECT_THAT(VerdictJson(Request(), Verified()), testing::Not(HasSubstr("\"deterministic\":null")));
  answer.measurement.check.deterministic = false;
  EXPECT_THAT(VerdictText(Request(), answer), HasSubstr("deterministic  no\n"));
}

TEST(VerdictTest, AFindingStandsWhole) {
  VerifyAnswer answer = Verified();
  answer.measurement.outcome = Outcome::kWrongResult;
  answer.measurement.message = "not verified: a race";
  answer.measurement.check = CheckReport();
  answer.measurement.verification.passed = answer.measurement.verification.race_free = false;
  answer.measurement.verification.detail = "race-raw\n  \x1b[31mhere";
  EXPECT_FALSE(IsVerified(answer));
  const std::string text = VerdictText(Request(), answer);
  for (const char* line :
       {"verdict        not verified\n", "why            not verified: a race\n", "race-free      no\n",
        "error          not measured\n", "at this size   not run\n", "\nrace-raw\n  here\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(VerdictTest, WithoutAVerificationNothingIsVerified) {
  VerifyAnswer answer = Verified();
  answer.measurement.verification = VerificationReport();
  answer.measurement.verification.reason = "no small shape is valid";
  EXPECT_FALSE(IsVerified(answer));
  const std::string text = VerdictText(Request(), answer);
  EXPECT_THAT(text, HasSubstr("unverified     no small shape is valid\n"));
  EXPECT_THAT(text, HasSubstr("race-free      unknown\n"));
  EXPECT_THAT(text, HasSubstr("deterministic  unknown\n"));
  EXPECT_THAT(text, HasSubstr("correct        unknown\n"));
  const auto json = nlohmann::json::parse(VerdictJson(Request(), answer));
  EXPECT_EQ(json["verified"], false);
  for (const char* field : {"correct", "race_free", "deterministic"})
    EXPECT_TRUE(json["verification"][field].is_null());
}

TEST(VerdictTest, AfterATimeLimitNothingIsKnown) {
  VerifyAnswer answer;
  answer.measurement.outcome = Outcome::kTimedOut;
  answer.measurement.message = "no answer within 120 s";
  const std::string text = VerdictText(Request(), answer);
  for (const char* line : {"verdict        not verified\n", "why            no answer within 120 s\n",
                           "correct        unknown\n", "race-free      unknown\n", "deterministic  unknown\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  EXPECT_TRUE(nlohmann::json::parse(VerdictJson(Request(), answer))["verification"]["race_free"].is_null());
}

TEST(VerdictTest, AWrongResultAtFullSizeIsNotVerified) {
  VerifyAnswer answer = Verified();
  answer.measurement.outcome = Outcome::kWrongResult;
  answer.measurement.check.passed = false;
  answer.measurement.check.tier = "exact";
  answer.measurement.check.detail = "C[0][1] is 2, not 3";
  EXPECT_FALSE(IsVerified(answer));
  EXPECT_THAT(VerdictText(Request(), answer), HasSubstr("wrong on simt-cpu, sm_80 (exact): C[0][1] is 2, not 3\n"));
  EXPECT_THAT(VerdictText(Request(), answer), HasSubstr("correct        no\n"));
}

TEST(VerdictTest, ItsOwnSizeIsCoveredWhereItWasWatched) {
  VerifyRequest request = Request();
  request.check_full_size_races = true;
  EXPECT_THAT(VerdictText(request, Verified()), HasSubstr("in 3 fuzzing runs; this size in race detection\n"));
  EXPECT_EQ(nlohmann::json::parse(VerdictJson(request, Verified()))["full_size_races_checked"], true);
  EXPECT_EQ(nlohmann::json::parse(VerdictJson(Request(), Verified()))["full_size_races_checked"], false);
  VerifyAnswer unverified = Verified();
  unverified.measurement.verification = VerificationReport();
  EXPECT_EQ(nlohmann::json::parse(VerdictJson(request, unverified))["full_size_races_checked"], false);
}

TEST(VerdictTest, ASampleOfBlocksIsNoShapeThatWasRunAsAWhole) {
  VerifyAnswer answer = Verified();
  answer.measurement.verification.shapes.push_back("4 of 12 blocks of 64x48x32");
  EXPECT_THAT(
      VerdictText(Request(), answer),
      HasSubstr("at 64x64x24, 50x51x23; each in race detection and in 3 fuzzing runs; in race detection 4 of 12 "
                "blocks of 64x48x32\n"));
}

TEST(VerdictTest, JsonIsOneLine) {
  const std::string text = VerdictJson(Request(), Verified());
  EXPECT_THAT(text, Not(HasSubstr("\n")));
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["verified"], true);
  EXPECT_EQ(json["verification"]["fuzzing_runs"], 3);
  EXPECT_EQ(json["check"]["bound_fraction"], 0.125);
}

}  // namespace
}  // namespace mmtune
