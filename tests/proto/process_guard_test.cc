// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs that are stuck, out of memory or short of files, and how they end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "proto/base/process_guard.h"
#include "proto/base/subprocess.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

class ProcessGuardTest : public testing::Test {
 protected:
  Subprocess Start(std::vector<std::string> arguments, int64_t address_space_bytes = 0) {
    SubprocessOptions options;
    options.argv = {ExecutableFolder() + "/subprocess_child"};
    options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
    options.output_path = folder_.File("output");
    options.address_space_bytes = address_space_bytes;
    return Subprocess::Spawn(options).value();
  }
  std::string Output() const {
    std::ostringstream text;
    text << std::ifstream(folder_.File("output")).rdbuf();
    return text.str();
  }
  void AwaitReady() const {
    while (Output().find("ready") == std::string::npos) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  static int CodeOf(Subprocess& child) {
    std::optional<ExitStatus> exit = child.Wait(std::chrono::seconds(60));
    return exit ? exit->code : -2;
  }

  const TempFolder folder_;
};

TEST_F(ProcessGuardTest, StopEndsAHangingProcess) {
  Subprocess child = Start({"hang", "handled"});  // a limit of 1 s
  AwaitReady();
  child.Signal(SIGTERM);
  EXPECT_EQ(CodeOf(child), 42);
  EXPECT_THAT(Output(), HasSubstr("first\n"));
  EXPECT_THAT(Output(), HasSubstr("did not stop in time"));
}

TEST_F(ProcessGuardTest, StopEndsAProcessThatHangsEarly) {
  Subprocess child = Start({"hang", "unhandled"});
  AwaitReady();
  child.Signal(SIGINT);
  EXPECT_EQ(CodeOf(child), 42);
}

TEST_F(ProcessGuardTest, CancelledEndDoesNotHappen) {
  Subprocess child = Start({"hang", "cancelled"});
  EXPECT_EQ(CodeOf(child), 0);
}

TEST_F(ProcessGuardTest, OutOfMemoryIsOneLineAndAnExitCode) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer has an allocator of its own";
#endif
  Subprocess child = Start({"exhaust"}, int64_t{1} << 30);
  EXPECT_EQ(CodeOf(child), 43);
  EXPECT_EQ(Output(),
            "child: out of memory: raise the limit (ulimit -v), or ask for less; what was measured is kept\n");
}

TEST_F(ProcessGuardTest, UncaughtExceptionIsOneLineAndAnExitCode) {
  Subprocess child = Start({"throw"});
  EXPECT_EQ(CodeOf(child), 43);
  EXPECT_THAT(Output(), testing::StartsWith("child: told to: "));
}

TEST_F(ProcessGuardTest, ReportsTooFewFiles) {
  Subprocess child = Start({"files", "12", "12"});
  EXPECT_EQ(CodeOf(child), 7);
  EXPECT_THAT(Output(), HasSubstr("only 12 files may be open at a time, 64 are needed"));
}

TEST_F(ProcessGuardTest, RaisesTheLimitOfFiles) {
  Subprocess child = Start({"files", "12", "256"});
  EXPECT_EQ(CodeOf(child), 0);
  EXPECT_EQ(Output(), "256\n");
}

TEST_F(ProcessGuardTest, ReportsTooFewThreads) {
  Subprocess child = Start({"threads", "12"});
  EXPECT_EQ(CodeOf(child), 7);
  EXPECT_THAT(Output(), testing::ContainsRegex("^only [0-9]+ threads can be started, 32 are needed: raise the limit of "
                                               "processes \\(ulimit -u\\)\n$"));
}

TEST_F(ProcessGuardTest, TakesALimitOfThreadsThatIsEnough) {
  if (geteuid() != 0) GTEST_SKIP() << "this user may have other processes";
  Subprocess child = Start({"threads", "40"});
  EXPECT_EQ(CodeOf(child), 0) << Output();
}

}  // namespace

namespace {

TEST(SystemMemoryTest, AvailableMemoryIsLessThanTotal) {
  const std::optional<int64_t> available = AvailableMemoryBytes();
  ASSERT_TRUE(available.has_value());
  EXPECT_GT(*available, 0);
  EXPECT_LE(*available, int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGE_SIZE));
}

TEST(SystemMemoryTest, LimitedGroupUsesMemory) {
  const std::optional<GroupMemory> group = MemoryOfGroup();
  if (!group) GTEST_SKIP() << "no limit is on this group of processes";
  EXPECT_GT(group->limit_bytes, 0);
  EXPECT_GT(group->used_bytes, 0);
}

}  // namespace
}  // namespace mmtune
