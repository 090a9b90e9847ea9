// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/session.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "db/log_lock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/tune/commands/fleet_commands.h"
#include "server/tune/session/console.h"
#include "tests/server/tune/fake_tuning_service.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;

void Touch(const std::string& path) { const std::ofstream file(path); }

class LogPathTest : public testing::Test {
 protected:
  const TempFolder temporary_;
  const std::string folder_ = fs::canonical(temporary_.path());
};

TEST_F(LogPathTest, TwoNamesOfOneLogAreOne) {
  Touch(folder_ + "/log.db");
  fs::create_symlink(folder_ + "/log.db", folder_ + "/alias.db");
  fs::create_directory_symlink(folder_, folder_ + "/here");
  for (const char* name : {"/log.db", "/alias.db", "/here/alias.db"}) {
    auto path = ResolveLogPath(folder_ + name, /*create_folder=*/false);
    ASSERT_TRUE(path.ok()) << path.status();
    EXPECT_EQ(*path, folder_ + "/log.db");
  }
  EXPECT_EQ(*ResolveLogPath(folder_ + "/here/new.db", false), folder_ + "/new.db");
}

TEST_F(LogPathTest, AFolderThatIsNotThereIsTheLogsError) {
  EXPECT_EQ(ExitCodeOf(ResolveLogPath(folder_ + "/no/log.db", false).status()), ExitCode::kLog);
}

TEST_F(LogPathTest, AHomeThatIsNotThereIsNotMade) {
  const std::string home = folder_ + "/nobody";
  const char* variables[] = {"HOME", "XDG_DATA_HOME"};
  std::string old[2];
  for (int i = 0; i < 2; ++i) old[i] = getenv(variables[i]) ? getenv(variables[i]) : "";
  setenv("HOME", home.c_str(), 1);
  unsetenv("XDG_DATA_HOME");
  const absl::Status status = ResolveLogPath("", /*create_folder=*/true).status();
  for (int i = 0; i < 2; ++i) old[i].empty() ? unsetenv(variables[i]) : setenv(variables[i], old[i].c_str(), 1);
  EXPECT_EQ(ExitCodeOf(status), ExitCode::kLog);
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr(home));
  EXPECT_FALSE(fs::exists(home));
}

TEST_F(LogPathTest, StatusLeavesNoLockFile) {
  Touch(folder_ + "/log.db");
  fs::create_symlink(folder_ + "/log.db", folder_ + "/alias.db");
  for (const char* name : {"/log.db", "/alias.db"}) {
    StatusOptions options;
    options.log = folder_ + name;
    auto code = RunStatusCommand(options, Console::Standard());
    EXPECT_EQ(ExitCodeOf(code.status()), ExitCode::kServer);
    EXPECT_THAT(std::string(code.status().message()),
                testing::HasSubstr("log.db: start mmtune-server, or give --server"));
  }
  EXPECT_FALSE(fs::exists(folder_ + "/log.db.lock"));
  EXPECT_FALSE(fs::exists(folder_ + "/alias.db.lock"));
}

TEST_F(LogPathTest, StatusAsksWhoeverHasTheLog) {
  FakeTuningService service;
  service.info.set_version("7.8.9");
  Touch(folder_ + "/log.db");
  std::string owner;
  auto lock = LogLock::Acquire(folder_ + "/log.db", service.address(), &owner);
  ASSERT_TRUE(lock.ok()) << lock.status();
  std::ostringstream out, err;
  StatusOptions options;
  options.log = folder_ + "/log.db";
  auto code = RunStatusCommand(options, Console{out, err});
  EXPECT_EQ(ExitCodeOf(code.status()), ExitCode::kServer);
  EXPECT_THAT(std::string(code.status().message()), testing::HasSubstr("is being checked by process "));
  ASSERT_TRUE(lock->MarkOpened(folder_ + "/log.db", service.address()).ok());
  code = RunStatusCommand(options, Console{out, err});
  ASSERT_TRUE(code.ok()) << code.status();
  EXPECT_THAT(out.str(), testing::StartsWith("mmtune 7.8.9, protocol "));
}

}  // namespace
}  // namespace mmtune
