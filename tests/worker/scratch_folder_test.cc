#include "worker/scratch_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace mmtune {
namespace {

class ScratchFolderTest : public testing::Test {
 protected:
  ScratchFolderTest() { setenv("TMPDIR", base_.path().c_str(), 1); }
  ~ScratchFolderTest() override { unsetenv("TMPDIR"); }

  /// A folder as a killed worker leaves it: nobody holds the lock.
  std::string Abandoned(const std::string& name, bool locked_once = true) {
    const std::string path = base_.path() + "/" + name;
    std::filesystem::create_directories(path + "/spool");
    std::ofstream(path + "/compile-0.output") << "text";
    if (locked_once) std::ofstream(path + "/owner.lock");
    return path;
  }

  ScratchFolder base_ = ScratchFolder::Create().value();
};

TEST_F(ScratchFolderTest, IsPrivateAndEndsWithItsOwner) {
  std::string path;
  {
    ScratchFolder folder = ScratchFolder::Create().value();
    path = folder.path();
    struct stat info;
    ASSERT_EQ(stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    std::ofstream(path + "/file") << "text";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(ScratchFolderTest, WhatAKilledOwnerLeftIsRemoved) {
  const std::string stale = Abandoned("mmtune-worker-aaaaaa");
  ScratchFolder::RemoveStale();
  EXPECT_FALSE(std::filesystem::exists(stale));
}

TEST_F(ScratchFolderTest, ALivingOwnersFolderStays) {
  ScratchFolder folder = ScratchFolder::Create().value();
  ScratchFolder moved = std::move(folder);
  ScratchFolder::RemoveStale();
  EXPECT_TRUE(std::filesystem::exists(moved.path()));
}

TEST_F(ScratchFolderTest, OtherFoldersStay) {
  const std::string unlocked = Abandoned("mmtune-worker-bbbbbb", /*locked_once=*/false);
  const std::string foreign = Abandoned("something-else");
  ScratchFolder::RemoveStale();
  EXPECT_TRUE(std::filesystem::exists(unlocked));
  EXPECT_TRUE(std::filesystem::exists(foreign));
}

}  // namespace
}  // namespace mmtune
