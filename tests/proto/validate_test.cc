// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace mmtune {
namespace {

using ::testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// 2 * 256^3 operations in 1 ms on two threads: 33.6 GFLOPS, of 1,024 at most.
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

std::vector<Rule> Rules() {
  auto times = [](double ns) { return [ns](TuningRecord& r) { r.measurement.timing.median_ns = ns; }; };
  return {
      {"check.performed", [](TuningRecord& r) { r.measurement.check.performed = false; }},
      {"check.passed", [](TuningRecord& r) { r.measurement.check.passed = false; }},
      {"proof.passed", [](TuningRecord& r) { r.measurement.proof.performed = true; }},
      {"positive time", [](TuningRecord& r) { r.measurement.timing = {}; }},
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

TEST(Validate, NamesTheRuleThatIsBroken) {
  ASSERT_TRUE(Validate(Valid()).ok()) << Validate(Valid());
  for (const Rule& rule : Rules()) {
    SCOPED_TRACE(rule.why);
    TuningRecord record = Valid();
    rule.broken(record);
    EXPECT_EQ(Validate(record).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(Validate(record).message()), HasSubstr(rule.why));
    TuningRecord admitted = record;
    EXPECT_EQ(Admit(&admitted), Validate(record));
    EXPECT_EQ(admitted.measurement.outcome, Outcome::kOk) << "what is refused is not changed";
    record.measurement.outcome = Outcome::kWrongResult;
    EXPECT_EQ(Validate(record).ok(), rule.of_ok_only);
  }
}

TEST(Validate, AnUnprovenMeasurementIsOkAndAProvenOneToo) {
  TuningRecord record = Valid();
  EXPECT_FALSE(record.measurement.Ranks(/*allow_unproven=*/false));
  EXPECT_TRUE(record.measurement.Ranks(/*allow_unproven=*/true));
  record.measurement.proof.performed = record.measurement.proof.passed = true;
  EXPECT_TRUE(Validate(record).ok());
  EXPECT_TRUE(record.measurement.Ranks(/*allow_unproven=*/false));
  record.measurement.outcome = Outcome::kSuspect;
  EXPECT_FALSE(record.measurement.Ranks(/*allow_unproven=*/true));
}

void SetTimes(TuningRecord& record, double ns) {
  record.measurement.timing.median_ns = record.measurement.timing.low_ns = record.measurement.timing.high_ns = ns;
}

TEST(Validate, WhatIsFasterThanItsDeviceIsSuspect) {
  const double limit_ns = Valid().problem.Flops() / 1024;
  for (double ns : {1e-300, 5e-324, 1.0, 0.99 * limit_ns}) {
    SCOPED_TRACE(ns);
    TuningRecord record = Valid();
    SetTimes(record, ns);
    EXPECT_THAT(std::string(Validate(record).message()), HasSubstr("GFLOPS"));
    const Timing times = record.measurement.timing;
    EXPECT_TRUE(Admit(&record).ok());
    EXPECT_EQ(record.measurement.outcome, Outcome::kSuspect);
    EXPECT_THAT(record.measurement.message, HasSubstr("does at most 1024"));
    EXPECT_EQ(record.measurement.timing, times) << "kept";
    EXPECT_EQ(record.Gflops(), 0);
    EXPECT_TRUE(Validate(record).ok());
  }
  TuningRecord record = Valid();
  SetTimes(record, 1.01 * limit_ns);
  EXPECT_TRUE(Admit(&record).ok());
  EXPECT_EQ(record.measurement.outcome, Outcome::kOk);
}

TEST(Validate, WhatIsBothWrongAndTooFastIsRefused) {
  TuningRecord record = Valid();
  SetTimes(record, 1e-300);
  record.measurement.check.passed = false;
  EXPECT_FALSE(Admit(&record).ok());
}

TEST(Distrust, AnOkOfBeforeTheRulesThatBreaksOneIsSuspect) {
  for (const Rule& rule : Rules()) {
    if (!rule.of_ok_only) continue;
    SCOPED_TRACE(rule.why);
    TuningRecord record = Valid();
    rule.broken(record);
    Distrust(&record);
    EXPECT_EQ(record.measurement.outcome, Outcome::kSuspect);
    EXPECT_THAT(record.measurement.message, HasSubstr(rule.why));
  }
  TuningRecord valid = Valid();
  Distrust(&valid);
  EXPECT_EQ(valid.measurement, Valid().measurement);
}

}  // namespace
}  // namespace mmtune
