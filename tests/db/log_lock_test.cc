// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One writer per log, across processes.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "db/log_lock.h"
#include "proto/base/subprocess.h"
#include "tests/db/log_testing.h"

namespace mmtune::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::chrono::seconds kTimeout{60};

/// A process that has the log open; fails the test when it cannot.
std::optional<Subprocess> Holder(const std::string& path) {
  SubprocessOptions options;
  options.argv = {MMTUNE_LOG_WRITER_CHILD, path, "hold", "0", "0"};
  options.channel_fd = 3;
  absl::StatusOr<Subprocess> holder = Subprocess::Spawn(options);
  EXPECT_OK(holder);
  if (!holder.ok()) return std::nullopt;
  absl::StatusOr<std::string> held = ReadFrame(holder->channel(), kTimeout);
  EXPECT_OK(held);
  return *std::move(holder);
}

TEST(LogLockTest, ASecondWriterIsToldWhoHasTheLog) {
  TempFolder folder;
  std::string path = folder.File("log.db");
  std::optional<Subprocess> holder = Holder(path);
  ASSERT_TRUE(holder.has_value());
  std::string endpoint;
  absl::StatusOr<std::unique_ptr<TuningLog>> log = OpenTuningLog(path, {}, &endpoint);
  EXPECT_EQ(CodeOf(log), absl::StatusCode::kUnavailable);
  EXPECT_EQ(endpoint, "unix:/run/owner.sock");
  std::string message(log.status().message());
  EXPECT_THAT(message, HasSubstr(absl::StrCat("process ", holder->pid(), " on ")));
  EXPECT_THAT(message, HasSubstr("unix:/run/owner.sock"));
  EXPECT_THAT(message, HasSubstr(path));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST(LogLockTest, TheLockEndsWithItsProcessHoweverItEnds) {
  TempFolder folder;
  std::string path = folder.File("log.db");
  std::optional<Subprocess> holder = Holder(path);
  ASSERT_TRUE(holder.has_value());
  holder->Kill();
  absl::StatusOr<std::unique_ptr<TuningLog>> log = OpenTuningLog(path, {.endpoint = "mine"});
  ASSERT_OK(log);
  EXPECT_THAT(ReadFile(path + ".lock"), HasSubstr("\"mine\""));
  EXPECT_THAT(ReadFile(path + ".lock"), HasSubstr(absl::StrCat("\"pid\":", getpid())));
  log->reset();
  EXPECT_EQ(ReadFile(path + ".lock"), "");
}

TEST(LogLockTest, AReaderNeedsNoLock) {
  TempFolder folder;
  std::string path = folder.File("log.db");
  std::optional<Subprocess> holder = Holder(path);
  ASSERT_TRUE(holder.has_value());
  absl::StatusOr<std::unique_ptr<TuningLogReader>> reader = OpenTuningLogReadOnly(path);
  ASSERT_OK(reader);
  EXPECT_OK((*reader)->UnfinishedJobs());
}

TEST(LogLockTest, TwoNamesOfOneLogAreOneLog) {
  TempFolder folder;
  std::string path = folder.File("log.db");
  std::unique_ptr<TuningLog> log = OpenOrFail(path);
  ASSERT_NE(log, nullptr);
  std::string link = folder.File("link.db");
  std::filesystem::create_symlink(path, link);
  EXPECT_EQ(CodeOf(OpenTuningLog(link, {})), absl::StatusCode::kUnavailable);
  EXPECT_EQ(CodeOf(OpenTuningLog(folder.path() + "/./log.db", {})), absl::StatusCode::kUnavailable);
  EXPECT_EQ(CodeOf(OpenTuningLog(path, {})), absl::StatusCode::kUnavailable);
}

TEST(LogLockTest, WhatIsNoLockFileOfOursIsLeftAlone) {
  TempFolder folder;
  const std::string path = folder.File("log.db"), lock = path + ".lock", letter = folder.File("letter");
  const auto expect_refused = [&](const char* what) {
    SCOPED_TRACE(what);
    absl::Status status = OpenTuningLog(path, {}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(lock));
    EXPECT_EQ(ReadFile(letter), "dear friend");
    std::filesystem::remove(lock);
  };
  WriteFile(letter, "dear friend");
  std::filesystem::create_symlink(letter, lock);
  expect_refused("a link");
  std::filesystem::create_symlink(folder.File("nothing"), lock);
  expect_refused("a link to nothing");
  EXPECT_FALSE(std::filesystem::exists(folder.File("nothing")));
  std::filesystem::create_hard_link(letter, lock);
  expect_refused("another name of a file");
  ASSERT_EQ(mkfifo(lock.c_str(), 0600), 0);
  expect_refused("a pipe");
  std::filesystem::create_directory(lock);
  expect_refused("a folder");
}

TEST(LogLockTest, WhatACrashLeftOfALockFileIsTakenOver) {
  TempFolder folder;
  const std::string path = folder.File("log.db");
  for (const std::string& left : {std::string(), std::string("{\"endp"), std::string(40, '\0')}) {
    WriteFile(path + ".lock", left);
    EXPECT_OK(OpenTuningLog(path, {}));
  }
}

TEST(LogLockTest, WhoOpensTheLogIsTellable) {
  TempFolder folder;
  const std::string path = folder.File("log.db");
  absl::StatusOr<LogLock> opener = LogLock::Acquire(path, "unix:/run/mine.sock", nullptr);
  ASSERT_OK(opener);
  absl::Status status = OpenTuningLog(path, {}).status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_TRUE(IsBeingOpened(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("is being checked by process"));
  ASSERT_OK(opener->MarkOpened(path, "unix:/run/mine.sock"));
  status = OpenTuningLog(path, {}).status();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_FALSE(IsBeingOpened(status)) << status;
}

TEST(LogLockTest, ARefusedOpenerLeavesTheOwnersNameInPlace) {
  TempFolder folder;
  std::string path = folder.File("log.db");
  std::optional<Subprocess> holder = Holder(path);
  ASSERT_TRUE(holder.has_value());
  for (int i = 0; i < 2; ++i) {
    std::string endpoint;
    EXPECT_EQ(CodeOf(OpenTuningLog(path, {}, &endpoint)), absl::StatusCode::kUnavailable);
    EXPECT_EQ(endpoint, "unix:/run/owner.sock");
  }
}

TEST(LogLockTest, AnOwnerThatHasNotYetWrittenItsNameIsGivenTimeTo) {
  TempFolder folder;
  const std::string path = folder.File("log.db");
  const int fd = open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  ASSERT_EQ(flock(fd, LOCK_EX | LOCK_NB), 0);
  const auto started = std::chrono::steady_clock::now();
  const absl::Status status = OpenTuningLog(path, {}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(status.message()), HasSubstr("in use by another process"));
  EXPECT_GE(std::chrono::steady_clock::now() - started, std::chrono::milliseconds(400));
  close(fd);
}

}  // namespace
}  // namespace mmtune::testing
