// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/console.h"

#include <sstream>

#include "gtest/gtest.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

TEST(ExitCodeTest, IsWhatWasAttached) {
  EXPECT_EQ(ExitCodeOf(ExitWith(ExitCode::kDevice, "no CUDA device")), ExitCode::kDevice);
  EXPECT_EQ(ExitCodeOf(ExitWith(ExitCode::kInterrupted, "interrupted")), ExitCode::kInterrupted);
  EXPECT_EQ(ExitCodeOf(ExitWith(ExitCode::kLog, Unavailable("in use"))), ExitCode::kLog);
}

TEST(ExitCodeTest, KeepsTheErrorItself) {
  const absl::Status status = ExitWith(ExitCode::kLog, Unavailable("in use"));
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_EQ(status.message(), "in use");
  EXPECT_TRUE(ExitWith(ExitCode::kLog, absl::OkStatus()).ok());
}

TEST(ExitCodeTest, FollowsTheStatusOtherwise) {
  EXPECT_EQ(ExitCodeOf(absl::OkStatus()), ExitCode::kOk);
  EXPECT_EQ(ExitCodeOf(InvalidArgument("bad")), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeOf(Unavailable("gone")), ExitCode::kServer);
  EXPECT_EQ(ExitCodeOf(Internal("bug")), ExitCode::kNoResult);
}

TEST(ConsoleTest, ColoursAreAsTheTerminalHasThemUnlessAskedFor) {
  std::ostringstream out, err;
  Console console{out, err};
  console.color = true;
  EXPECT_TRUE(console.WithColor("auto").color);
  EXPECT_FALSE(console.WithColor("auto").tables.color);
  EXPECT_TRUE(console.WithColor("always").tables.color);
  EXPECT_FALSE(console.WithColor("never").color);
}

}  // namespace
}  // namespace mmtune
