// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole files, and where programs are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>

#include "proto/base/folders.h"
#include "proto/base/subprocess.h"
#include "proto/base/whole_file.h"

namespace mmtune {
namespace {

using ::testing::HasSubstr;

class FilesTest : public testing::Test {
 protected:
  std::string Path(const std::string& name) const { return folder_.path() + "/" + name; }
  OwnedFolder folder_ = OwnedFolder::Temporary("mmtune-test-").value();
};

TEST_F(FilesTest, AreReadAsTheyWereWritten) {
  const std::string text("a\0\r\n\xff", 5);
  ASSERT_TRUE(WriteWholeFile(Path("file"), "something longer").ok());
  ASSERT_TRUE(WriteWholeFile(Path("file"), text).ok());
  EXPECT_EQ(ReadWholeFile(Path("file")).value(), text);
  EXPECT_EQ(ReadWholeFile(Path("file"), 2).value(), text.substr(2));
  ASSERT_TRUE(WriteWholeFile(Path("file"), "").ok());
  EXPECT_EQ(ReadWholeFile(Path("file")).value(), "");
}

TEST_F(FilesTest, ErrorsNameTheFileAndTheReason) {
  const absl::Status unread = ReadWholeFile(Path("none")).status();
  EXPECT_TRUE(absl::IsUnavailable(unread));
  EXPECT_THAT(std::string(unread.message()), HasSubstr("cannot read " + Path("none") + ": No such file"));
  EXPECT_TRUE(absl::IsUnavailable(ReadWholeFile(folder_.path()).status()));
  const absl::Status unwritten = WriteWholeFile(Path("none/file"), "x");
  EXPECT_THAT(std::string(unwritten.message()), HasSubstr("cannot write " + Path("none/file") + ": No such file"));
}

TEST_F(FilesTest, DoesNotWaitForAFifo) {
  ASSERT_EQ(mkfifo(Path("fifo").c_str(), 0600), 0);
  const absl::Status unread = ReadWholeFile(Path("fifo")).status();
  EXPECT_TRUE(absl::IsUnavailable(unread));
  EXPECT_THAT(std::string(unread.message()), HasSubstr("cannot read " + Path("fifo") + ": it is a FIFO"));
  EXPECT_EQ(ReadWholeFile("/dev/null").value(), "");
}

TEST_F(FilesTest, RefusesEndlessFiles) {
  for (const char* device : {"/dev/zero", "/dev/urandom", "/dev/tty"}) {
    const absl::Status unread = ReadWholeFile(device).status();
    EXPECT_TRUE(absl::IsUnavailable(unread)) << unread;
    EXPECT_THAT(std::string(unread.message()), HasSubstr(std::string("cannot read ") + device)) << unread;
  }
  ASSERT_TRUE(WriteWholeFile(Path("sparse"), "").ok());
  std::filesystem::resize_file(Path("sparse"), uintmax_t{1} << 40);
  for (const absl::Status& unread :
       {ReadWholeFile(Path("sparse"), 0, 1000).status(), ReadTextFile(Path("sparse")).status()}) {
    EXPECT_THAT(std::string(unread.message()), HasSubstr("it has more than"));
  }
  ASSERT_TRUE(WriteWholeFile(Path("file"), std::string(1000, 'x')).ok());
  EXPECT_TRUE(ReadWholeFile(Path("file"), 0, 1000).ok());
  EXPECT_TRUE(ReadWholeFile(Path("file"), 1, 999).ok());
  EXPECT_FALSE(ReadWholeFile(Path("file"), 0, 999).ok());
}

TEST_F(FilesTest, DropsAByteOrderMark) {
  ASSERT_TRUE(WriteWholeFile(Path("file"), "\xef\xbb\xbftext").ok());
  EXPECT_EQ(ReadTextFile(Path("file")).value(), "text");
  EXPECT_EQ(ReadWholeFile(Path("file")).value(), "\xef\xbb\xbftext");
}

TEST_F(FilesTest, TemporaryFoldersFollowTmpdir) {
  const char* before = getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  setenv("TMPDIR", folder_.path().c_str(), 1);
  EXPECT_EQ(std::filesystem::path(OwnedFolder::Temporary("x-")->path()).parent_path(), folder_.path());
  setenv("TMPDIR", "", 1);
  EXPECT_EQ(TemporaryParent(), "/tmp");
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", old.c_str(), 1);
}

class ExecutablesTest : public FilesTest {
 protected:
  ExecutablesTest() { setenv("PATH", (Path("a") + "::" + Path("b")).c_str(), 1); }
  ~ExecutablesTest() override { setenv("PATH", old_.c_str(), 1); }

  std::string Make(const std::string& name, mode_t mode) {
    const std::string path = Path(name);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    EXPECT_TRUE(WriteWholeFile(path, "#!/bin/sh\n").ok());
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
    return path;
  }

  const std::string old_ = getenv("PATH");
};

TEST_F(ExecutablesTest, SearchesPathInOrderThenMore) {
  EXPECT_EQ(FindOnPath("tool"), "");
  const std::string more = Make("c/tool", 0755);
  EXPECT_EQ(FindOnPath("tool", Path("c")), more);
  const std::string second = Make("b/tool", 0755);
  EXPECT_EQ(FindOnPath("tool", Path("c")), second);
  Make("a/tool", 0644);  // cannot be run
  EXPECT_EQ(FindOnPath("tool"), second);
  EXPECT_EQ(FindOnPath("tool"), FindProgram("tool").value());
  std::filesystem::remove(Path("a/tool"));
  std::filesystem::create_directory(Path("a/tool"));
  EXPECT_EQ(FindOnPath("tool"), second);
}

TEST_F(ExecutablesTest, PrefersTheProgramBesideThisOne) {
  const std::string own = ExecutablePath();
  const std::string name = own.substr(own.rfind('/') + 1);
  Make("a/" + name, 0755);
  EXPECT_EQ(FindProgram(name).value(), own);
  const absl::Status none = FindProgram("no-such-tool").status();
  EXPECT_TRUE(absl::IsNotFound(none));
  EXPECT_THAT(std::string(none.message()), HasSubstr("no-such-tool in " + ExecutableFolder()));
}

}  // namespace
}  // namespace mmtune
