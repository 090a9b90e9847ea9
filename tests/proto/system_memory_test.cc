// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/system_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace mmtune {
namespace {

TEST(SystemMemoryTest, WhatIsAvailableIsAPartOfWhatTheMachineHas) {
  const std::optional<int64_t> available = AvailableMemoryBytes();
  ASSERT_TRUE(available.has_value());
  EXPECT_GT(*available, 0);
  EXPECT_LE(*available, int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGE_SIZE));
}

TEST(SystemMemoryTest, AGroupWithALimitUsesSome) {
  const std::optional<GroupMemory> group = MemoryOfGroup();
  if (!group) GTEST_SKIP() << "no limit is on this group of processes";
  EXPECT_GT(group->limit_bytes, 0);
  EXPECT_GT(group->used_bytes, 0);
}

}  // namespace
}  // namespace mmtune
