// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a measure lane does besides: shares measurements, times again where the device is in doubt, leaves a library out
// that hangs, and compares with a reference.
#include "tests/worker/children/child_faults_fixture.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using MeasureLaneTest = ChildFaultsTest;

TEST_F(MeasureLaneTest, TheSameCodeIsTimedOnceAndCheckedAgain) {
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
  candidate.measure.precision = kDefaultPrecision / 2;
  candidate.measure.budget_seconds = 10;
  const absl::StatusOr<Measurement> finer = Evaluate(candidate);
  candidate.remeasure = true;
  candidate.measure.precision = kDefaultPrecision;
  const absl::StatusOr<Measurement> again = Evaluate(candidate);
  ASSERT_TRUE(finer.ok() && again.ok());
  EXPECT_FALSE(finer->conditions.shared);
  EXPECT_FALSE(again->conditions.shared);
}

TEST_F(MeasureLaneTest, WhatAnotherWorkerMeasuredIsAskedForAndUsed) {
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

TEST_F(MeasureLaneTest, AReferenceIsComparedInFreshChildren) {
  Candidate candidate = CandidateOf(FaultySchedule("compile", Fault::kNone));
  candidate.reference = FaultySchedule("compile", Fault::kNone);
  absl::StatusOr<Measurement> measured = Evaluate(candidate);
  ASSERT_TRUE(measured.ok());
  ASSERT_TRUE(measured->conditions.comparison.has_value());
  const Comparison& comparison = *measured->conditions.comparison;
  EXPECT_THAT(comparison.ratios, testing::ElementsAre(1.5, 1.25, 1.5, 1.25, 1.5, 1.25, 1.5, 1.25));
  EXPECT_EQ((std::vector<double>{comparison.low, comparison.ratio, comparison.high}),
            (std::vector<double>{1.25, 1.375, 1.5}));
  EXPECT_FALSE(comparison.Tied());
  EXPECT_EQ(comparison.medians_ns.front(), 1500);
  EXPECT_EQ(comparison.reference_medians_ns, std::vector<double>(8, 1000));
  candidate.reference = FaultySchedule("compile", Fault::kSegv);
  measured = Evaluate(candidate);
  ASSERT_TRUE(measured.ok());
  EXPECT_EQ(measured->outcome, Outcome::kOk) << "a reference that does not compile is not the candidate's doing";
  EXPECT_FALSE(measured->conditions.comparison.has_value());
}

TEST_F(MeasureLaneTest, AComparisonThatCannotBeMadeIsToldAndCostsTheCandidateNothing) {
  for (auto [fault, outcome] : {std::pair(Fault::kSegv, Outcome::kCrashed), std::pair(Fault::kHang, Outcome::kTimedOut),
                                std::pair(Fault::kError, Outcome::kLaunchFailed)}) {
    Candidate candidate = CandidateOf(FaultySchedule("compile", Fault::kNone));
    candidate.reference = FaultySchedule("load", fault);
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

TEST_F(MeasureLaneTest, ARunOnADeviceInDoubtIsMadeOnceMore) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("time", Fault::kUnhealthyOnce));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kOk) << measurement->message;
  EXPECT_EQ(measurement->timing.median_ns, 1000);
  EXPECT_EQ(measurement->conditions.health.finding, "");
  EXPECT_EQ(measurement->conditions.baseline.name, "fakeBLAS");
}

class PatientLaneTest : public ChildFaultsTest {
 protected:
  PatientLaneTest() : ChildFaultsTest(std::chrono::seconds(2)) {}
};

TEST_F(PatientLaneTest, ADeviceInDoubtIsGivenAPauseFirst) {
  const TimePoint began = Clock::Real().Now();
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("time", Fault::kUnhealthyOnce));
  EXPECT_GE(Clock::Real().Now() - began, std::chrono::seconds(2));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->timing.median_ns, 1000);
}

TEST_F(MeasureLaneTest, ADeviceThatStaysInDoubtMarksTheFirstRun) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("time", Fault::kUnhealthy));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kOk) << measurement->message;
  EXPECT_EQ(measurement->timing.median_ns, 500);
  EXPECT_EQ(measurement->conditions.health.finding, "HW slowdown");
}

TEST_F(MeasureLaneTest, AKernelThatFailsWhenItIsTimedAgainIsNotOk) {
  absl::StatusOr<Measurement> measurement = Evaluate(FaultySchedule("time", Fault::kUnhealthyThenSegv));
  ASSERT_TRUE(measurement.ok()) << measurement.status();
  EXPECT_EQ(measurement->outcome, Outcome::kCrashed);
  EXPECT_THAT(measurement->message, HasSubstr("timing again: "));
  ExpectGoesOn();
}

TEST_F(MeasureLaneTest, AComparisonOnADeviceInDoubtIsMarked) {
  Candidate candidate = CandidateOf(FaultySchedule("compile", Fault::kNone));
  candidate.reference = FaultySchedule("time", Fault::kUnhealthy);
  const absl::StatusOr<Measurement> measured = Evaluate(candidate);
  ASSERT_TRUE(measured.ok()) << measured.status();
  ASSERT_TRUE(measured->conditions.comparison.has_value());
  EXPECT_EQ(measured->conditions.comparison->ratios.size(), 8u);
  EXPECT_EQ(measured->conditions.comparison->finding, "HW slowdown");
}

TEST_F(MeasureLaneTest, ALibraryThatHangsConvictsNobodyAndIsLeftOut) {
  Candidate candidate = CandidateOf(FaultySchedule("time", Fault::kHangWithBaseline));
  candidate.target.kind = DeviceKind::kCuda;
  for (size_t failed : {1, 0}) {  // the second candidate is not timed beside it at all
    const absl::StatusOr<Measurement> measured = Evaluate(candidate);
    ASSERT_TRUE(measured.ok()) << measured.status();
    EXPECT_EQ(measured->outcome, Outcome::kOk) << measured->message;
    EXPECT_EQ(measured->conditions.failed_attempts.size(), failed);
    EXPECT_EQ(measured->conditions.baseline.reason, "left out: an earlier attempt with a baseline failed");
  }
}

}  // namespace
}  // namespace mmtune
