// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Candidates that are only to be compiled: what is told of them, that the kernel is there when they are measured, and
// that they hold up nothing that is measured.
#include <filesystem>

#include "proto/base/log.h"
#include "tests/worker/children/child_faults_fixture.h"

namespace mmtune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class CompileOnlyTest : public ChildFaultsTest {
 protected:
  ~CompileOnlyTest() override { unsetenv("MMTUNE_TEST_ONCE"); }

  absl::StatusOr<Measurement> CompileOnly(const Schedule& schedule, std::shared_ptr<StopToken> stop = nullptr) {
    Candidate candidate = CandidateOf(schedule);
    candidate.compile_only = true;
    candidate.take_predicted_peak_fraction = [this](double share) { shares_.push_back(share); };
    return Evaluate(std::move(candidate), std::move(stop));
  }

  /// Below the folders for temporary files, and that of the children.
  std::vector<std::string> FoldersOfModels() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(TemporaryParent())) {
      if (entry.path().filename().string().starts_with(kFakeModelPrefix)) found.push_back(entry.path());
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch_.path())) {
      if (entry.path().filename().string().starts_with(kFakeModelPrefix)) found.push_back(entry.path());
    }
    return found;
  }

  std::vector<double> shares_;  ///< Shares reported for compile tasks.
};

TEST_F(CompileOnlyTest, EndsWithTheFactsAndNothingIsVerifiedOrRun) {
  Schedule schedule = FaultySchedule("verification", Fault::kSegv);
  schedule.params["load"] = static_cast<int64_t>(Fault::kSegv);
  Candidate candidate = CandidateOf(schedule);
  candidate.compile_only = true;
  candidate.skip_above_ns = 1e-9;
  candidate.reference = FaultySchedule("compile", Fault::kSegv);
  const absl::StatusOr<Measurement> compiled = Evaluate(candidate);
  ASSERT_TRUE(compiled.ok()) << compiled.status();
  EXPECT_EQ(compiled->outcome, Outcome::kOk) << compiled->message;
  EXPECT_EQ(compiled->code_digest, "digest");
  EXPECT_EQ(compiled->phases.llvm_ms, 1);
  EXPECT_FALSE(compiled->Timed());
  EXPECT_FALSE(compiled->verification.performed);
  EXPECT_FALSE(compiled->check.performed);
}

// Each compilation but the first of a child fails once.
TEST_F(CompileOnlyTest, IsNotCompiledAgainWhenItIsMeasured) {
  const Schedule schedule = FaultySchedule("compile", Fault::kOnceSegv);
  ASSERT_TRUE(CompileOnly(schedule).ok());
  const absl::StatusOr<Measurement> measured = Evaluate(schedule);
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_THAT(measured->conditions.failed_attempts, IsEmpty());
  EXPECT_EQ(measured->outcome, Outcome::kOk) << measured->message;
  EXPECT_EQ(measured->timing.median_ns, 1000);
  EXPECT_EQ(VerificationText(measured->verification), "verified");
  EXPECT_EQ(measured->code_digest, "digest");
  EXPECT_EQ(measured->phases.llvm_ms, 1);
  const absl::StatusOr<Measurement> again = Evaluate(schedule);  // it was taken
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_THAT(again->conditions.failed_attempts, SizeIs(1));
}

TEST_F(CompileOnlyTest, IsNotCompiledTwiceByItself) {
  const Schedule schedule = FaultySchedule("compile", Fault::kOnceSegv);
  for (int i = 0; i < 3; ++i) {
    const absl::StatusOr<Measurement> compiled = CompileOnly(schedule);
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    EXPECT_THAT(compiled->conditions.failed_attempts, IsEmpty());
    EXPECT_EQ(compiled->code_digest, "digest");
  }
}

TEST_F(CompileOnlyTest, OfOtherCodeNothingIsKnown) {
  const Schedule schedule = FaultySchedule("compile", Fault::kOnceSegv);
  ASSERT_TRUE(CompileOnly(schedule).ok());
  const absl::StatusOr<Measurement> ptx = Evaluate(schedule, nullptr, TimePoint::max(), /*assemble=*/false);
  ASSERT_TRUE(ptx.ok()) << ptx.status();
  EXPECT_EQ(ptx->code_digest, "digest of PTX");
}

TEST_F(CompileOnlyTest, TheAttemptsThatFailedAreThoseOfTheMeasurement) {
  CommitOnce();
  const Schedule schedule = FaultySchedule("compile", Fault::kSegv);
  ASSERT_TRUE(CompileOnly(schedule).ok());
  const absl::StatusOr<Measurement> measured = Evaluate(schedule);
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ(measured->outcome, Outcome::kOk) << measured->message;
  EXPECT_THAT(measured->conditions.failed_attempts,
              ElementsAre(testing::FieldsAre(Outcome::kCompileFailed, HasSubstr("the compile child ended"),
                                             Provenance::kWorker)));
}

TEST_F(CompileOnlyTest, WhatDoesNotCompileHasTheOutcomeThatItsLeaseWouldHave) {
  struct Row {
    Fault fault;
    Outcome outcome;
    const char* message;
  };
  for (const Row& row : {Row{Fault::kError, Outcome::kCompileFailed, "told to fail"},
                         Row{Fault::kAbort, Outcome::kCompileFailed, "LLVM ERROR: told to abort"},
                         Row{Fault::kHang, Outcome::kTimedOut, "no answer within 1 s"},
                         Row{Fault::kWrongResult, Outcome::kRejected, "no such schedule"}}) {
    const absl::StatusOr<Measurement> compiled = CompileOnly(FaultySchedule("compile", row.fault));
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    EXPECT_EQ(OutcomeName(compiled->outcome), OutcomeName(row.outcome));
    EXPECT_THAT(compiled->message, HasSubstr(row.message));
    ExpectConvicted(*compiled);
  }
  ExpectGoesOn();
}

TEST_F(CompileOnlyTest, AStopEndsIt) {
  auto stop = std::make_shared<StopToken>();
  absl::Notification done;
  Candidate candidate = CandidateOf(FaultySchedule("compile", Fault::kLoop));
  candidate.compile_only = true;
  absl::Status end;
  evaluator_->Start(candidate, stop, [&](const absl::StatusOr<Measurement>& result) {
    end = result.status();
    done.Notify();
  });
  stop->Raise(StopToken::Level::kNow);
  done.WaitForNotification();
  EXPECT_TRUE(absl::IsCancelled(end)) << end;
  ExpectGoesOn();
}

TEST_F(CompileOnlyTest, ReportsThePredictedPeakFractionOfACubin) {
  ASSERT_TRUE(CompileOnly(FaultySchedule("model", Fault::kNone)).ok());
  ASSERT_TRUE(CompileOnly(FaultySchedule("compile", Fault::kNone)).ok());
  EXPECT_THAT(shares_, ElementsAre(0.001, 0));
  ASSERT_TRUE(Evaluate(FaultySchedule("model", Fault::kAbort)).ok());  // what is measured is not modelled
  EXPECT_THAT(shares_, SizeIs(2));
}

TEST_F(CompileOnlyTest, WhatIsCachedIsNotModelledAgain) {
  const Schedule schedule = FaultySchedule("model", Fault::kNone);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(CompileOnly(schedule).ok());
  EXPECT_THAT(shares_, ElementsAre(0.001, 0.001, 0.001));
  const absl::StatusOr<Measurement> measured = Evaluate(schedule);
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ(measured->outcome, Outcome::kOk) << measured->message;
}

TEST_F(CompileOnlyTest, AModelThatFailsIsNoFailureOfTheCandidate) {
  for (const Fault fault :
       {Fault::kError, Fault::kAbort, Fault::kHang, Fault::kLoop, Fault::kGarbageFrame, Fault::kWrongAnswer}) {
    SCOPED_TRACE(static_cast<int>(fault));
    const Schedule schedule = FaultySchedule("model", fault);
    const absl::StatusOr<Measurement> compiled = CompileOnly(schedule);
    ASSERT_TRUE(compiled.ok()) << compiled.status();
    EXPECT_EQ(compiled->outcome, Outcome::kOk) << compiled->message;
    EXPECT_EQ(compiled->code_digest, "digest");
    EXPECT_THAT(compiled->conditions.failed_attempts, IsEmpty());
    const absl::StatusOr<Measurement> measured = Evaluate(schedule);
    ASSERT_TRUE(measured.ok()) << measured.status();
    EXPECT_EQ(measured->outcome, Outcome::kOk) << measured->message;
    EXPECT_THAT(measured->conditions.failed_attempts, IsEmpty());
  }
  EXPECT_THAT(shares_, testing::AllOf(SizeIs(6), testing::Each(0)));
  EXPECT_THAT(FoldersOfModels(), IsEmpty()) << "what a killed child leaves goes with it";
}

TEST_F(CompileOnlyTest, ThatNothingCanBeModelledIsSaidOnce) {
  SetLogLevel(LogLevel::kInfo);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(CompileOnly(FaultySchedule("model", Fault::kError)).ok());
  const std::string log = testing::internal::GetCapturedStderr();
  SetLogLevel(LogLevel::kWarning);
  EXPECT_THAT(log, HasSubstr("not_modelled"));
  EXPECT_THAT(log, HasSubstr("told to fail"));
  EXPECT_EQ(log.find("not_modelled"), log.rfind("not_modelled"));
}

// The one compile child is busy while the others queue up.
TEST_F(CompileOnlyTest, WhatIsMeasuredGoesBeforeIt) {
  absl::Mutex mutex;
  std::vector<std::string> ended;
  const auto start = [&](const std::string& name, Fault fault, bool compile_only,
                         std::shared_ptr<StopToken> stop = std::make_shared<StopToken>()) {
    Candidate candidate = CandidateOf(FaultySchedule("compile", fault));
    candidate.compile_only = compile_only;
    evaluator_->Start(candidate, std::move(stop), [&, name](const absl::StatusOr<Measurement>&) {
      absl::MutexLock lock(&mutex);
      ended.push_back(name);
    });
  };
  auto stop = std::make_shared<StopToken>();
  start("busy", Fault::kLoop, /*compile_only=*/false, stop);
  start("ahead 1", Fault::kNone, /*compile_only=*/true);
  start("ahead 2", Fault::kNone, /*compile_only=*/true);
  start("measured 1", Fault::kError, /*compile_only=*/false);  // ends in the compile child, as the others do
  start("measured 2", Fault::kError, /*compile_only=*/false);
  stop->Raise(StopToken::Level::kNow);
  const auto all = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return ended.size() == 5; };
  absl::MutexLock lock(&mutex);
  mutex.Await(absl::Condition(&all));
  EXPECT_THAT(ended, ElementsAre("busy", "measured 1", "measured 2", "ahead 1", "ahead 2"));
}

TEST(CompileLanes, NoneIsIdleOnTheSimtDevice) {
  ProcessEvaluatorOptions options;
  options.compile_jobs = 3;
  options.lock_devices = false;
  options.devices.resize(2);
  options.devices[0].info.kind = DeviceKind::kCuda;
  options.devices[1].info.kind = DeviceKind::kSimt;
  const ProcessEvaluator evaluator(options);
  EXPECT_EQ(evaluator.CompileLanes(0), 3);
  EXPECT_EQ(evaluator.CompileLanes(1), 0);
}

}  // namespace
}  // namespace mmtune
