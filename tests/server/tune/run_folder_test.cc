// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/local_worker.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "gtest/gtest.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;

class RunFolderTest : public testing::Test {
 protected:
  RunFolderTest() {
    if (const char* before = getenv("XDG_RUNTIME_DIR")) before_ = before;
    setenv("XDG_RUNTIME_DIR", parent_.c_str(), 1);
  }
  ~RunFolderTest() override { before_ ? setenv("XDG_RUNTIME_DIR", before_->c_str(), 1) : unsetenv("XDG_RUNTIME_DIR"); }

  const TempFolder temporary_;
  const std::string& parent_ = temporary_.path();
  std::optional<std::string> before_;
};

TEST_F(RunFolderTest, IsInTheRuntimeFolderAndGoesWithItsOwner) {
  std::string path;
  {
    auto folder = CreateRunFolder();
    ASSERT_TRUE(folder.ok()) << folder.status();
    path = folder->path();
    EXPECT_EQ(fs::path(path).parent_path(), parent_);
    std::optional<OwnedFolder> moved = *std::move(folder);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(RunFolderTest, SweepsWhatAKilledOwnerLeftButNoWorkers) {
  for (const char* name : {"mmtune-AbCd12", "mmtune-worker-AbCd12"}) {
    fs::create_directories(fs::path(parent_) / name);
    std::ofstream(fs::path(parent_) / name / "owner.lock");
  }
  auto folder = CreateRunFolder();
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_FALSE(fs::exists(fs::path(parent_) / "mmtune-AbCd12"));
  EXPECT_TRUE(fs::exists(fs::path(parent_) / "mmtune-worker-AbCd12"));
}

TEST_F(RunFolderTest, AParentTooLongForASocketOrNotThereIsPassedOver) {
  for (const std::string& parent : {parent_ + "/nowhere", parent_ + "/" + std::string(80, 'x')}) {
    setenv("XDG_RUNTIME_DIR", parent.c_str(), 1);
    auto folder = CreateRunFolder();
    ASSERT_TRUE(folder.ok()) << folder.status();
    EXPECT_NE(fs::path(folder->path()).parent_path(), parent);
  }
}

}  // namespace
}  // namespace mmtune
