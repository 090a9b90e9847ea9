// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/measure/kernel_timer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/worker/measure/fake_device.h"

namespace mmtune {
namespace {

using ::testing::ElementsAre;

class DelayedStreamTest : public testing::Test {
 protected:
  /// Time() of so many launches, each of which takes 30 us to enqueue and to run.
  absl::StatusOr<double> Time(DelayedStream& stream, int launches) {
    return stream.Time([&](StreamHandle) -> absl::Status {
      DevicePtr none = 0;
      void* arguments[kFakeKernelArguments] = {&none, &none, &none, &none};
      for (int i = 0; i < launches; ++i) {
        if (absl::Status status = device_.Launch(nullptr, {}, arguments, 0); !status.ok()) return status;
      }
      return absl::OkStatus();
    });
  }

  FakeDevice device_{[](int) { return 30e3; }};
};

TEST_F(DelayedStreamTest, ADeviceThatCannotBeHeldBackIsTimedAsItIs) {
  auto stream = DelayedStream::Create(&device_);
  ASSERT_TRUE(stream.ok());
  EXPECT_EQ(*Time(**stream, 4), 120e3);
  EXPECT_EQ(device_.launches, 4);
  EXPECT_FALSE((*stream)->delayed());
}

TEST_F(DelayedStreamTest, WorkThatIsEnqueuedInTimeIsTimedOnce) {
  device_.can_delay = true;
  auto stream = DelayedStream::Create(&device_);
  ASSERT_TRUE(stream.ok());
  EXPECT_EQ(*Time(**stream, 1), 30e3);
  EXPECT_THAT(device_.delays, ElementsAre(50e3));
  EXPECT_TRUE((*stream)->delayed());
}

TEST_F(DelayedStreamTest, WorkThatBeganTooEarlyIsTimedAgainBehindALongerDelay) {
  device_.can_delay = true;
  auto stream = DelayedStream::Create(&device_);
  ASSERT_TRUE(stream.ok());
  ASSERT_TRUE(Time(**stream, 4).ok());
  EXPECT_THAT(device_.delays, ElementsAre(50e3, 200e3));
  EXPECT_EQ(device_.launches, 8);
  EXPECT_TRUE((*stream)->delayed());
  ASSERT_TRUE(Time(**stream, 4).ok());
  EXPECT_THAT(device_.delays, ElementsAre(50e3, 200e3, 200e3));
}

TEST_F(DelayedStreamTest, WorkThatNeverBeginsInTimeIsTimedAndSaid) {
  device_.can_delay = true;
  auto stream = DelayedStream::Create(&device_);
  ASSERT_TRUE(stream.ok());
  EXPECT_EQ(*Time(**stream, 3000), 90e6);
  EXPECT_EQ(device_.delays.size(), 6u);
  EXPECT_EQ(device_.delays.back(), 50e6) << "the longest";
  EXPECT_FALSE((*stream)->delayed());
}

}  // namespace
}  // namespace mmtune
