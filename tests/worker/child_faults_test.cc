// What becomes of a candidate whose child fails, and of the candidates after it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "proto/base/subprocess.h"
#include "tests/worker/faults.h"
#include "tests/worker/processes.h"
#include "worker/comparison.h"
#include "worker/process_evaluator.h"
#include "worker/scratch_folder.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

class ChildFaultsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { MarkProcessTree(); }

  ChildFaultsTest() {
    ProcessEvaluatorOptions options;
    options.executable = ExecutableFolder() + "/mmtune-test-worker";
    options.devices.resize(1);
    options.devices[0].info = ArchitectureLimits("sm_80").value();
    options.devices[0].info.arch = "sm_80";
    options.devices[0].selector = "simt";
    options.scratch_folder = scratch_.path();
    options.lock_devices = false;
    options.limits.unhealthy_pause = std::chrono::milliseconds(1);
    options.limits.compile = options.limits.load = options.limits.run = std::chrono::seconds(1);
    if (options.limits.compile_address_space_bytes > 0) {
      options.limits.compile_address_space_bytes = int64_t{2} << 30;
    }
    evaluator_ = std::make_unique<ProcessEvaluator>(std::move(options));
  }

  ~ChildFaultsTest() override {
    evaluator_.reset();
    EXPECT_THAT(MarkedProcesses("--child-role"), testing::IsEmpty());
  }

  static Candidate CandidateOf(const Schedule& schedule) {
    Candidate candidate;
    candidate.problem = {8, 8, 8, DataType::kF32};
    candidate.schedule = schedule;
    candidate.target = ArchitectureLimits("sm_80").value();
    candidate.target.arch = "sm_80";
    candidate.remeasure = true;  // all have one code digest
    return candidate;
  }

  absl::StatusOr<Measurement> Evaluate(const Schedule& schedule, std::shared_ptr<StopToken> stop = nullptr,
                                       TimePoint close = TimePoint::max(), bool assemble = true, bool prove = true) {
    Candidate candidate = CandidateOf(schedule);
    candidate.close = close;
    candidate.assemble = assemble;
    candidate.prove = prove;
    return Evaluate(std::move(candidate), std::move(stop));
  }

  absl::StatusOr<Measurement> Evaluate(Candidate candidate, std::shared_ptr<StopToken> stop = nullptr) {
    absl::Notification done;
    absl::StatusOr<Measurement> result = absl::UnknownError("not called");
    evaluator_->Start(std::move(candidate), stop != nullptr ? stop : std::make_shared<StopToken>(),
                      [&](absl::StatusOr<Measurement> measurement) {
                        result = std::move(measurement);
                        done.Notify();
                      });
    done.WaitForNotification();
    return result;
  }

  void ExpectGoesOn() {
    absl::StatusOr<Measurement> clean = Evaluate(FaultySchedule("compile", Fault::kNone));
    ASSERT_TRUE(clean.ok()) << clean.status();
    EXPECT_EQ(clean->outcome, Outcome::kOk) << clean->message;
    EXPECT_EQ(clean->timing.median_ns, 1000);
    EXPECT_TRUE(clean->check.passed);
    EXPECT_EQ(clean->code_digest, "digest");
  }

  /// Every failed attempt ended as the candidate did and is its own doing; what can differ in a fresh child was tried
  /// in one.
  static void ExpectConvicted(const Measurement& m) {
    const std::vector<FailedAttempt>& attempts = m.conditions.failed_attempts;
    if (m.outcome == Outcome::kRejected) {
      EXPECT_THAT(attempts, testing::IsEmpty());
      return;
    }
    const bool said_by_compiler = m.message == "told to fail" || m.message.find("not proven") == 0;
    EXPECT_EQ(attempts.size(), m.outcome == Outcome::kTimedOut || said_by_compiler ? 1 : 2);
    EXPECT_THAT(attempts, testing::Each(testing::FieldsAre(m.outcome, m.message, Provenance::kCandidate)));
  }

  /// From now on the faults of this test's candidates are committed by one child only; an earlier one is forgotten.
  void CommitOnce() {
    const std::string file = scratch_.path() + "/once";
    unlink(file.c_str());
    setenv("MMTUNE_TEST_ONCE", file.c_str(), 1);
  }

  ScratchFolder scratch_ = ScratchFolder::Create().value();
  std::unique_ptr<ProcessEvaluator> evaluator_;
};

TEST_F(ChildFaultsTest, TheSameCodeIsTimedOnceAndCheckedAgain) {
  Candidate candidate = CandidateOf(FaultySchedule("compile", Fault::kNone));
  candidate.remeasure = false;
  const absl::StatusOr<Measurement> first = Evaluate(candidate);
  candidate.schedule.params["another"] = 1;
  const absl::StatusOr<Measurement> second = Evaluate(candidate);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_FALSE(first->conditions.shared);
  EXPECT_TRUE(second->conditions.shared);
  EXPECT_EQ(second->conditions.run, first->conditions.run);
  EXPECT_EQ(second->timing, first->timing);
  EXPECT_EQ(second->timing_key, first->timing_key);
  EXPECT_TRUE(second->check.passed);
  candidate.precision = kDefaultPrecision / 2;
  candidate.measure_seconds = 10;
  const absl::StatusOr<Measurement> finer = Evaluate(candidate);
  candidate.remeasure = true;
  candidate.precision = 0;
  const absl::StatusOr<Measurement> again = Evaluate(candidate);
  ASSERT_TRUE(finer.ok() && again.ok());
  EXPECT_FALSE(finer->conditions.shared);
  EXPECT_FALSE(again->conditions.shared);
}

TEST_F(ChildFaultsTest, WhatAnotherWorkerMeasuredIsAskedForAndUsed) {
  Candidate candidate = CandidateOf(FaultySchedule("time", Fault::kSegv));
  candidate.remeasure = false;
  Measurement theirs;
  theirs.timing.median_ns = 4711;
  theirs.conditions.run = "theirs";
  theirs.conditions.comparison.emplace();
  std::vector<std::string> asked;
  candidate.find_measured = [&](const std::string& key) -> absl::StatusOr<std::optional<Measurement>> {
    asked.push_back(key);
    return theirs;
  };
  absl::StatusOr<Measurement> measured = Evaluate(candidate);
  ASSERT_TRUE(measured.ok());
  EXPECT_EQ(measured->timing.median_ns, 4711);
  EXPECT_EQ(measured->conditions.run, "theirs");
  EXPECT_FALSE(measured->conditions.comparison.has_value());
  EXPECT_THAT(asked, testing::ElementsAre(measured->timing_key));
  theirs.conditions.health.finding = "too hot";  // not to be trusted: timed here, where it crashes
  EXPECT_EQ(Evaluate(candidate)->outcome, Outcome::kCrashed);
  theirs.conditions.health.finding.clear();
  theirs.conditions.ended = std::string(kEndedSlower);
  EXPECT_EQ(Evaluate(candidate)->outcome, Outcome::kCrashed);
}

TEST_F(ChildFaultsTest, ARivalIsComparedInFreshChildren) {
  Candidate candidate = CandidateOf(FaultySchedule("compile", Fault::kNone));
  candidate.rival = FaultySchedule("compile", Fault::kNone);
  absl::StatusOr<Measurement> measured = Evaluate(candidate);
  ASSERT_TRUE(measured.ok());
  ASSERT_TRUE(measured->conditions.comparison.has_value());
  const Comparison& comparison = *measured->conditions.comparison;
  EXPECT_THAT(comparison.ratios, testing::ElementsAre(1.5, 1.25, 1.5, 1.25, 1.5, 1.25, 1.5, 1.25));
  EXPECT_EQ((std::vector<double>{comparison.low, comparison.ratio, comparison.high}),
            (std::vector<double>{1.25, 1.375, 1.5}));
  EXPECT_FALSE(comparison.Tied());
  EXPECT_EQ(comparison.medians_ns.front(), 1500);
  EXPECT_EQ(comparison.rival_medians_ns, std::vector<double>(8, 1000));
  candidate.rival = FaultySchedule("compile", Fault::kSegv);
  measured = Evaluate(candidate);
  ASSERT_TRUE(measured.ok());
  EXPECT_EQ(measured->outcome, Outcome::kOk) << "a rival that does not compile is not the candidate's doing";
  EXPECT_FALSE(measured->conditions.comparison.has_value());
}

TEST_F(ChildFaultsTest, AComparisonThatCannotBeMadeIsToldAndCostsTheCandidateNothing) {
  for (auto [fault, outcome] : {std::pair(Fault::kSegv, Outcome::kCrashed), std::pair(Fault::kHang, Outcome::kTimedOut),
                                std::pair(Fault::kError, Outcome::kLaunchFailed)}) {
    Candidate candidate = CandidateOf(FaultySchedule("compile", Fault::kNone));
    candidate.rival = FaultySchedule("load", fault);
    const absl::StatusOr<Measurement> measured = Evaluate(candidate);
    ASSERT_TRUE(measured.ok()) << measured.status();
    EXPECT_EQ(measured->outcome, Outcome::kOk);
    EXPECT_FALSE(measured->conditions.comparison.has_value());
    ASSERT_EQ(measured->conditions.failed_attempts.size(), 1u);
    EXPECT_EQ(measured->conditions.failed_attempts[0].outcome, outcome);
    EXPECT_THAT(measured->conditions.failed_attempts[0].message, HasSubstr("comparing: "));
    ExpectGoesOn();
  }
}

TEST_F(ChildFaultsTest, TheCompileChildIsToldToKeepThePtx) {
  const Schedule schedule = FaultySchedule("compile", Fault::kNone);
  absl::StatusOr<Measurement> measurement = Evaluate(schedule, nullptr, TimePoint::max(), /*assemble=*/false);
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->code_digest, "digest of PTX");
  ExpectGoesOn();
}

TEST_F(ChildFaultsTest, AScheduleIsProvenBeforeItIsTimed) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("proof", Fault::kNone));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kOk);
  EXPECT_EQ(ProofText(measurement->proof), "proven");
  EXPECT_EQ(measurement->proof.stress_runs, 3);
}

TEST_F(ChildFaultsTest, AFailedProofIsNeitherCheckedNorTimed) {
  Schedule schedule = FaultySchedule("proof", Fault::kWrongResult);
  schedule.params["load"] = static_cast<int64_t>(Fault::kAbort);
  absl::StatusOr<Measurement> measurement = Evaluate(schedule);
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kWrongResult);
  EXPECT_EQ(ProofText(measurement->proof), "failed");
  EXPECT_FALSE(measurement->check.performed);
  EXPECT_TRUE(measurement->timing.samples_ns.empty());
  EXPECT_EQ(measurement->code_digest, "digest");
  EXPECT_GT(measurement->phases.llvm_ms, 0);
}

TEST_F(ChildFaultsTest, TheProofCanBeTurnedOff) {
  absl::StatusOr<Measurement> measurement =
      Evaluate(FaultySchedule("proof", Fault::kSegv), nullptr, TimePoint::max(), /*assemble=*/true, /*prove=*/false);
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kOk) << measurement->message;
  EXPECT_EQ(ProofText(measurement->proof), "not performed (turned off)");
}

TEST_F(ChildFaultsTest, AProofThatTheWorkerCannotMakeIsNone) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("proof", Fault::kError));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kOk) << measurement->message;
  EXPECT_EQ(ProofText(measurement->proof), "not performed (told to fail)");
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
    testing::Values(Row{"CompileSegv", "compile", Fault::kSegv, Outcome::kCompileFailed, "signal 11"},
                    Row{"CompileAbort", "compile", Fault::kAbort, Outcome::kCompileFailed, "LLVM ERROR: told to abort"},
                    Row{"CompileHang", "compile", Fault::kHang, Outcome::kTimedOut, "no answer within 1 s"},
                    Row{"CompileGarbage", "compile", Fault::kGarbageFrame, Outcome::kCrashed, "garbage"},
                    Row{"CompileHugeFrame", "compile", Fault::kHugeFrame, Outcome::kCrashed, "garbage"},
                    Row{"CompileHalfFrame", "compile", Fault::kHalfFrame, Outcome::kTimedOut, "half an answer"},
                    Row{"CompileExitZero", "compile", Fault::kExitZero, Outcome::kCompileFailed, "exit code 0"},
                    Row{"CompileExitThree", "compile", Fault::kExitThree, Outcome::kCompileFailed, "exit code 3"},
                    Row{"CompileFlood", "compile", Fault::kFlood, Outcome::kCompileFailed, "signal 6"},
                    Row{"CompileOutOfMemory", "compile", Fault::kOutOfMemory, Outcome::kCompileFailed, "out of memory"},
                    Row{"CompileError", "compile", Fault::kError, Outcome::kCompileFailed, "told to fail"},
                    Row{"CompileWrongAnswer", "compile", Fault::kWrongAnswer, Outcome::kCrashed, "something else"},
                    Row{"Rejected", "compile", Fault::kWrongResult, Outcome::kRejected, "no such schedule"},
                    Row{"ProofWrong", "proof", Fault::kWrongResult, Outcome::kWrongResult, "not proven: a race in"},
                    Row{"ProofSegv", "proof", Fault::kSegv, Outcome::kCrashed, "proving"},
                    Row{"ProofHang", "proof", Fault::kHang, Outcome::kTimedOut, "proving"},
                    Row{"ProofWrongAnswer", "proof", Fault::kWrongAnswer, Outcome::kCrashed, "something else"},
                    Row{"LoadAbort", "load", Fault::kAbort, Outcome::kCrashed, "LLVM ERROR: told to abort"},
                    Row{"LoadError", "load", Fault::kError, Outcome::kLaunchFailed, "loading: told to fail"},
                    Row{"CheckSegv", "check", Fault::kSegv, Outcome::kCrashed, "checking"},
                    Row{"CheckHang", "check", Fault::kHang, Outcome::kTimedOut, "checking"},
                    Row{"CheckWrong", "check", Fault::kWrongResult, Outcome::kWrongResult, "C[0][0] is 1, not 2"},
                    Row{"CheckPoisoned", "check", Fault::kPoisoned, Outcome::kCrashed, "context is lost"},
                    Row{"CheckError", "check", Fault::kError, Outcome::kLaunchFailed, "checking: told to fail"},
                    Row{"TimeSegv", "time", Fault::kSegv, Outcome::kCrashed, "timing"},
                    Row{"TimeHang", "time", Fault::kHang, Outcome::kTimedOut, "timing"},
                    Row{"TimeGarbage", "time", Fault::kGarbageFrame, Outcome::kCrashed, "garbage"},
                    Row{"TimeExitZero", "time", Fault::kExitZero, Outcome::kCrashed, "exit code 0"},
                    Row{"TimeWrongAnswer", "time", Fault::kWrongAnswer, Outcome::kCrashed, "something else"},
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
        Once{"ProofSegv", "proof", Fault::kSegv, true, Outcome::kCrashed, kPoisoned},
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

TEST_F(ChildFaultsTest, ARunOnADeviceInDoubtIsMadeOnceMore) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("time", Fault::kUnhealthyOnce));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kOk) << measurement->message;
  EXPECT_EQ(measurement->timing.median_ns, 1000);
  EXPECT_EQ(measurement->conditions.health.finding, "");
  EXPECT_EQ(measurement->conditions.baseline.library, "fakeBLAS");
}

TEST_F(ChildFaultsTest, ADeviceThatStaysInDoubtMarksTheFirstRun) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("time", Fault::kUnhealthy));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kOk) << measurement->message;
  EXPECT_EQ(measurement->timing.median_ns, 500);
  EXPECT_EQ(measurement->conditions.health.finding, "HW slowdown");
}

TEST_F(ChildFaultsTest, AKernelThatFailsWhenItIsTimedAgainIsNotOk) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("time", Fault::kUnhealthyThenSegv));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kCrashed);
  EXPECT_THAT(measurement->message, HasSubstr("timing again: "));
  ExpectGoesOn();
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

TEST_F(ChildFaultsTest, TheCloseOfTheLeaseCutsARun) {
  const TimePoint close = Clock::Real().Now() + std::chrono::milliseconds(300);
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("compile", Fault::kHang), nullptr, close);
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kTimedOut);
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
  ScratchFolder scratch = ScratchFolder::Create().value();
  ChildCommand command;
  command.executable = "/nonexistent";
  command.role = "compile";
  command.scratch_folder = scratch.path();
  Child child(command);
  EXPECT_TRUE(absl::IsUnavailable(child.Start().status()));
}

}  // namespace
}  // namespace mmtune
