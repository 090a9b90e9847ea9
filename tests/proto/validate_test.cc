// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace mmtune {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// 2 * 256^3 operations in 1 ms on two threads: 33.6 GFLOP/s, of 1,024 at most.
TuningRecord Valid() {
  TuningRecord record;
  record.uuid = "a-record";
  record.problem = {256, 256, 256};
  record.schedule = {"fma", {{"bm", 64}}};
  record.device.name = "simt-cpu (test, 2 threads)";
  record.device.uuid = "simt-host";
  record.device.arch = "sm_90";
  record.device.memory_bytes = 1 << 30;
  record.device.multiprocessors = 2;
  record.measurement.check.performed = record.measurement.check.passed = true;
  record.measurement.timing.samples_ns = {9e5, 1e6, 1.1e6};
  record.measurement.timing.median_ns = 1e6;
  record.measurement.timing.low_ns = 9e5;
  record.measurement.timing.high_ns = 1.1e6;
  return record;
}

struct Rule {
  std::string why;
  std::function<void(TuningRecord&)> broken;
  bool of_ok_only = true;
};

using Change = std::function<void(TuningRecord&)>;

/// A valid record with everything that a measurement may have.
TuningRecord Full() {
  TuningRecord record = Valid();
  Measurement& m = record.measurement;
  m.check.tier = "exact, rounding";
  m.check.bound_fraction = 0.5;
  m.check.relative_error = 1e-7;
  m.check.deterministic = true;
  m.verification.performed = m.verification.passed = m.verification.correct = m.verification.race_free =
      m.verification.deterministic = true;
  m.verification.shapes = {"64x64x96"};
  m.verification.fuzzing_runs = 3;
  m.timing.regime = "warm";
  m.conditions.run = "run";
  m.conditions.ended = std::string(kEndedPrecise);
  m.conditions.precision = 0.005;
  m.conditions.budget_seconds = 1;
  m.conditions.health = {"NVML 13.0", "", {1, -1, 3, 4, 0, {}}, {5, 6, 7, 8, 1, {"a", "b"}}, ""};
  m.conditions.baseline = {"cuBLAS 13.1.0", "", 9e5, 8e5, 1e6, -0.01};
  m.conditions.comparison =
      Comparison{{"fma", {{"bm", 32}}}, 1.1, 1.0, 1.2, {1.2, 1.0, 1.1}, {1.2e6, 1e6, 1.1e6}, {1e6, 1e6, 1e6}};
  m.conditions.failed_attempts = {{Outcome::kTimedOut, "30 s", Provenance::kWorker}};
  return record;
}

/// Changes of Full() that make it contradict itself, and what the error says.
std::vector<std::pair<std::string, Change>> Contradictions() {
  const auto check = [](auto change) { return [change](TuningRecord& r) { change(r.measurement.check); }; };
  const auto verification = [](auto change) {
    return [change](TuningRecord& r) { change(r.measurement.verification); };
  };
  const auto timing = [](auto change) { return [change](TuningRecord& r) { change(r.measurement.timing); }; };
  const auto conditions = [](auto change) { return [change](TuningRecord& r) { change(r.measurement.conditions); }; };
  const auto comparison = [](auto change) {
    return [change](TuningRecord& r) { change(*r.measurement.conditions.comparison); };
  };
  return {
      {"check.passed is true, but check.performed is false", check([](auto& c) { c.performed = false; })},
      {"names a wrong element", check([](auto& c) { c.wrong_row = c.wrong_col = 0; })},
      {"must both be known", check([](auto& c) { c.wrong_row = 3; })},
      {"check.wrong_col is -2", check([](auto& c) { c.wrong_col = -2; })},
      {"check.bound_fraction is 1e+300", check([](auto& c) { c.bound_fraction = 1e300; })},
      {"check.bound_fraction is -0.1", check([](auto& c) { c.bound_fraction = -0.1; })},
      {"check.bound_fraction is nan", check([](auto& c) { c.bound_fraction = kNan; })},
      {"check.relative_error is inf", check([](auto& c) { c.relative_error = kInfinity; })},
      {"check.relative_error is -1", check([](auto& c) { c.relative_error = -1; })},
      {"check.passed is false", check([](auto& c) { c.passed = false; })},
      {"says correct: no", verification([](auto& p) { p.correct = false; })},
      {"race-free: no", verification([](auto& p) { p.race_free = false; })},
      {"finding: 'race'", verification([](auto& p) { p.finding = "race"; })},
      {"says correct: no, race-free: no, finding: 'race'", verification([](auto& p) {
         p.correct = p.race_free = false;
         p.finding = "race";
       })},
      {"found nothing wrong", verification([](auto& p) { p.passed = false; })},
      {"performed is false, but the verification has a result", verification([](auto& p) { p.performed = false; })},
      {"performed is false, but the verification has a result",
       verification([](auto& p) { p.performed = p.passed = false; })},
      {"performed is false, but the verification has a result", verification([](auto& p) {
         p = {};
         p.finding = "race";
       })},
      {"says why it was not", verification([](auto& p) { p.reason = "turned off"; })},
      {"verification.fuzzing_runs is -1", verification([](auto& p) { p.fuzzing_runs = -1; })},
      {"not inside its interval", timing([](auto& t) { t.low_ns = 1.05e6; })},
      {"not inside its interval", timing([](auto& t) { t.high_ns = 9.5e5; })},
      {"the median of its samples is", timing([](auto& t) { t.samples_ns = {1e6, 1.05e6, 1.1e6}; })},
      {"the median of its samples is", timing([](auto& t) { t.median_ns = 9.9e5; })},
      {"must lie within the samples", timing([](auto& t) { t.low_ns = 1e5; })},
      {"must lie within the samples", timing([](auto& t) { t.high_ns = 1e9; })},
      {"timing.regime", timing([](auto& t) { t.regime = "lukewarm"; })},
      {"conditions.precision", conditions([](auto& c) { c.precision = -0.1; })},
      {"conditions.precision", conditions([](auto& c) { c.precision = kNan; })},
      {"conditions.precision", conditions([](auto& c) { c.precision = 1; })},
      {"conditions.budget_seconds", conditions([](auto& c) { c.budget_seconds = -1; })},
      {"conditions.budget_seconds", conditions([](auto& c) { c.budget_seconds = kInfinity; })},
      {"got 'bored'", conditions([](auto& c) { c.ended = "bored"; })},
      {"must not have the outcome 'ok'", conditions([](auto& c) { c.failed_attempts[0].outcome = Outcome::kOk; })},
      {"health.temperature_c is -2", conditions([](auto& c) { c.health.after.temperature_c = -2; })},
      {"has a time, but no library", conditions([](auto& c) { c.baseline.name = ""; })},
      {"baseline.reason says why there is no library", conditions([](auto& c) { c.baseline.reason = "none here"; })},
      {"baseline.median_ns is 900000, which is not inside", conditions([](auto& c) { c.baseline.low_ns = 9.5e5; })},
      {"baseline.drift is -1", conditions([](auto& c) { c.baseline.drift = -1; })},
      {"baseline.drift is nan", conditions([](auto& c) { c.baseline.drift = kNan; })},
      {"the times of baseline cuBLAS", conditions([](auto& c) { c.baseline.median_ns = kInfinity; })},
      {"must be positive and inside its interval, got 1e-06", comparison([](auto& c) { c.ratio = 1e-6; })},
      {"comparison.ratio is 1e-06, but the median of its ratios is 1.1",
       comparison([](auto& c) { c.ratio = c.low = c.high = 1e-6; })},
      {"comparison.ratios[0] is 1e-06, which does not fit the medians 1.1e+06", comparison([](auto& c) {
         c.ratio = c.low = c.high = 1e-6;
         c.ratios = {1e-6, 1e-6, 1e-6};
         c.medians_ns = {1.1e6, 1e6, 1.2e6};
       })},
      {"must lie within comparison.ratios", comparison([](auto& c) { c.low = 0.5; })},
      {"must lie within comparison.ratios", comparison([](auto& c) { c.high = 1.3; })},
      {"0 ratios, 3 medians_ns and 3 reference_medians_ns", comparison([](auto& c) { c.ratios.clear(); })},
      {"3 ratios, 1 medians_ns and 3 reference_medians_ns", comparison([](auto& c) { c.medians_ns.resize(1); })},
      {"3 ratios, 3 medians_ns and 0 reference_medians_ns",
       comparison([](auto& c) { c.reference_medians_ns.clear(); })},
      {"ratios must all be finite", comparison([](auto& c) { c.ratios[0] = kNan; })},
      {"reference_medians_ns must all be finite", comparison([](auto& c) { c.reference_medians_ns[1] = 0; })},
      {"must be another schedule", comparison([](auto& c) { c.reference = {"fma", {{"bm", 64}}}; })},
      {"outcome is skipped", [](TuningRecord& r) { r.measurement.outcome = Outcome::kSkipped; }},
  };
}

TEST(Validate, RefusesContradictoryRecords) {
  ASSERT_TRUE(Validate(Full()).ok()) << Validate(Full());
  for (const auto& [why, change] : Contradictions()) {
    SCOPED_TRACE(why);
    TuningRecord record = Full();
    change(record);
    EXPECT_EQ(Validate(record).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(Validate(record).message()), HasSubstr(why));
    TuningRecord admitted = record;
    EXPECT_EQ(ValidateOrMarkSuspect(&admitted), Validate(record)) << "of a worker, or imported";
    if (record.measurement.outcome != Outcome::kOk) continue;
    MarkSuspectIfInvalid(&record);
    EXPECT_EQ(record.measurement.outcome, Outcome::kSuspect) << "of a log";
    EXPECT_THAT(record.measurement.message, HasSubstr(why));
  }
}

TEST(Validate, AcceptsFailuresWithMissingFields) {
  const std::vector<Change> fine = {
      [](TuningRecord& r) {
        r.measurement.check = {true, false, "rounding", 3, 4, 1, kNan, "off", 1e9, kInfinity, {}};
      },
      [](TuningRecord& r) { r.measurement.check = {true, false, "exact", -1, -1, 0, 0, "red zone", {}, {}, {}}; },
      [](TuningRecord& r) { r.measurement.verification = {true, false, "", true, false, true, {}, 3, "", "race", ""}; },
      [](TuningRecord& r) {
        r.measurement.verification = {true, false, "", false, true, false, {}, 0, "", "wrong", ""};
      },
      [](TuningRecord& r) { r.measurement.verification = {}; },
      [](TuningRecord& r) { r.measurement.timing = {}; },
      [](TuningRecord& r) { r.measurement.conditions = {}; },
  };
  for (const Change& change : fine) {
    TuningRecord record = Full();
    record.measurement.outcome = Outcome::kWrongResult;
    change(record);
    EXPECT_TRUE(Validate(record).ok()) << Validate(record);
  }
}

TEST(Validate, RefusesTimesThatTheDeviceCannotReach) {
  for (const Change& change : std::vector<Change>{[](TuningRecord& r) {
                                                    Baseline& baseline = r.measurement.conditions.baseline;
                                                    baseline.median_ns = baseline.low_ns = baseline.high_ns = 1;
                                                  },
                                                  [](TuningRecord& r) {
                                                    Comparison& comparison = *r.measurement.conditions.comparison;
                                                    comparison.medians_ns = {1.2, 1, 1.1};
                                                    comparison.reference_medians_ns = {1, 1, 1};
                                                  }}) {
    TuningRecord record = Full();
    change(record);
    EXPECT_TRUE(ValidateOrMarkSuspect(&record).ok());
    EXPECT_EQ(record.measurement.outcome, Outcome::kSuspect);
    EXPECT_THAT(record.measurement.message, HasSubstr("reaches at most 1024"));
  }
}

std::vector<Rule> Rules() {
  auto times = [](double ns) { return [ns](TuningRecord& r) { r.measurement.timing.median_ns = ns; }; };
  return {
      {"check.performed", [](TuningRecord& r) { r.measurement.check = {}; }},
      {"check.passed", [](TuningRecord& r) { r.measurement.check.passed = false; }},
      {"verification.passed", [](TuningRecord& r) { r.measurement.verification.performed = true; }},
      {"must be above 0", [](TuningRecord& r) { r.measurement.timing = {}; }},
      {"not inside its interval", times(8.9e5)},
      {"not inside its interval", times(1.2e6)},
      {"not inside its interval",
       [](TuningRecord& r) { std::swap(r.measurement.timing.low_ns, r.measurement.timing.high_ns); }},
      {"device: memory_bytes is -5", [](TuningRecord& r) { r.device.memory_bytes = -5; }},
      {"device: multiprocessors is -1", [](TuningRecord& r) { r.device.multiprocessors = -1; }},
      {"device: name", [](TuningRecord& r) { r.device.name = ""; }},
      {"median_ns is nan", times(kNan), false},
      {"median_ns is inf", times(kInfinity), false},
      {"median_ns is -1", times(-1), false},
      {"low_ns is nan", [](TuningRecord& r) { r.measurement.timing.low_ns = kNan; }, false},
      {"high_ns is inf", [](TuningRecord& r) { r.measurement.timing.high_ns = kInfinity; }, false},
      {"samples_ns is -3", [](TuningRecord& r) { r.measurement.timing.samples_ns[1] = -3; }, false},
      {"phases.mlir_ms is nan", [](TuningRecord& r) { r.measurement.phases.mlir_ms = kNan; }, false},
      {"uuid", [](TuningRecord& r) { r.uuid = "12"; }, false},
      {"M=0", [](TuningRecord& r) { r.problem.m = 0; }, false},
      {"schedule", [](TuningRecord& r) { r.schedule.family = ""; }, false},
      {"resources.threads", [](TuningRecord& r) { r.measurement.resources.threads = -1; }, false},
      {"attempt", [](TuningRecord& r) { r.attempt = 0; }, false},
  };
}

TEST(Validate, ErrorNamesTheBrokenRule) {
  ASSERT_TRUE(Validate(Valid()).ok()) << Validate(Valid());
  for (const Rule& rule : Rules()) {
    SCOPED_TRACE(rule.why);
    TuningRecord record = Valid();
    rule.broken(record);
    EXPECT_EQ(Validate(record).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(Validate(record).message()), HasSubstr(rule.why));
    TuningRecord admitted = record;
    EXPECT_EQ(ValidateOrMarkSuspect(&admitted), Validate(record));
    EXPECT_EQ(admitted.measurement.outcome, Outcome::kOk) << "what is refused is not changed";
    record.measurement.outcome = Outcome::kWrongResult;
    EXPECT_EQ(Validate(record).ok(), rule.of_ok_only);
  }
}

TEST(Validate, AcceptsVerifiedAndUnverifiedMeasurements) {
  TuningRecord record = Valid();
  EXPECT_FALSE(record.measurement.Ranks(/*allow_unverified=*/false));
  EXPECT_TRUE(record.measurement.Ranks(/*allow_unverified=*/true));
  record.measurement.verification.performed = record.measurement.verification.passed = true;
  record.measurement.verification.correct = record.measurement.verification.race_free = true;
  EXPECT_TRUE(Validate(record).ok());
  EXPECT_TRUE(record.measurement.Ranks(/*allow_unverified=*/false));
  record.measurement.outcome = Outcome::kSuspect;
  EXPECT_FALSE(record.measurement.Ranks(/*allow_unverified=*/true));
}

void SetTimes(TuningRecord& record, double ns) {
  record.measurement.timing.median_ns = record.measurement.timing.low_ns = record.measurement.timing.high_ns = ns;
  record.measurement.timing.samples_ns = {ns};
}

TEST(Validate, FasterThanItsDeviceIsSuspect) {
  const double limit_ns = Valid().problem.Flops() / 1024;
  for (double ns : {1e-300, 5e-324, 1.0, 0.99 * limit_ns}) {
    SCOPED_TRACE(ns);
    TuningRecord record = Valid();
    SetTimes(record, ns);
    EXPECT_THAT(std::string(Validate(record).message()), HasSubstr("GFLOP/s"));
    const Timing times = record.measurement.timing;
    EXPECT_TRUE(ValidateOrMarkSuspect(&record).ok());
    EXPECT_EQ(record.measurement.outcome, Outcome::kSuspect);
    EXPECT_THAT(record.measurement.message, HasSubstr("reaches at most 1024"));
    EXPECT_EQ(record.measurement.timing, times) << "kept";
    EXPECT_EQ(record.Gflops(), 0);
    EXPECT_TRUE(Validate(record).ok());
  }
  TuningRecord record = Valid();
  SetTimes(record, 1.01 * limit_ns);
  EXPECT_TRUE(ValidateOrMarkSuspect(&record).ok());
  EXPECT_EQ(record.measurement.outcome, Outcome::kOk);
}

TEST(Validate, RefusesWhatIsWrongAndTooFast) {
  TuningRecord record = Valid();
  SetTimes(record, 1e-300);
  record.measurement.check.passed = false;
  EXPECT_FALSE(ValidateOrMarkSuspect(&record).ok());
}

TEST(MarkSuspectIfInvalid, InvalidStoredOkRecordIsSuspect) {
  for (const Rule& rule : Rules()) {
    if (!rule.of_ok_only) continue;
    SCOPED_TRACE(rule.why);
    TuningRecord record = Valid();
    rule.broken(record);
    MarkSuspectIfInvalid(&record);
    EXPECT_EQ(record.measurement.outcome, Outcome::kSuspect);
    EXPECT_THAT(record.measurement.message, HasSubstr(rule.why));
  }
  TuningRecord valid = Valid();
  MarkSuspectIfInvalid(&valid);
  EXPECT_EQ(valid.measurement, Valid().measurement);
}

}  // namespace
}  // namespace mmtune
