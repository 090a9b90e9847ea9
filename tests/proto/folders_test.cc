// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>

#include "proto/base/folders.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

constexpr char kVariable[] = "MMTUNE_TEST_XDG_HOME";

class UserFolderTest : public testing::Test {
 protected:
  UserFolderTest() {
    if (const char* old = getenv("HOME")) old_ = old;
    setenv("HOME", home_.c_str(), 1);
    unsetenv(kVariable);
  }
  ~UserFolderTest() override {
    setenv("HOME", old_.c_str(), 1);
    unsetenv(kVariable);
  }

  const TempFolder temporary_;
  const std::string& home_ = temporary_.path();
  std::string old_;
};

TEST_F(UserFolderTest, IsOfTheVariableOrBelowTheHome) {
  EXPECT_EQ(UserFolder(kVariable, ".local/x").value(), home_ + "/.local/x/mmtune");
  setenv(kVariable, "relative", 1);
  EXPECT_EQ(UserFolder(kVariable, ".local/x").value(), home_ + "/.local/x/mmtune");
  setenv(kVariable, "/elsewhere", 1);
  EXPECT_EQ(UserFolder(kVariable, ".local/x").value(), "/elsewhere/mmtune");
  EXPECT_TRUE(std::filesystem::is_empty(home_));
}

TEST_F(UserFolderTest, MissingHomeIsAnError) {
  const std::string none = home_ + "/none";
  setenv("HOME", none.c_str(), 1);
  EXPECT_THAT(std::string(UserFolder(kVariable, ".local/x").status().message()), testing::HasSubstr(none));
  unsetenv("HOME");
  EXPECT_EQ(UserFolder(kVariable, ".local/x").status().message(), "HOME is not set to an absolute path");
}

}  // namespace

namespace {

namespace fs = std::filesystem;

constexpr char kPrefix[] = "ours-";

class OwnedFolderTest : public testing::Test {
 protected:
  OwnedFolder Create() { return OwnedFolder::Create(parent_, kPrefix).value(); }
  /// A folder as a killed owner leaves it: nobody holds the lock.
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

TEST_F(OwnedFolderTest, IsPrivateAndRemovedWithItsOwner) {
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

TEST_F(OwnedFolderTest, RemovesFoldersOfKilledOwners) {
  const fs::path path = Abandoned("ours-AbCd12");
  OwnedFolder::RemoveAbandoned(parent_, kPrefix);
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(OwnedFolderTest, KeepsFoldersOfLivingOwners) {
  OwnedFolder folder = Create();
  OwnedFolder moved = std::move(folder);
  OwnedFolder other = Create();
  OwnedFolder::RemoveAbandoned(parent_, kPrefix);
  EXPECT_TRUE(fs::exists(moved.path()));
  EXPECT_TRUE(fs::exists(other.path()));
  EXPECT_NE(moved.path(), other.path());
}

TEST_F(OwnedFolderTest, KeepsFoldersOfOtherPrefixesAndUsers) {
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

TEST_F(OwnedFolderTest, UnlockedFolderIsNeverAbandoned) {
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

TEST_F(OwnedFolderTest, ErrorNamesAMissingParent) {
  const absl::Status status = OwnedFolder::Create(parent_ + "/nowhere", kPrefix).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr(parent_ + "/nowhere"));
}

}  // namespace
}  // namespace mmtune
