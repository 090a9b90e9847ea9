// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune-worker as people run it: where it keeps results, and output that is lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "proto/base/folders.h"
#include "proto/base/subprocess.h"
#include "worker/agent/daemon.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;

class WorkerProgramTest : public testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  ExitStatus Run(const std::vector<std::string>& arguments, const std::string& output) {
    SubprocessOptions options;
    options.argv = {MMTUNE_WORKER};
    options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
    options.output_path = output;
    options.extra_environment = {"HOME=" + Path("home"), "XDG_STATE_HOME=" + Path("state")};
    absl::StatusOr<Subprocess> process = Subprocess::Spawn(options);
    EXPECT_TRUE(process.ok()) << process.status();
    const std::optional<ExitStatus> exit = process->Wait(std::chrono::seconds(120));
    EXPECT_TRUE(exit) << "hangs";
    return exit.value_or(ExitStatus());
  }
  /// One that finds no server.
  ExitStatus RunInVain(std::vector<std::string> more) {
    std::vector<std::string> arguments = {"--server", "unix:" + Path("none"), "--device",
                                          "simt",     "--give-up-after",      "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments, Path("output"));
  }

  const OwnedFolder folder_ = OwnedFolder::Temporary("mmtune-test-").value();
};

TEST_F(WorkerProgramTest, ResultsAreKeptWhereItIsTold) {
  EXPECT_EQ(RunInVain({"--spool", Path("spool")}).code, Number(ExitCode::kServer));
  EXPECT_TRUE(fs::exists(Path("spool")));
  EXPECT_FALSE(fs::exists(Path("state/mmtune/worker")));
}

TEST_F(WorkerProgramTest, ResultsAreKeptWithTheUsersStateOtherwise) {
  EXPECT_EQ(RunInVain({}).code, Number(ExitCode::kServer));
  EXPECT_TRUE(fs::exists(Path("state/mmtune/worker")));
}

TEST_F(WorkerProgramTest, HelpThatIsLostIsAnError) {
  for (const char* flag : {"--help", "--version"}) {
    EXPECT_EQ(Run({flag}, Path("output")).code, 0);
    EXPECT_EQ(Run({flag}, "/dev/full").code, Number(ExitCode::kNoResult)) << flag;
  }
  std::ifstream file(Path("output"));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_THAT(text, testing::HasSubstr("compiles, verifies and times"));
}

}  // namespace
}  // namespace mmtune
