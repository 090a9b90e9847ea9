// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which command lines are a child's.
#include "worker/children/child_server.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mmtune {
namespace {

std::optional<ChildRole> RoleOf(std::vector<std::string> words) {
  words.insert(words.begin(), "mmtune-worker");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  return FindChildRole(static_cast<int>(argv.size()), argv.data());
}

TEST(FindChildRoleTest, ReadsWhatTheDaemonWrites) {
  const std::optional<ChildRole> bare = RoleOf({"--child-role", "compile", "--child-fd", "7"});
  ASSERT_TRUE(bare.has_value());
  EXPECT_EQ(bare->role, "compile");
  EXPECT_EQ(bare->fd, 7);
  EXPECT_EQ(bare->device + bare->arch + bare->proofs, "");
  const std::optional<ChildRole> whole = RoleOf({"--child-role", "measure", "--child-fd", "3", "--child-device",
                                                 "cuda:1", "--child-arch", "sm_90", "--child-proofs", "/proofs"});
  ASSERT_TRUE(whole.has_value());
  EXPECT_EQ(whole->role, "measure");
  EXPECT_EQ(whole->device, "cuda:1");
  EXPECT_EQ(whole->arch, "sm_90");
  EXPECT_EQ(whole->proofs, "/proofs");
}

TEST(FindChildRoleTest, WhatPeopleWriteIsNoRole) {
  EXPECT_FALSE(RoleOf({}));
  EXPECT_FALSE(RoleOf({"--child-role", "compile", "--child-fd"}));
  for (const char* other : {"--arch", "--server"}) {  // before and after it in the alphabet
    EXPECT_FALSE(RoleOf({other, "compile", "--child-fd", "7"})) << other;
    EXPECT_FALSE(RoleOf({"--child-role", "compile", other, "7"})) << other;
  }
}

}  // namespace
}  // namespace mmtune
