// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker/children/timing_gate.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "absl/strings/str_cat.h"
#include "proto/base/folders.h"

namespace mmtune {
namespace {

using testing::HasSubstr;

class LockFileTest : public testing::Test {
 protected:
  std::string Refusal() const {
    absl::StatusOr<int> fd = OpenLockFile(path_);
    if (fd.ok()) close(*fd);
    return std::string(fd.status().message());
  }
  mode_t Mode() const {
    struct stat info = {};
    EXPECT_EQ(stat(path_.c_str(), &info), 0);
    return info.st_mode & 0777;
  }

  OwnedFolder folder_ = OwnedFolder::Temporary("mmtune-test-").value();
  const std::string path_ = folder_.path() + "/device.lock";
};

TEST_F(LockFileTest, IsMadeForUserAndGroup) {
  const mode_t old = umask(0);
  EXPECT_EQ(Refusal(), "");
  umask(old);
  EXPECT_EQ(Mode(), 0640u);
  EXPECT_EQ(Refusal(), "") << "the second time";
}

TEST_F(LockFileTest, OneThatEveryUserCouldLockIsClosedToThem) {
  std::ofstream(path_) << "";
  ASSERT_EQ(chmod(path_.c_str(), 0666), 0);
  EXPECT_EQ(Refusal(), "");
  EXPECT_EQ(Mode(), 0660u);
}

TEST_F(LockFileTest, APlantedPipeIsRefusedWithoutAWait) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0666), 0);
  EXPECT_THAT(Refusal(), testing::AllOf(HasSubstr(path_), HasSubstr("not a regular file")));
}

TEST_F(LockFileTest, ALinkIsRefused) {
  const std::string target = folder_.path() + "/target";
  ASSERT_EQ(symlink(target.c_str(), path_.c_str()), 0);
  EXPECT_THAT(Refusal(), HasSubstr("is a link"));
  EXPECT_NE(access(target.c_str(), F_OK), 0) << "nothing was made through it";
}

TEST_F(LockFileTest, AFolderIsRefused) {
  ASSERT_EQ(mkdir(path_.c_str(), 0700), 0);
  EXPECT_THAT(Refusal(), HasSubstr("not a regular file"));
}

TEST_F(LockFileTest, AnotherUsersFileIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make one";
  std::ofstream(path_) << "";
  ASSERT_EQ(chown(path_.c_str(), 65534, 65534), 0);
  EXPECT_THAT(Refusal(), HasSubstr("belongs to another user"));
  // Of this group it is trusted, unless every user can lock it.
  ASSERT_EQ(chown(path_.c_str(), 65534, getegid()), 0);
  ASSERT_EQ(chmod(path_.c_str(), 0660), 0);
  EXPECT_EQ(Refusal(), "");
  ASSERT_EQ(chmod(path_.c_str(), 0664), 0);
  EXPECT_THAT(Refusal(), HasSubstr("can be locked by every user"));
}

TEST_F(LockFileTest, TheHolderIsNamedWhereTheSystemSays) {
  const int fd = OpenLockFile(path_).value();
  EXPECT_EQ(LockHolder(fd), "another process") << "nobody";
  ASSERT_EQ(flock(fd, LOCK_EX), 0);
  const int other = OpenLockFile(path_).value();
  EXPECT_THAT(LockHolder(other),
              testing::AnyOf(HasSubstr(absl::StrCat("process ", getpid(), " (")), "another process"));
  close(other);
  close(fd);
}

TEST_F(LockFileTest, FoldersInWhichOthersCanReplaceFilesAreNone) {
  EXPECT_TRUE(IsLockFolder(folder_.path()));
  EXPECT_FALSE(IsLockFolder(folder_.path() + "/none"));
  EXPECT_FALSE(IsLockFolder("relative"));
  const std::string open_to_all = folder_.path() + "/open";
  ASSERT_EQ(mkdir(open_to_all.c_str(), 0700), 0);
  ASSERT_EQ(chmod(open_to_all.c_str(), 0777), 0);
  EXPECT_FALSE(IsLockFolder(open_to_all));
  ASSERT_EQ(chmod(open_to_all.c_str(), 01777), 0);
  EXPECT_TRUE(IsLockFolder(open_to_all));
  if (geteuid() == 0) {
    ASSERT_EQ(chown(open_to_all.c_str(), 65534, 65534), 0);
    EXPECT_FALSE(IsLockFolder(open_to_all));
  }
}

}  // namespace
}  // namespace mmtune
