// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/output_file.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/base/status.h"
#include "tests/temp_folder.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  static std::string Read(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  size_t Files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const TempFolder temporary_;
  const std::string& folder_ = temporary_.path();
};

absl::Status WriteText(std::ostream& out) {
  out << "text";
  return absl::OkStatus();
}

TEST_F(OutputFileTest, ReplacesExistingFilesOnlyWhenForced) {
  const std::string file = folder_ + "/file";
  std::ofstream(file) << "something longer";
  const absl::Status status = WriteOutput(file, /*force=*/false, WriteText);
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("--force"));
  EXPECT_EQ(Read(file), "something longer");
  ASSERT_TRUE(WriteOutput(file, /*force=*/true, WriteText).ok());
  EXPECT_EQ(Read(file), "text");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(OutputFileTest, KeepsTheModeOfTheReplacedFile) {
  const std::string file = folder_ + "/file";
  std::ofstream(file) << "before";
  for (const mode_t mode : {0600, 0640, 0444}) {
    ASSERT_EQ(chmod(file.c_str(), mode), 0);
    ASSERT_TRUE(WriteOutput(file, /*force=*/true, WriteText).ok());
    struct stat info;
    ASSERT_EQ(stat(file.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777, mode);
    EXPECT_EQ(Read(file), "text");
  }
}

TEST_F(OutputFileTest, FailedWriteKeepsTheOldFile) {
  const std::string file = folder_ + "/file";
  std::ofstream(file) << "before";
  const absl::Status status = WriteOutput(file, /*force=*/true, [](std::ostream& out) {
    out << "half";
    return Internal("it broke");
  });
  EXPECT_TRUE(absl::IsInternal(status));
  EXPECT_EQ(Read(file), "before");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(OutputFileTest, FailedSyncKeepsTheOldFile) {
  const std::string file = folder_ + "/file";
  std::ofstream(file) << "before";
  struct rlimit old;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
  const absl::Status status = WriteOutput(file, /*force=*/true, [&old](std::ostream& out) {
    out << "after";
    struct rlimit none = {0, old.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
    return absl::OkStatus();
  });
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(Read(file), "before");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(OutputFileTest, DoesNotReplaceAFileThatAppearedMeanwhile) {
  const std::string file = folder_ + "/file";
  const absl::Status status = WriteOutput(file, /*force=*/false, [&file](std::ostream& out) {
    std::ofstream(file) << "another's";
    return WriteText(out);
  });
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_EQ(Read(file), "another's");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(OutputFileTest, WritesAllFilesOrNone) {
  const std::string first = folder_ + "/first", second = folder_ + "/second";
  const auto write = [&](bool force, const std::function<absl::Status(std::ostream&)>& last) {
    return WriteOutputs({{first, /*secret=*/true, WriteText}, {second, /*secret=*/false, last}}, force);
  };
  // A folder that appears at the second place: only its rename can fail.
  const auto in_the_way = [&](std::ostream& out) {
    fs::remove(second);
    fs::create_directory(second);
    return WriteText(out);
  };
  EXPECT_TRUE(absl::IsInvalidArgument(write(/*force=*/false, in_the_way)));
  EXPECT_EQ(Files(), 1u) << "something is left beside the folder";
  fs::remove(second);
  std::ofstream(first) << "before";
  std::ofstream(second) << "before";
  EXPECT_TRUE(absl::IsInvalidArgument(write(/*force=*/true, in_the_way)));
  EXPECT_EQ(Read(first), "before");
  EXPECT_EQ(Files(), 2u);
  fs::remove(second);
  EXPECT_TRUE(absl::IsInternal(write(/*force=*/true, [](std::ostream&) { return Internal("it broke"); })));
  EXPECT_EQ(Read(first), "before");
  ASSERT_TRUE(write(/*force=*/true, WriteText).ok());
  EXPECT_EQ(Read(first) + Read(second), "texttext");
  EXPECT_EQ(Files(), 2u);
  // Two of one name would leave one.
  fs::remove(second);
  fs::create_symlink(first, second);
  EXPECT_TRUE(absl::IsInvalidArgument(write(/*force=*/true, WriteText)));
}

TEST_F(OutputFileTest, NeverReplacesATuningLogOrItsFiles) {
  std::string header("SQLite format 3\0", 16);
  header.resize(100);
  header.replace(68, 4, "MMTL");
  const std::string log = folder_ + "/b.db";
  std::ofstream(log) << header;
  fs::create_hard_link(log, folder_ + "/other-name");
  fs::create_symlink("b.db", folder_ + "/link");
  fs::create_symlink("b.db-wal", folder_ + "/link-to-wal");
  for (const char* name :
       {"b.db", "other-name", "link", "link-to-wal", "b.db-wal", "b.db-shm", "b.db-journal", "b.db.lock"}) {
    for (bool force : {false, true}) {
      const absl::Status status = WriteOutput(folder_ + "/" + name, force, WriteText);
      EXPECT_TRUE(absl::IsInvalidArgument(status)) << name;
      EXPECT_THAT(std::string(status.message()), testing::HasSubstr("tuning log")) << name;
    }
  }
  EXPECT_EQ(Read(log), header);
  EXPECT_EQ(Files(), 4u);
  EXPECT_TRUE(WriteOutput(folder_ + "/c.db.lock", /*force=*/false, WriteText).ok()) << "of no log";
}

TEST_F(OutputFileTest, RefusesDevicesAndWritesToPipes) {
  fs::create_symlink("/dev/full", folder_ + "/full");
  for (const std::string& file : {std::string("/dev/full"), std::string("/dev/null"), folder_ + "/full"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(WriteOutput(file, /*force=*/true, WriteText))) << file;
    EXPECT_TRUE(fs::is_character_file(file)) << file;
  }
  const std::string pipe = folder_ + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = Read(pipe); });
  EXPECT_TRUE(WriteOutput(pipe, /*force=*/false, WriteText).ok());
  reader.join();
  EXPECT_EQ(received, "text");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(OutputFileTest, ErrorNamesTheFile) {
  for (const std::string& file : {folder_ + "/nowhere/file", folder_}) {
    const absl::Status status = WriteOutput(file, /*force=*/true, WriteText);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << file;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("cannot write " + file));
  }
  EXPECT_EQ(Files(), 0u);
}

}  // namespace
}  // namespace mmtune
