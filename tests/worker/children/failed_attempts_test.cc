// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mmtune {
namespace {

using testing::ElementsAre;

constexpr Provenance kPoisoned = Provenance::kPoisonedByPrevious;
constexpr Provenance kWorker = Provenance::kWorker;
constexpr Provenance kDevice = Provenance::kInfrastructure;
constexpr Provenance kCandidate = Provenance::kCandidate;

struct Try {
  Outcome outcome;
  Provenance unless_repeated;
};

FailedAttempts After(std::initializer_list<Try> tries) {
  FailedAttempts failed;
  for (const Try& one : tries) failed.Add({one.outcome, "line\nline", one.unless_repeated});
  return failed;
}

std::vector<Provenance> Attributed(const FailedAttempts& failed, Outcome outcome) {
  std::vector<Provenance> provenances;
  for (const FailedAttempt& attempt : failed.Attributed(outcome)) provenances.push_back(attempt.provenance);
  return provenances;
}

TEST(FailedAttempts, OneFailureSettlesNothing) {
  EXPECT_FALSE(After({}).Settled());
  for (Outcome outcome : {Outcome::kCrashed, Outcome::kWrongResult, Outcome::kLaunchFailed, Outcome::kTimedOut}) {
    EXPECT_FALSE(After({{outcome, kPoisoned}}).Settled());
  }
  EXPECT_THAT(Attributed(After({{Outcome::kCrashed, kPoisoned}}), Outcome::kOk), ElementsAre(kPoisoned));
  EXPECT_EQ(After({{Outcome::kCrashed, kPoisoned}}).last().message, "line line");
}

TEST(FailedAttempts, TheSameAgainConvicts) {
  const FailedAttempts failed = After({{Outcome::kCrashed, kPoisoned}, {Outcome::kCrashed, kWorker}});
  EXPECT_TRUE(failed.Settled());
  EXPECT_FALSE(failed.IsDeviceFault());
  EXPECT_THAT(Attributed(failed, Outcome::kCrashed), ElementsAre(kCandidate, kCandidate));
}

TEST(FailedAttempts, SomethingElseIsTriedOnceMore) {
  FailedAttempts failed = After({{Outcome::kWrongResult, kPoisoned}, {Outcome::kCrashed, kWorker}});
  EXPECT_FALSE(failed.Settled());
  failed.Add({Outcome::kCrashed, "again", kWorker});
  EXPECT_TRUE(failed.Settled());
  EXPECT_THAT(Attributed(failed, Outcome::kCrashed), ElementsAre(kPoisoned, kCandidate, kCandidate));
}

TEST(FailedAttempts, TheDevicesFailuresConvictNobody) {
  FailedAttempts failed = After({{Outcome::kLaunchFailed, kDevice}, {Outcome::kLaunchFailed, kWorker}});
  EXPECT_FALSE(failed.Settled());
  failed.Add({Outcome::kLaunchFailed, "again", kWorker});
  EXPECT_THAT(Attributed(failed, Outcome::kLaunchFailed), ElementsAre(kDevice, kCandidate, kCandidate));

  failed = After({{Outcome::kCrashed, kDevice}, {Outcome::kCrashed, kDevice}});
  EXPECT_TRUE(failed.Settled());
  EXPECT_TRUE(failed.IsDeviceFault());
}

}  // namespace
}  // namespace mmtune
