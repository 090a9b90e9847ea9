// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What becomes of a candidate whose child fails, and of the candidates after it.
#include "tests/worker/children/child_faults_fixture.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

TEST_F(ChildFaultsTest, TheCompileChildIsToldToKeepThePtx) {
  const Schedule schedule = FaultySchedule("compile", Fault::kNone);
  absl::StatusOr<Measurement> measurement = Evaluate(schedule, nullptr, TimePoint::max(), /*assemble=*/false);
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->code_digest, "digest of PTX");
  ExpectGoesOn();
}

TEST_F(ChildFaultsTest, AScheduleIsVerifiedBeforeItIsTimed) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("verification", Fault::kNone));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kOk);
  EXPECT_EQ(VerificationText(measurement->verification), "verified");
  EXPECT_EQ(measurement->verification.fuzzing_runs, 3);
}

TEST_F(ChildFaultsTest, AFailedVerificationIsNeitherCheckedNorTimed) {
  Schedule schedule = FaultySchedule("verification", Fault::kWrongResult);
  schedule.params["load"] = static_cast<int64_t>(Fault::kAbort);
  absl::StatusOr<Measurement> measurement = Evaluate(schedule);
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kWrongResult);
  EXPECT_EQ(VerificationText(measurement->verification), "failed");
  EXPECT_FALSE(measurement->check.performed);
  EXPECT_TRUE(measurement->timing.samples_ns.empty());
  EXPECT_EQ(measurement->code_digest, "digest");
  EXPECT_GT(measurement->phases.llvm_ms, 0);
}

TEST_F(ChildFaultsTest, TheVerificationCanBeTurnedOff) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("verification", Fault::kSegv), nullptr,
                                                     TimePoint::max(), /*assemble=*/true, /*verify=*/false);
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kOk) << measurement->message;
  EXPECT_EQ(VerificationText(measurement->verification), "not performed (turned off)");
}

TEST_F(ChildFaultsTest, AVerifierThatFailsIsTheWorkersFailure) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("verification", Fault::kError));
  EXPECT_TRUE(absl::IsUnavailable(measurement.status())) << measurement.status();
  EXPECT_THAT(std::string(measurement.status().message()), HasSubstr("the verifier failed: told to fail"));
  ExpectGoesOn();
}

struct Row {
  const char* name;
  const char* step;
  Fault fault;
  Outcome outcome;
  const char* message;
};

class ChildFaultsTable : public ChildFaultsTest, public testing::WithParamInterface<Row> {};

TEST_P(ChildFaultsTable, BecomesAnOutcomeAndTheWorkerGoesOn) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  if (GetParam().fault == Fault::kOutOfMemory) GTEST_SKIP() << "the sanitizer needs all of the address space";
#endif
  for (bool seasoned : {false, true}) {
    SCOPED_TRACE(seasoned ? "in a child that has worked before" : "in a fresh child");
    const TimePoint start = Clock::Real().Now();
    absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule(GetParam().step, GetParam().fault));
    ASSERT_TRUE(measurement.ok()) << measurement.status();
    EXPECT_EQ(OutcomeName(measurement->outcome), OutcomeName(GetParam().outcome)) << measurement->message;
    EXPECT_THAT(measurement->message, HasSubstr(GetParam().message));
    EXPECT_LT(Clock::Real().Now() - start, std::chrono::seconds(10));
    ExpectConvicted(*measurement);
    ExpectGoesOn();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Faults, ChildFaultsTable,
    testing::Values(
        Row{"CompileSegv", "compile", Fault::kSegv, Outcome::kCompileFailed, "signal 11"},
        Row{"CompileAbort", "compile", Fault::kAbort, Outcome::kCompileFailed, "LLVM ERROR: told to abort"},
        Row{"CompileHang", "compile", Fault::kHang, Outcome::kTimedOut, "no answer within 1 s"},
        Row{"CompileGarbage", "compile", Fault::kGarbageFrame, Outcome::kCrashed, "an invalid message"},
        Row{"CompileHugeFrame", "compile", Fault::kHugeFrame, Outcome::kCrashed, "an invalid message"},
        Row{"CompileHalfFrame", "compile", Fault::kHalfFrame, Outcome::kTimedOut,
            "the answer was not complete within 3 s"},
        Row{"CompileExitZero", "compile", Fault::kExitZero, Outcome::kCompileFailed, "exit code 0"},
        Row{"CompileExitThree", "compile", Fault::kExitThree, Outcome::kCompileFailed, "exit code 3"},
        Row{"CompileFlood", "compile", Fault::kFlood, Outcome::kCompileFailed, "signal 6"},
        Row{"CompileOutOfMemory", "compile", Fault::kOutOfMemory, Outcome::kCompileFailed, "out of memory"},
        Row{"CompileError", "compile", Fault::kError, Outcome::kCompileFailed, "told to fail"},
        Row{"CompileWrongAnswer", "compile", Fault::kWrongAnswer, Outcome::kCrashed, "an unexpected reply"},
        Row{"Rejected", "compile", Fault::kWrongResult, Outcome::kRejected, "no such schedule"},
        Row{"VerificationWrong", "verification", Fault::kWrongResult, Outcome::kWrongResult, "not verified: a race in"},
        Row{"VerificationSegv", "verification", Fault::kSegv, Outcome::kCrashed, "verifying"},
        Row{"VerificationHang", "verification", Fault::kHang, Outcome::kTimedOut, "verifying"},
        Row{"VerificationWrongAnswer", "verification", Fault::kWrongAnswer, Outcome::kCrashed, "an unexpected reply"},
        Row{"LoadAbort", "load", Fault::kAbort, Outcome::kCrashed, "LLVM ERROR: told to abort"},
        Row{"LoadError", "load", Fault::kError, Outcome::kLaunchFailed, "loading: told to fail"},
        Row{"CheckSegv", "check", Fault::kSegv, Outcome::kCrashed, "checking"},
        Row{"CheckHang", "check", Fault::kHang, Outcome::kTimedOut, "checking"},
        Row{"CheckWrong", "check", Fault::kWrongResult, Outcome::kWrongResult, "C[0][0] is 1, not 2"},
        Row{"CheckPoisoned", "check", Fault::kPoisoned, Outcome::kCrashed, "context is lost"},
        Row{"CheckError", "check", Fault::kError, Outcome::kLaunchFailed, "checking: told to fail"},
        Row{"TimeSegv", "time", Fault::kSegv, Outcome::kCrashed, "timing"},
        Row{"TimeHang", "time", Fault::kHang, Outcome::kTimedOut, "timing"},
        Row{"TimeGarbage", "time", Fault::kGarbageFrame, Outcome::kCrashed, "an invalid message"},
        Row{"TimeExitZero", "time", Fault::kExitZero, Outcome::kCrashed, "exit code 0"},
        Row{"TimeWrongAnswer", "time", Fault::kWrongAnswer, Outcome::kCrashed, "an unexpected reply"},
        Row{"TimeZero", "time", Fault::kNoTime, Outcome::kCrashed, "no valid time"}),
    [](const auto& info) { return info.param.name; });

TEST_F(ChildFaultsTest, ACandidateIsNotConvictedForWhatAnEarlierOneBroke) {
  ExpectGoesOn();
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("compile", Fault::kOnceSegv));
  ASSERT_TRUE(measurement.ok());
  EXPECT_EQ(measurement->outcome, Outcome::kOk) << measurement->message;
  ASSERT_EQ(measurement->conditions.failed_attempts.size(), 1u);
  EXPECT_EQ(measurement->conditions.failed_attempts[0].provenance, Provenance::kPoisonedByPrevious);
}

struct Once {
  const char* name;
  const char* step;
  Fault fault;
  bool seasoned;
  Outcome outcome;
  Provenance provenance;
};

class FailedOnce : public ChildFaultsTest, public testing::WithParamInterface<Once> {
 protected:
  FailedOnce() { CommitOnce(); }
  ~FailedOnce() override { unsetenv("MMTUNE_TEST_ONCE"); }
};

TEST_P(FailedOnce, IsNotConvicted) {
  if (GetParam().seasoned) ExpectGoesOn();
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule(GetParam().step, GetParam().fault));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kOk) << measurement->message;
  EXPECT_EQ(measurement->timing.median_ns, 1000);
  const std::vector<FailedAttempt>& attempts = measurement->conditions.failed_attempts;
  ASSERT_EQ(attempts.size(), 1u);
  EXPECT_EQ(OutcomeName(attempts[0].outcome), OutcomeName(GetParam().outcome));
  EXPECT_EQ(ProvenanceName(attempts[0].provenance), ProvenanceName(GetParam().provenance));
}

constexpr Provenance kPoisoned = Provenance::kPoisonedByPrevious;
INSTANTIATE_TEST_SUITE_P(
    Faults, FailedOnce,
    testing::Values(
        Once{"CompileSegv", "compile", Fault::kSegv, true, Outcome::kCompileFailed, kPoisoned},
        Once{"CompileSegvFresh", "compile", Fault::kSegv, false, Outcome::kCompileFailed, Provenance::kWorker},
        Once{"CompileGarbage", "compile", Fault::kGarbageFrame, true, Outcome::kCrashed, Provenance::kWorker},
        Once{"VerificationSegv", "verification", Fault::kSegv, true, Outcome::kCrashed, kPoisoned},
        Once{"LoadError", "load", Fault::kError, true, Outcome::kLaunchFailed, kPoisoned},
        Once{"CheckSegv", "check", Fault::kSegv, true, Outcome::kCrashed, kPoisoned},
        Once{"CheckSegvFresh", "load", Fault::kSegv, false, Outcome::kCrashed, Provenance::kWorker},
        Once{"CheckPoisoned", "check", Fault::kPoisoned, true, Outcome::kCrashed, kPoisoned},
        Once{"TimeGarbage", "time", Fault::kGarbageFrame, true, Outcome::kCrashed, Provenance::kWorker},
        Once{"TimeWrongAnswer", "time", Fault::kWrongAnswer, true, Outcome::kCrashed, Provenance::kWorker},
        Once{"DeviceLost", "time", Fault::kDeviceLost, true, Outcome::kCrashed, Provenance::kInfrastructure},
        Once{"NoMemory", "load", Fault::kNoMemory, false, Outcome::kLaunchFailed, Provenance::kInfrastructure}),
    [](const auto& info) { return info.param.name; });

TEST_F(ChildFaultsTest, WhatTheDeviceDoesTwiceIsNotRecorded) {
  for (Fault fault : {Fault::kDeviceLost, Fault::kNoMemory}) {
    absl::Status status = Evaluate(FaultySchedule("check", fault)).status();
    EXPECT_TRUE(absl::IsUnavailable(status)) << status;
    ExpectGoesOn();
  }
}

TEST_F(ChildFaultsTest, AStopKillsAHangingChildAtOnce) {
  for (const char* step : {"compile", "check"}) {
    auto stop = std::make_shared<StopToken>();
    stop->Raise(StopToken::Level::kNow);
    EXPECT_TRUE(absl::IsCancelled(Evaluate(FaultySchedule(step, Fault::kHang), stop).status()));
  }
  ExpectGoesOn();
}

TEST_F(ChildFaultsTest, ALeaseThatHasClosedIsNotBegun) {
  absl::Status status = Evaluate(FaultySchedule("compile", Fault::kNone), nullptr, Clock::Real().Now()).status();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
}

TEST_F(ChildFaultsTest, AnEndlessLoopEndsByItsCpuTime) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("verification", Fault::kLoop));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kTimedOut);
  EXPECT_EQ(measurement->message, "verifying: no answer within 1 s of CPU time");
  ExpectConvicted(*measurement);
  ExpectGoesOn();
}

// The limit of this test is 1 s, and the verification takes 2 s, most of which it waits, as on a loaded host.
TEST_F(ChildFaultsTest, TimeThatTheHostDidNotGiveIsNotHeldAgainstTheCandidate) {
  const TimePoint start = Clock::Real().Now();
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("verification", Fault::kSlow));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kOk) << measurement->message;
  EXPECT_GT(Clock::Real().Now() - start, std::chrono::milliseconds(1500));
}

TEST_F(ChildFaultsTest, ALeaseThatClosesOnALoadedHostIsTheWorkersFailure) {
  const TimePoint close = Clock::Real().Now() + std::chrono::milliseconds(10500);  // handed back 10 s before
  absl::Status status = Evaluate(FaultySchedule("compile", Fault::kSlow), nullptr, close).status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("the host is too busy"));
  ExpectGoesOn();
}

TEST(WithinLease, TheCloseOfTheLeaseCutsARun) {
  Candidate candidate;
  EXPECT_EQ(WithinLease(std::chrono::seconds(9), candidate), std::chrono::seconds(9));
  candidate.close = Clock::Real().Now() + std::chrono::seconds(1);
  EXPECT_LE(WithinLease(std::chrono::seconds(9), candidate), std::chrono::seconds(1));
  candidate.close = Clock::Real().Now() - std::chrono::seconds(1);
  EXPECT_EQ(WithinLease(std::chrono::seconds(9), candidate), Duration::zero());
}

TEST_F(ChildFaultsTest, ADeviceThatIsGoneIsTheWorkersFailure) {
  setenv("MMTUNE_TEST_NO_DEVICE", "1", 1);
  absl::Status status = Evaluate(FaultySchedule("compile", Fault::kNone)).status();
  unsetenv("MMTUNE_TEST_NO_DEVICE");
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("the device fell off the bus"));
  ExpectGoesOn();
}

TEST(ChildStart, AnExecutableThatIsNotThereIsTheWorkersFailure) {
  OwnedFolder scratch = OwnedFolder::Temporary("mmtune-test-").value();
  ChildCommand command;
  command.executable = "/proc/nonexistent";
  command.role = "compile";
  command.scratch_folder = scratch.path();
  Child child(command);
  EXPECT_TRUE(absl::IsUnavailable(child.Start().status()));
}

}  // namespace
}  // namespace mmtune
