// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/result_validator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/value_fields.h"

namespace mmtune {
namespace {

using enum ResultDecision;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

DeviceInfo Device(DeviceKind kind) {
  DeviceInfo device;
  device.kind = kind;
  device.name = kind == DeviceKind::kCuda ? "GPU" : "SIMT device";
  device.uuid = "device";
  return device;
}

/// A result of worker "now" on a GPU.
TuningRecord Result(double ns, Outcome outcome = Outcome::kOk) {
  TuningRecord record;
  record.worker = "now";
  record.device = Device(DeviceKind::kCuda);
  record.measurement.outcome = outcome;
  record.measurement.timing.median_ns = ns;
  if (outcome == Outcome::kSuspect) record.measurement.message = "faster than its device can be";
  return record;
}

/// An earlier result of a worker that is a trust domain of its own.
WorkerObservation Earlier(const std::string& worker, double ns, bool impossible = false, bool wrong = false) {
  return {.worker = worker,
          .trust_domain = worker,
          .class_key = Device(DeviceKind::kCuda).ClassKey(),
          .median_ns = ns,
          .impossible = impossible,
          .wrong = wrong,
          .sound = true};
}

struct Case {
  std::string name;
  absl::StatusOr<TuningRecord> record;
  std::vector<WorkerObservation> disputed = {};
  bool another_serves = false;
  double others_best_ns = 0;
  bool quarantined = false;
  bool may_skip = true;
  ResultDecision decision = kAccept;
  std::string reason = "";
};

TEST(ResultValidator, DecidesByTable) {
  TuningRecord elsewhere = Result(1000);
  elsewhere.device = Device(DeviceKind::kSimt);
  TuningRecord skipped = Result(0, Outcome::kSkipped), unbounded = skipped;
  skipped.measurement.timing.low_ns = 5000;
  TuningRecord in_trouble = Result(1000);
  in_trouble.measurement.conditions.health.finding = "it was throttled";
  const std::string unconfirmed = "no other worker confirms";
  const std::vector<Case> cases = {
      {.name = "an ok result", .record = Result(1000)},
      {.name = "no sense",
       .record = absl::InvalidArgumentError("timing is negative"),
       .decision = kReject,
       .reason = "is negative"},
      {.name = "another class of devices",
       .record = elsewhere,
       .decision = kReject,
       .reason = "measured on SIMT device, not on GPU"},
      {.name = "skipped with a bound", .record = skipped},
      {.name = "skipped without a bound",
       .record = unbounded,
       .decision = kReject,
       .reason = "must be a positive time"},
      {.name = "skipped though it may not be",
       .record = skipped,
       .may_skip = false,
       .decision = kReject,
       .reason = "skipped the schedule"},
      {.name = "skipped though disputed",
       .record = skipped,
       .disputed = {Earlier("a", 1000)},
       .decision = kReject,
       .reason = "skipped the schedule"},
      {.name = "of a quarantined worker",
       .record = Result(1000),
       .quarantined = true,
       .decision = kRequeue,
       .reason = "in quarantine"},
      {.name = "skipped by a quarantined worker",
       .record = unbounded,
       .quarantined = true,
       .decision = kRequeue,
       .reason = "quarantine"},

      {.name = "impossible, others serve",
       .record = Result(10, Outcome::kSuspect),
       .another_serves = true,
       .decision = kRequeue,
       .reason = "faster than its device can be"},
      {.name = "impossible, alone", .record = Result(10, Outcome::kSuspect)},
      {.name = "impossible, refuted",
       .record = Result(10, Outcome::kSuspect),
       .disputed = {Earlier("a", 1000)},
       .decision = kSuspect},
      {.name = "impossible, corroborated",
       .record = Result(10, Outcome::kSuspect),
       .disputed = {Earlier("a", 12, true)},
       .another_serves = true},

      {.name = "much faster than others",
       .record = Result(1000),
       .another_serves = true,
       .others_best_ns = 3500,
       .decision = kRequeue,
       .reason = "3.5 times as fast"},
      {.name = "much faster than others, alone", .record = Result(1000), .others_best_ns = 3500},
      {.name = "three times as fast", .record = Result(1000), .another_serves = true, .others_best_ns = 3000},
      {.name = "slower than an impossible time",
       .record = Result(1000),
       .disputed = {Earlier("a", 10, true)},
       .another_serves = true},
      {.name = "slower than a disputed time",
       .record = Result(1000),
       .disputed = {Earlier("a", 100)},
       .another_serves = true,
       .decision = kRequeue,
       .reason = unconfirmed},
      {.name = "slower than a disputed time, nobody left", .record = Result(1000), .disputed = {Earlier("a", 100)}},
      {.name = "corroborates a disputed time",
       .record = Result(1000),
       .disputed = {Earlier("a", 900)},
       .another_serves = true},
      {.name = "decides between two",
       .record = Result(1000),
       .disputed = {Earlier("a", 100), Earlier("b", 900)},
       .another_serves = true},
      {.name = "a third opinion",
       .record = Result(1000),
       .disputed = {Earlier("a", 10), Earlier("b", 100)},
       .another_serves = true},
      {.name = "outvoted",
       .record = Result(10),
       .disputed = {Earlier("a", 1000), Earlier("b", 1100)},
       .decision = kSuspect,
       .reason = unconfirmed},
      {.name = "wrong for another",
       .record = Result(10),
       .disputed = {Earlier("a", 0, false, true)},
       .decision = kSuspect,
       .reason = unconfirmed},
      {.name = "of a device in trouble", .record = in_trouble, .disputed = {Earlier("a", 100)}, .another_serves = true},
      {.name = "its own again",
       .record = Result(100),
       .disputed = {Earlier("now", 100)},
       .another_serves = true,
       .decision = kRequeue,
       .reason = unconfirmed},
      {.name = "its own again, alone",
       .record = Result(100),
       .disputed = {Earlier("now", 100)},
       .decision = kSuspect,
       .reason = unconfirmed},
  };
  for (const Case& c : cases) {
    ResultRules rules{Device(DeviceKind::kCuda).ClassKey(), "GPU", c.may_skip, c.others_best_ns};
    const auto serves = [&](const std::vector<std::string>& domains) {
      EXPECT_THAT(domains, ::testing::Contains("now"));
      return c.another_serves;
    };
    const Validation got = Validate({c.record, "now"}, rules, {c.disputed, c.quarantined, serves});
    EXPECT_EQ(static_cast<int>(got.decision), static_cast<int>(c.decision)) << c.name << ": " << got.reason;
    if (c.decision != kAccept) EXPECT_THAT(got.reason, HasSubstr(c.reason)) << c.name;
    if (c.decision == kReject || c.quarantined) {
      EXPECT_THAT(got.observations, IsEmpty()) << c.name;
    } else {
      ASSERT_EQ(got.observations.size(), c.disputed.size() + 1) << c.name;
      EXPECT_EQ(got.observations.back().worker, "now") << c.name;
    }
  }
}

TEST(ResultValidator, IgnoresObservationsOnAnotherClassOfDevices) {
  WorkerObservation elsewhere = Earlier("a", 10'000);
  elsewhere.class_key = "another";
  const ResultRules rules{Device(DeviceKind::kCuda).ClassKey(), "GPU"};
  const auto serves = [](const std::vector<std::string>&) { return true; };
  const Validation got = Validate({Result(10), "now"}, rules, {{elsewhere}, false, serves});
  EXPECT_EQ(got.decision, kAccept);
  EXPECT_EQ(got.observations.size(), 1u);
}

// The time of an observation is that of the note: the one member that is no field.
TEST(DisputedResultTest, NoteContainsEveryField) {
  EXPECT_EQ(FieldNames<DisputedResult>().size(), CountMembers<DisputedResult>());
  EXPECT_EQ(FieldNames<WorkerObservation>().size() + 1, CountMembers<WorkerObservation>());
}

TEST(DisputedResultTest, ParsesItsOwnNote) {
  auto disputed = Filled<DisputedResult>();
  disputed.observation.unix_millis = 17;
  const absl::StatusOr<DisputedResult> back = ParseDisputedResult(ToNote(disputed));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->lease, disputed.lease);
  EXPECT_EQ(back->observation, disputed.observation);
}

}  // namespace
}  // namespace mmtune
