// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/tools/output_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace mmtune {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OutputFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "output_files_test." + std::to_string(getpid());
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  std::string folder_;
};

TEST_F(OutputFilesTest, FilesAppearTogetherAtTheCommit) {
  OutputFiles files;
  ASSERT_TRUE(files.Write(Path("a"), "first").ok());
  ASSERT_TRUE(files.Write(Path("b"), "second").ok());
  EXPECT_FALSE(fs::exists(Path("a")));
  ASSERT_TRUE(files.Commit().ok());
  EXPECT_THAT(Names(), ElementsAre("a", "b"));
  EXPECT_EQ(ReadInput(Path("b")).value(), "second");
}

TEST_F(OutputFilesTest, WithoutACommitTheOldFileStays) {
  std::ofstream(Path("a")) << "old";
  {
    OutputFiles files(/*force=*/true);
    ASSERT_TRUE(files.Write(Path("a"), "new").ok());
    ASSERT_TRUE(files.Scratch(Path("a")).ok());
  }
  EXPECT_THAT(Names(), ElementsAre("a"));
  EXPECT_EQ(ReadInput(Path("a")).value(), "old");
}

TEST_F(OutputFilesTest, CommitRemovesScratchFiles) {
  OutputFiles files;
  const std::string library = files.Reserve(Path("lib.so")).value();
  const std::string object = files.Scratch(Path("lib.so")).value();
  ASSERT_TRUE(files.Fill(object, "object").ok());
  ASSERT_TRUE(files.Fill(library, "library").ok());
  ASSERT_TRUE(files.Commit().ok());
  EXPECT_THAT(Names(), ElementsAre("lib.so"));
  EXPECT_EQ(ReadInput(Path("lib.so")).value(), "library");
}

TEST_F(OutputFilesTest, SymbolicLinksAreFollowed) {
  fs::create_directory(Path("there"));
  std::ofstream(Path("there/old")) << "old";
  fs::create_symlink("there/old", Path("link"));
  fs::create_symlink("there/new", Path("dangling"));
  OutputFiles files(/*force=*/true);
  ASSERT_TRUE(files.Write(Path("link"), "first").ok());
  ASSERT_TRUE(files.Write(Path("dangling"), "second").ok());
  ASSERT_TRUE(files.Commit().ok());
  EXPECT_TRUE(fs::is_symlink(Path("link")) && fs::is_symlink(Path("dangling")));
  EXPECT_EQ(ReadInput(Path("there/old")).value(), "first");
  EXPECT_EQ(ReadInput(Path("there/new")).value(), "second");
  EXPECT_THAT(Names(), ElementsAre("dangling", "link", "there"));
}

TEST_F(OutputFilesTest, WritesPipesAndDevicesInPlace) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = ReadInput(Path("pipe")).value_or("nothing"); });
  OutputFiles files;
  ASSERT_TRUE(files.Write(Path("pipe"), "content").ok());
  EXPECT_TRUE(files.Commit().ok());
  reader.join();
  EXPECT_EQ(received, "content");
  EXPECT_TRUE(fs::is_fifo(Path("pipe")));
  EXPECT_THAT(Names(), ElementsAre("pipe"));
}

TEST_F(OutputFilesTest, RefusesUnwritablePathsBeforeCommit) {
  std::ofstream(Path("a")) << "old";
  fs::create_symlink("/dev/full", Path("full"));
  OutputFiles files;
  EXPECT_THAT(std::string(files.Write(Path("a"), "new").message()), HasSubstr("--force"));
  EXPECT_THAT(std::string(files.Reserve(Path("full")).status().message()), HasSubstr("neither a regular file"));
  EXPECT_TRUE(files.Commit().ok());
  EXPECT_EQ(ReadInput(Path("a")).value(), "old");
}

TEST_F(OutputFilesTest, RejectsOutputsWithTheSamePath) {
  fs::create_symlink("a", Path("link"));
  EXPECT_TRUE(CheckDistinct({{"one", Path("a")}, {"two", Path("b")}, {"three", "-"}}).ok());
  EXPECT_TRUE(CheckDistinct({{"one", "/dev/null"}, {"two", "/dev/null"}}).ok());
  for (const std::string& same : {Path("a"), Path("./a"), Path("link")}) {
    const std::string message(CheckDistinct({{"one", Path("a")}, {"two", same}}).message());
    EXPECT_EQ(message, "one and two would both be written to " + same);
  }
  EXPECT_FALSE(CheckDistinct({{"one", "none.so"}, {"two", "./none.so"}}).ok());
  EXPECT_THAT(std::string(CheckDistinct({{"one", "-"}, {"two", "-"}}).message()),
              HasSubstr("would both be written to standard output"));
}

TEST_F(OutputFilesTest, SignalRemovesTemporaries) {
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    const pid_t child = fork();
    if (child == 0) {
      OutputFiles files;
      const bool written = files.Write(Path("a"), "new").ok() && files.Scratch(Path("b")).ok();
      if (written) raise(number);
      _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << status;
    EXPECT_THAT(Names(), IsEmpty());
  }
}

TEST_F(OutputFilesTest, ReportsUnwritableAndUnreadablePaths) {
  OutputFiles files;
  EXPECT_THAT(std::string(files.Write(Path("no/such/a"), "").message()), HasSubstr("No such file"));
  EXPECT_THAT(std::string(files.Write(folder_, "").message()), HasSubstr("it is a folder"));
  EXPECT_THAT(std::string(ReadInput(Path("none")).status().message()), HasSubstr("cannot read"));
  EXPECT_THAT(std::string(ReadInput(folder_).status().message()), HasSubstr("Is a directory"));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(OutputFilesTest, RefusesEndlessInput) {
  EXPECT_THAT(std::string(ReadInput("/dev/zero").status().message()), HasSubstr("/dev/zero: it is a device"));
  EXPECT_EQ(ReadInput("/dev/null").value(), "");
  std::ofstream(Path("a")) << "12345";
  EXPECT_EQ(ReadInput(Path("a"), 5).value(), "12345");
  EXPECT_THAT(std::string(ReadInput(Path("a"), 4).status().message()), HasSubstr("more than 4 bytes"));
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  const int both = open(Path("pipe").c_str(), O_RDWR | O_CLOEXEC);  // so that it never ends
  ASSERT_EQ(write(both, "12345", 5), 5);
  EXPECT_THAT(std::string(ReadInput(Path("pipe"), 4).status().message()), HasSubstr("more than 4 bytes"));
  close(both);
}

}  // namespace
}  // namespace mmtune
