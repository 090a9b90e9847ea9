// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>

#include "proto/base/log.h"
#include "server/security/watched_files.h"
#include "tests/fake_clock.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class WatchedFileTest : public testing::Test {
 protected:
  void Write(const std::string& text) {
    std::filesystem::remove(path_);
    std::ofstream(path_) << text;
  }
  /// Returns the log lines written while the file is read or looked at.
  std::string Said(const std::function<void()>& read) {
    const LogLevel before = GetLogLevel();
    SetLogLevel(LogLevel::kError);
    testing::internal::CaptureStderr();
    read();
    SetLogLevel(before);
    return testing::internal::GetCapturedStderr();
  }

  TempFolder folder_;
  const std::string path_ = folder_.File("authorities");
  FakeClock clock_;
  std::string taken_;
  WatchedFile file_{path_, clock_, "authorities_lost", [this](const std::string& text) {
                      taken_ = text;
                      return absl::OkStatus();
                    }};
};

TEST_F(WatchedFileTest, LogsALostFileOnce) {
  EXPECT_THAT(Said([&] { EXPECT_FALSE(file_.Read().ok()); }), IsEmpty());  // nothing is lost yet
  Write("one");
  EXPECT_THAT(Said([&] { EXPECT_TRUE(file_.Read().ok()); }), IsEmpty());
  std::filesystem::remove(path_);
  EXPECT_THAT(Said([&] { EXPECT_FALSE(file_.Read().ok()); }), HasSubstr("authorities_lost"));
  clock_.Advance(std::chrono::seconds(2));
  EXPECT_THAT(Said([&] { file_.Refresh(); }), IsEmpty());
  EXPECT_EQ(taken_, "one");
  Write("another");
  clock_.Advance(std::chrono::seconds(2));
  EXPECT_THAT(Said([&] { file_.Refresh(); }), IsEmpty());
  EXPECT_EQ(taken_, "another");
  std::filesystem::remove(path_);
  clock_.Advance(std::chrono::seconds(2));
  EXPECT_THAT(Said([&] { file_.Refresh(); }), HasSubstr("authorities_lost"));
}

}  // namespace
}  // namespace mmtune
