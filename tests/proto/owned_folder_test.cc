// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/owned_folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = "ours-";

class OwnedFolderTest : public testing::Test {
 protected:
  OwnedFolder Create() { return OwnedFolder::Create(parent_, kPrefix).value(); }
  /// As a killed owner leaves it: nobody holds the lock.
  fs::path Abandoned(const std::string& name, bool locked_once = true) {
    const fs::path path = fs::path(parent_) / name;
    fs::create_directories(path / "below");
    std::ofstream(path / "below" / "file") << "text";
    if (locked_once) std::ofstream(path / "owner.lock");
    return path;
  }

  const TempFolder temporary_;
  const std::string& parent_ = temporary_.path();
};

TEST_F(OwnedFolderTest, IsPrivateAndEndsWithItsOwner) {
  std::string path;
  {
    OwnedFolder folder = Create();
    path = folder.path();
    EXPECT_EQ(fs::path(path).parent_path(), parent_);
    struct stat info;
    ASSERT_EQ(stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    std::ofstream(path + "/file") << "text";
    OwnedFolder moved = std::move(folder);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(OwnedFolderTest, WhatAKilledOwnerLeftIsRemoved) {
  const fs::path path = Abandoned("ours-AbCd12");
  OwnedFolder::RemoveAbandoned(parent_, kPrefix);
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(OwnedFolderTest, ALivingOwnersFolderStays) {
  OwnedFolder folder = Create();
  OwnedFolder moved = std::move(folder);
  OwnedFolder other = Create();
  OwnedFolder::RemoveAbandoned(parent_, kPrefix);
  EXPECT_TRUE(fs::exists(moved.path()));
  EXPECT_TRUE(fs::exists(other.path()));
  EXPECT_NE(moved.path(), other.path());
}

TEST_F(OwnedFolderTest, OthersFoldersStay) {
  const fs::path unlocked = Abandoned("ours-bbbbbb", /*locked_once=*/false);
  const fs::path longer = Abandoned("ours-worker-AbCd12");
  const fs::path foreign = Abandoned("something-else");
  const fs::path link = fs::path(parent_) / "ours-Link00";
  fs::create_directory_symlink(foreign, link);
  OwnedFolder::RemoveAbandoned(parent_, kPrefix);
  EXPECT_TRUE(fs::exists(unlocked));
  EXPECT_TRUE(fs::exists(longer));
  EXPECT_TRUE(fs::exists(foreign / "owner.lock"));
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST_F(OwnedFolderTest, WithoutALockAFolderIsNeverTakenForAbandonedAndNoOtherFileIsClosed) {
  const bool had_input = fcntl(STDIN_FILENO, F_GETFD) >= 0;
  {
    struct rlimit old;
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
    struct rlimit none = {0, old.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    OwnedFolder folder = Create();
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
    EXPECT_FALSE(fs::exists(folder.path() + "/owner.lock"));
    OwnedFolder::RemoveAbandoned(parent_, kPrefix);
    EXPECT_TRUE(fs::exists(folder.path()));
  }
  EXPECT_EQ(fcntl(STDIN_FILENO, F_GETFD) >= 0, had_input);
}

TEST_F(OwnedFolderTest, AParentThatIsNoneIsNamed) {
  const absl::Status status = OwnedFolder::Create(parent_ + "/nowhere", kPrefix).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr(parent_ + "/nowhere"));
}

}  // namespace
}  // namespace mmtune
