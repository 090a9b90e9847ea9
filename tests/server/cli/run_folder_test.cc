#include "server/cli/run_folder.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "gtest/gtest.h"

namespace mmtune {
namespace {

namespace fs = std::filesystem;

class RunFolderTest : public testing::Test {
 protected:
  RunFolderTest() : parent_("/tmp/mmtune-test-XXXXXX") {
    EXPECT_NE(mkdtemp(parent_.data()), nullptr);
    if (const char* before = getenv("XDG_RUNTIME_DIR")) before_ = before;
    setenv("XDG_RUNTIME_DIR", parent_.c_str(), 1);
  }
  ~RunFolderTest() override {
    before_ ? setenv("XDG_RUNTIME_DIR", before_->c_str(), 1) : unsetenv("XDG_RUNTIME_DIR");
    fs::remove_all(parent_);
  }

  // As a killed owner leaves it: nobody holds the lock.
  fs::path MakeStale(const std::string& name) {
    const fs::path folder = fs::path(parent_) / name;
    fs::create_directories(folder / "scratch");
    std::ofstream(folder / "owner");
    std::ofstream(folder / "scratch" / "kernel.cubin");
    return folder;
  }

  std::string parent_;
  std::optional<std::string> before_;
};

TEST_F(RunFolderTest, GoesWithItsOwner) {
  std::string path;
  {
    auto folder = RunFolder::Create();
    ASSERT_TRUE(folder.ok()) << folder.status();
    path = folder->path();
    EXPECT_EQ(fs::path(path).parent_path(), parent_);
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    std::optional<RunFolder> moved = *std::move(folder);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(RunFolderTest, SweepsWhatAKilledOwnerLeft) {
  const fs::path stale = MakeStale("mmtune-AbCd12");
  auto folder = RunFolder::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_FALSE(fs::exists(stale));
}

TEST_F(RunFolderTest, NeverSweepsALiveOnes) {
  auto live = RunFolder::Create();
  ASSERT_TRUE(live.ok()) << live.status();
  auto other = RunFolder::Create();
  ASSERT_TRUE(other.ok()) << other.status();
  EXPECT_TRUE(fs::exists(live->path()));
  EXPECT_NE(live->path(), other->path());
}

TEST_F(RunFolderTest, LeavesOthersFoldersAlone) {
  const fs::path worker = MakeStale("mmtune-worker-AbCd12");
  const fs::path unmarked = MakeStale("mmtune-XyZ789");
  fs::remove(unmarked / "owner");
  const fs::path target = MakeStale("elsewhere");
  const fs::path link = fs::path(parent_) / "mmtune-Link00";
  fs::create_directory_symlink(target, link);
  ASSERT_TRUE(RunFolder::Create().ok());
  EXPECT_TRUE(fs::exists(worker));
  EXPECT_TRUE(fs::exists(unmarked));
  EXPECT_TRUE(fs::exists(target / "owner"));
  EXPECT_TRUE(fs::is_symlink(link));
}

}  // namespace
}  // namespace mmtune
