// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/debug_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "kernels/tools/output_files.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;

TEST(StageDumpTest, WritesWholeFiles) {
  const TempFolder folder;
  absl::StatusOr<StageDump> dump = StageDump::In(folder.File("stages"));
  ASSERT_TRUE(dump.ok()) << dump.status();
  ASSERT_TRUE(dump->Write(7, "fuse-rows", "module {}").ok());
  EXPECT_EQ(ReadInput(folder.File("stages/07-fuse-rows.mlir")).value(), "module {}");
}

/// The child gets SIGINT in the middle of a file: where the limit of a file's size ends its write.
TEST(StageDumpTest, SignalRemovesPartialFile) {
  const TempFolder folder;
  const std::string stages = folder.File("stages");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const rlimit limit = {4096, 4096};
    signal(SIGXFSZ, [](int) { raise(SIGINT); });
    if (setrlimit(RLIMIT_FSIZE, &limit) == 0)
      (void)StageDump::In(stages)->Write(0, "parsed", std::string(1 << 16, ' '));
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
  ASSERT_TRUE(fs::exists(stages));
  EXPECT_TRUE(fs::is_empty(stages));
}

}  // namespace
}  // namespace mmtune
