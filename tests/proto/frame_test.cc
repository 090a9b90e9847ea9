// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "proto/base/subprocess.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;

class Frames : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0); }
  void TearDown() override {
    for (int fd : ends_) {
      if (fd >= 0) close(fd);
    }
  }
  void CloseWriter() {
    close(ends_[0]);
    ends_[0] = -1;
  }
  void WriteRaw(std::string_view bytes) {
    ASSERT_EQ(write(ends_[0], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  int writer() const { return ends_[0]; }
  int reader() const { return ends_[1]; }

 private:
  int ends_[2] = {-1, -1};
};

TEST_F(Frames, AreALittleEndianLengthAndThePayload) {
  ASSERT_TRUE(WriteFrame(writer(), std::string(258, 'p')).ok());
  CloseWriter();
  std::string bytes(300, '\0');
  const ssize_t size = recv(reader(), bytes.data(), bytes.size(), MSG_WAITALL);
  ASSERT_EQ(size, 262);
  EXPECT_EQ(bytes.substr(0, 5), std::string("\x02\x01\0\0p", 5));
}

TEST_F(Frames, ComeOutOneByOneInOrder) {
  for (const char* text : {"one", "", "three"}) ASSERT_TRUE(WriteFrame(writer(), text).ok());
  for (const char* text : {"one", "", "three"}) EXPECT_EQ(*ReadFrame(reader(), milliseconds(0)), text);
}

TEST_F(Frames, ReadingTimesOutWithoutAWholeFrame) {
  EXPECT_TRUE(absl::IsDeadlineExceeded(ReadFrame(reader(), milliseconds(0)).status()));
  EXPECT_TRUE(absl::IsDeadlineExceeded(ReadFrame(reader(), milliseconds(20)).status()));
  WriteRaw(std::string("\x04\0\0\0ab", 6));
  EXPECT_TRUE(absl::IsDeadlineExceeded(ReadFrame(reader(), milliseconds(20)).status()));
}

TEST_F(Frames, AClosedPeerIsUnavailable) {
  CloseWriter();
  EXPECT_TRUE(absl::IsUnavailable(ReadFrame(reader(), milliseconds(1000)).status()));
  EXPECT_TRUE(absl::IsUnavailable(WriteFrame(reader(), "nobody listens")));
}

TEST_F(Frames, WhatWasWrittenBeforeClosingIsStillRead) {
  ASSERT_TRUE(WriteFrame(writer(), "last words").ok());
  CloseWriter();
  EXPECT_EQ(*ReadFrame(reader(), milliseconds(1000)), "last words");
  EXPECT_TRUE(absl::IsUnavailable(ReadFrame(reader(), milliseconds(1000)).status()));
}

TEST_F(Frames, ACloseInsideAFrameIsUnavailable) {
  WriteRaw(std::string("\x04\0", 2));
  CloseWriter();
  EXPECT_TRUE(absl::IsUnavailable(ReadFrame(reader(), milliseconds(1000)).status()));
}

TEST_F(Frames, OverTheLimitIsResourceExhaustedBeforeAnyMemoryIsTaken) {
  ASSERT_TRUE(WriteFrame(writer(), "12345678").ok());
  EXPECT_EQ(*ReadFrame(reader(), milliseconds(1000), 8), "12345678");
  ASSERT_TRUE(WriteFrame(writer(), "123456789").ok());
  EXPECT_TRUE(absl::IsResourceExhausted(ReadFrame(reader(), milliseconds(1000), 8).status()));
}

TEST_F(Frames, AnAbsurdLengthIsRefused) {
  WriteRaw("\xff\xff\xff\xff");
  EXPECT_TRUE(absl::IsResourceExhausted(ReadFrame(reader(), milliseconds(1000)).status()));
}

TEST(FrameDescriptors, ABadDescriptorIsAnErrorNotAHang) {
  EXPECT_FALSE(ReadFrame(-1, milliseconds(10)).ok());
  EXPECT_FALSE(WriteFrame(-1, "x").ok());
}

}  // namespace
}  // namespace mmtune
