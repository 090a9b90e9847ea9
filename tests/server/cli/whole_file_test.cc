#include "server/cli/whole_file.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;

class WholeFileTest : public testing::Test {
 protected:
  WholeFileTest() : folder_(testing::TempDir() + "/whole-file-XXXXXX") { EXPECT_NE(mkdtemp(folder_.data()), nullptr); }
  ~WholeFileTest() override { fs::remove_all(folder_); }

  static std::string Read(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  size_t Files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  std::string folder_;
};

absl::Status WriteText(std::ostream& out) {
  out << "text";
  return absl::OkStatus();
}

TEST_F(WholeFileTest, IsWrittenAndReplacesWhatWasThere) {
  const std::string file = folder_ + "/file";
  std::ofstream(file) << "something longer";
  ASSERT_TRUE(WriteWholeFile(file, WriteText).ok());
  EXPECT_EQ(Read(file), "text");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(WholeFileTest, AnErrorHalfWayLeavesWhatWasThere) {
  const std::string file = folder_ + "/file";
  std::ofstream(file) << "before";
  const absl::Status status = WriteWholeFile(file, [](std::ostream& out) {
    out << "half";
    return Internal("it broke");
  });
  EXPECT_TRUE(absl::IsInternal(status));
  EXPECT_EQ(Read(file), "before");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(WholeFileTest, WhatCannotBeWrittenIsNamed) {
  for (const std::string& file : {folder_ + "/nowhere/file", folder_}) {
    const absl::Status status = WriteWholeFile(file, WriteText);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << file;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("cannot write " + file));
  }
  EXPECT_EQ(Files(), 0u);
}

}  // namespace
}  // namespace mmtune
