// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fake_clock.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::HasSubstr;

class WorkLimitTest : public testing::Test {
 protected:
  /// Passes in small steps, as the daemon looks; `part` of the time a processor is the child's. Stops at an error.
  absl::Status Pass(Duration time, double part) {
    const TimePoint end = clock_.Now() + time;
    while (clock_.Now() < end) {
      constexpr Duration kStep = milliseconds(50);
      clock_.Advance(kStep);
      cpu_ += Duration(static_cast<int64_t>(part * static_cast<double>(kStep.count())));
      if (absl::Status status = limit_.Check(clock_.Now(), cpu_); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  FakeClock clock_;
  const TimePoint begin_ = clock_.Now();
  Duration cpu_ = seconds(1000);  // what it has used for other requests
  WorkLimit limit_{seconds(120), begin_ + seconds(1500), begin_, cpu_};
};

TEST_F(WorkLimitTest, AnEndlessLoopEndsAfterTheLimitOfCpuTime) {
  const absl::Status status = Pass(seconds(1000), 1);
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_EQ(status.message(), "no answer within 120 s of CPU time");
  EXPECT_EQ(clock_.Now() - begin_, seconds(120));
}

TEST_F(WorkLimitTest, AHangEndsAfterTheLimitByTheClock) {
  EXPECT_TRUE(Pass(seconds(60), 0.5).ok());
  const absl::Status status = Pass(seconds(1000), 0.0005);
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("used no CPU time"));
  EXPECT_LE(clock_.Now() - begin_, seconds(60 + 120));
}

TEST_F(WorkLimitTest, ALoadedHostIsWaitedFor) {
  EXPECT_TRUE(Pass(seconds(1300), 0.008).ok());
  EXPECT_TRUE(Pass(seconds(120), 0.8).ok());
}

TEST_F(WorkLimitTest, WhereTheHostGivesTooLittleUntilTheLeaseClosesTheWorkerHasFailed) {
  const absl::Status status = Pass(seconds(2000), 0.05);
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_EQ(status.message(), "the host is too busy: the child got 75 s of CPU time in 1500 s, and the lease ends");
}

}  // namespace
}  // namespace mmtune
