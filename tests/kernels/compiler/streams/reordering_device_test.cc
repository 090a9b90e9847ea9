// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device that shows missing events must itself keep the order that events and streams give.

#include "tests/kernels/compiler/streams/reordering_device.h"

#include <gtest/gtest.h>

namespace mmtune {
namespace {

using Order = ReorderingDevice::Order;

class ReorderingDeviceTest : public testing::Test {
 protected:
  ReorderingDeviceTest() {
    first_ = device_.CreateStream().value();
    second_ = device_.CreateStream().value();
    ptr_ = device_.Allocate(4).value();
  }

  int32_t Read() {
    int32_t value = 0;
    EXPECT_TRUE(device_.CopyToHost(&value, ptr_, 4, 0).ok());
    return value;
  }

  ReorderingDevice device_{{}, Order::kLate, 1};
  StreamHandle first_ = 0, second_ = 0;
  DevicePtr ptr_ = 0;
};

TEST_F(ReorderingDeviceTest, StreamsAreNotOrderedByProgramOrder) {
  ASSERT_TRUE(device_.Fill32(ptr_, 1, 1, first_).ok());
  ASSERT_TRUE(device_.Fill32(ptr_, 2, 1, second_).ok());
  ASSERT_TRUE(device_.Synchronize(first_).ok());
  EXPECT_EQ(Read(), 1);  // The second stream went first.
  EXPECT_EQ(device_.most_concurrent(), 2);
}

TEST_F(ReorderingDeviceTest, NothingRunsBeforeTheHostWaits) {
  int32_t value = 5;
  ASSERT_TRUE(device_.CopyToDevice(ptr_, &value, 4, first_).ok());
  value = 6;
  ASSERT_TRUE(device_.Synchronize(first_).ok());
  EXPECT_EQ(Read(), 6);
}

TEST_F(ReorderingDeviceTest, AnEventOrdersTwoStreamsEvenWhenItIsDestroyedEarly) {
  ASSERT_TRUE(device_.Fill32(ptr_, 1, 1, first_).ok());
  const EventHandle event = device_.CreateEvent().value();
  ASSERT_TRUE(device_.RecordEvent(event, first_).ok());
  ASSERT_TRUE(device_.StreamWaitEvent(second_, event).ok());
  ASSERT_TRUE(device_.DestroyEvent(event).ok());
  ASSERT_TRUE(device_.Fill32(ptr_, 2, 1, second_).ok());
  ASSERT_TRUE(device_.Synchronize(second_).ok());
  EXPECT_EQ(Read(), 2);
  EXPECT_EQ(device_.most_concurrent(), 1);
  EXPECT_FALSE(device_.DestroyEvent(event).ok());
}

TEST_F(ReorderingDeviceTest, MemoryInUseCannotBeFreed) {
  ASSERT_TRUE(device_.Fill32(ptr_, 1, 1, first_).ok());
  EXPECT_EQ(device_.Free(ptr_).code(), absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(device_.Synchronize(first_).ok());
  EXPECT_TRUE(device_.Free(ptr_).ok());
  EXPECT_EQ(device_.Free(ptr_).code(), absl::StatusCode::kInvalidArgument);
}

// Negative strides are such numbers, and kernels get them beside addresses.
TEST_F(ReorderingDeviceTest, NoRangeThatWrapsAroundIsInAnAllocation) {
  const char value = 5;
  EXPECT_EQ(device_.CopyToDevice(~DevicePtr{0}, &value, 1, first_).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(device_.CopyToDevice(ptr_, &value, ~size_t{0}, first_).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(device_.Free(ptr_).ok());
}

TEST_F(ReorderingDeviceTest, AStreamIsDestroyedOnceAndWhenItIsIdle) {
  ASSERT_TRUE(device_.Fill32(ptr_, 1, 1, first_).ok());
  EXPECT_EQ(device_.DestroyStream(first_).code(), absl::StatusCode::kInvalidArgument);
  ASSERT_TRUE(device_.Synchronize(first_).ok());
  EXPECT_TRUE(device_.DestroyStream(first_).ok());
  EXPECT_EQ(device_.DestroyStream(first_).code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace mmtune
