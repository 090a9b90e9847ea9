// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/user_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
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

TEST_F(UserFolderTest, IsTheVariablesOrBelowTheHome) {
  EXPECT_EQ(UserFolder(kVariable, ".local/x").value(), home_ + "/.local/x/mmtune");
  setenv(kVariable, "relative", 1);
  EXPECT_EQ(UserFolder(kVariable, ".local/x").value(), home_ + "/.local/x/mmtune");
  setenv(kVariable, "/elsewhere", 1);
  EXPECT_EQ(UserFolder(kVariable, ".local/x").value(), "/elsewhere/mmtune");
  EXPECT_TRUE(std::filesystem::is_empty(home_));
}

TEST_F(UserFolderTest, AHomeThatIsNotThereIsNoPlace) {
  const std::string none = home_ + "/none";
  setenv("HOME", none.c_str(), 1);
  EXPECT_THAT(std::string(UserFolder(kVariable, ".local/x").status().message()), testing::HasSubstr(none));
  unsetenv("HOME");
  EXPECT_EQ(UserFolder(kVariable, ".local/x").status().message(), "HOME is not set");
}

}  // namespace
}  // namespace mmtune
