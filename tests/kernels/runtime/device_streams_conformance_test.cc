// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams and events, which are alike on every Device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/kernels/runtime/device_conformance.h"

namespace mmtune {
namespace {

using ::testing::Each;

TEST_P(DeviceConformanceTest, OperationsOfAStreamRunInOrderAndEventsTimeThem) {
  StreamHandle stream = device_->CreateStream().value();
  EventHandle start = device_->CreateEvent().value(), end = device_->CreateEvent().value();
  const size_t count = 1 << 16;
  std::vector<float> values(count, 1.0f);
  DevicePtr data = Buffer(count * 4), copy = Buffer(count * 4);
  ASSERT_TRUE(device_->RecordEvent(start, stream).ok());
  ASSERT_TRUE(device_->CopyToDevice(data, values.data(), count * 4, stream).ok());
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(LaunchOn(stream, "scale", {{256, 1, 1}, {256, 1, 1}, 0}, data, 1 << 16, 2.0f, 0.0).ok());
  }
  ASSERT_TRUE(device_->CopyOnDevice(copy, data, count * 4, stream).ok());
  ASSERT_TRUE(device_->Fill32(data, 0, count, stream).ok());
  ASSERT_TRUE(device_->CopyToHost(values.data(), copy, count * 4, stream).ok());
  ASSERT_TRUE(device_->RecordEvent(end, stream).ok());
  ASSERT_TRUE(device_->SynchronizeEvent(end).ok());
  EXPECT_THAT(values, Each(1024.0f));
  EXPECT_GT(device_->ElapsedNs(start, end).value(), 0.0);
  EXPECT_TRUE(device_->DestroyEvent(start).ok());
  EXPECT_TRUE(device_->DestroyEvent(end).ok());
  EXPECT_TRUE(device_->DestroyStream(stream).ok());
}

TEST_P(DeviceConformanceTest, AStreamCanWaitForAnother) {
  StreamHandle first = device_->CreateStream().value(), second = device_->CreateStream().value();
  EventHandle done = device_->CreateEvent().value();
  const size_t count = 1 << 16;
  std::vector<float> values(count, 1.0f);
  DevicePtr data = Upload(values);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(LaunchOn(first, "scale", {{256, 1, 1}, {256, 1, 1}, 0}, data, 1 << 16, 2.0f, 0.0).ok());
  }
  ASSERT_TRUE(device_->RecordEvent(done, first).ok());
  ASSERT_TRUE(device_->StreamWaitEvent(second, done).ok());
  ASSERT_TRUE(device_->CopyToHost(values.data(), data, count * 4, second).ok());
  ASSERT_TRUE(device_->Synchronize(second).ok());
  EXPECT_THAT(values, Each(32.0f));
  EXPECT_TRUE(device_->DestroyEvent(done).ok());
  EXPECT_TRUE(device_->DestroyStream(first).ok());
  EXPECT_TRUE(device_->DestroyStream(second).ok());
}

TEST_P(DeviceConformanceTest, UnknownStreamsAndEventsAreInvalid) {
  DevicePtr data = Buffer(4);
  StreamHandle stream = device_->CreateStream().value();
  EventHandle event = device_->CreateEvent().value();
  EXPECT_FALSE(device_->ElapsedNs(event, event).ok());  // Never recorded.
  ASSERT_TRUE(device_->DestroyStream(stream).ok());
  ASSERT_TRUE(device_->DestroyEvent(event).ok());
  const absl::StatusCode invalid = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(device_->DestroyStream(stream).code(), invalid);
  EXPECT_EQ(device_->DestroyStream(0).code(), invalid);
  EXPECT_EQ(device_->DestroyEvent(event).code(), invalid);
  EXPECT_EQ(device_->Synchronize(stream).code(), invalid);
  EXPECT_EQ(device_->SynchronizeEvent(event).code(), invalid);
  EXPECT_EQ(device_->RecordEvent(event, 0).code(), invalid);
  EXPECT_EQ(device_->StreamWaitEvent(0, event).code(), invalid);
  EXPECT_EQ(device_->Fill32(data, 0, 1, stream).code(), invalid);
  EXPECT_EQ(LaunchOn(stream, "count", {}, data).code(), invalid);
}

}  // namespace
}  // namespace mmtune
