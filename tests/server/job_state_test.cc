// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_spec.h"

#include <gtest/gtest.h>

#include "absl/strings/ascii.h"

namespace mmtune {
namespace {

TEST(JobStateTest, TheWireSaysWhatTheLogSays) {
  for (const JobState state : {JobState::kWaiting, JobState::kRunning, JobState::kDone, JobState::kCancelled,
                               JobState::kFailed, JobState::kInterrupted}) {
    EXPECT_EQ(JobStateName(ToWire(state)), JobStateName(state));
    EXPECT_EQ(IsFinal(ToWire(state)), IsFinal(state));
    EXPECT_EQ(v1::JobState_Name(ToWire(state)).substr(10), absl::AsciiStrToUpper(std::string(JobStateName(state))));
  }
}

TEST(JobStateTest, WhatANewerPeerSaysIsNotTheEnd) {
  for (const int value : {0, 99}) {
    EXPECT_EQ(JobStateName(static_cast<v1::JobState>(value)), "unknown");
    EXPECT_FALSE(IsFinal(static_cast<v1::JobState>(value)));
  }
}

}  // namespace
}  // namespace mmtune
