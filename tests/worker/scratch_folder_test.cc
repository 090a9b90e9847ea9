#include "worker/scratch_folder.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace mmtune {
namespace {

class ScratchFolderTest : public testing::Test {
 protected:
  ScratchFolderTest() { setenv("TMPDIR", base_.path().c_str(), 1); }
  ~ScratchFolderTest() override { unsetenv("TMPDIR"); }

  ScratchFolder base_ = ScratchFolder::Create().value();
};

TEST_F(ScratchFolderTest, LiesInTheFolderForTemporaryFiles) {
  ScratchFolder folder = ScratchFolder::Create().value();
  EXPECT_EQ(std::filesystem::path(folder.path()).parent_path(), base_.path());
}

TEST_F(ScratchFolderTest, WhatAKilledWorkerLeftIsRemovedAndALivingOnesStays) {
  const std::string stale = base_.path() + "/mmtune-worker-aaaaaa";
  std::filesystem::create_directories(stale);
  std::ofstream(stale + "/owner.lock");
  ScratchFolder folder = ScratchFolder::Create().value();
  ScratchFolder::RemoveStale();
  EXPECT_FALSE(std::filesystem::exists(stale));
  EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

}  // namespace
}  // namespace mmtune
