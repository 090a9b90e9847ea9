#include "kernels/tools/output_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

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
    OutputFiles files;
    ASSERT_TRUE(files.Write(Path("a"), "new").ok());
    ASSERT_TRUE(files.Scratch(Path("a")).ok());
  }
  EXPECT_THAT(Names(), ElementsAre("a"));
  EXPECT_EQ(ReadInput(Path("a")).value(), "old");
}

TEST_F(OutputFilesTest, ScratchFilesGoAtTheCommit) {
  OutputFiles files;
  const std::string library = files.Reserve(Path("lib.so")).value();
  const std::string object = files.Scratch(Path("lib.so")).value();
  ASSERT_TRUE(files.Fill(object, "object").ok());
  ASSERT_TRUE(files.Fill(library, "library").ok());
  ASSERT_TRUE(files.Commit().ok());
  EXPECT_THAT(Names(), ElementsAre("lib.so"));
  EXPECT_EQ(ReadInput(Path("lib.so")).value(), "library");
}

TEST_F(OutputFilesTest, ASignalLeavesNothing) {
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

TEST_F(OutputFilesTest, WhatCannotBeWrittenOrReadIsSaid) {
  OutputFiles files;
  EXPECT_THAT(std::string(files.Write(Path("no/such/a"), "").message()), HasSubstr("No such file"));
  EXPECT_THAT(std::string(files.Write(folder_, "").message()), HasSubstr("it is a folder"));
  EXPECT_THAT(std::string(ReadInput(Path("none")).status().message()), HasSubstr("cannot read"));
  EXPECT_THAT(std::string(ReadInput(folder_).status().message()), HasSubstr("Is a directory"));
  EXPECT_THAT(Names(), IsEmpty());
}

}  // namespace
}  // namespace mmtune
