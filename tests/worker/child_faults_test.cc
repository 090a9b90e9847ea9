// What becomes of a candidate whose child fails, and of the candidates after it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "proto/base/subprocess.h"
#include "tests/worker/faults.h"
#include "tests/worker/processes.h"
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

  absl::StatusOr<Measurement> Evaluate(const Schedule& schedule, std::shared_ptr<StopToken> stop = nullptr,
                                       TimePoint close = TimePoint::max(), bool assemble = true, bool prove = true) {
    Candidate candidate;
    candidate.problem = {8, 8, 8, DataType::kF32};
    candidate.schedule = schedule;
    candidate.target = ArchitectureLimits("sm_80").value();
    candidate.target.arch = "sm_80";
    candidate.close = close;
    candidate.assemble = assemble;
    candidate.prove = prove;
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

  ScratchFolder scratch_ = ScratchFolder::Create().value();
  std::unique_ptr<ProcessEvaluator> evaluator_;
};

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
  for (const char* step : {"compile", "check"}) {
    absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule(step, Fault::kOnceSegv));
    ASSERT_TRUE(measurement.ok());
    // A fresh child compiles it; but the check is never a child's first request, so there it fails again.
    const Outcome expected = step == std::string("compile") ? Outcome::kOk : Outcome::kCrashed;
    EXPECT_EQ(measurement->outcome, expected) << step << ": " << measurement->message;
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
