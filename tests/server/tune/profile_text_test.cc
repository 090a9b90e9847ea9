// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/profile_command.h"

#include <gmock/gmock.h>

namespace mmtune {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

KernelProfile Profile() {
  KernelProfile profile;
  profile.arch = "sm_90";
  profile.bounds.bound = "latency";
  profile.occupancy.shared_bytes = 1024;
  profile.loop.emplace();
  profile.loop->instructions = 10;
  profile.loop->multiply_adds = 32;
  profile.loop->wavefronts = 6;
  profile.counters.emplace();
  profile.counters->run = {"64x64x64"};
  return profile;
}

TEST(ProfileText, WhatIsNotCountedHasNoNumber) {
  KernelProfile profile = Profile();
  std::string text = ProfileText({}, profile);
  EXPECT_THAT(text, HasSubstr(" B read per multiply-add, 6.0 wavefronts\n"));
  EXPECT_THAT(text, HasSubstr("\n\ncounted on the SIMT device at 64x64x64\nno GPU has run this"));
  profile.counters.reset();
  text = ProfileText({}, profile);
  EXPECT_THAT(text, HasSubstr(" B read per multiply-add, wavefronts not counted\n"));
  EXPECT_THAT(text, HasSubstr("\n\nno GPU has run this"));
}

TEST(ProfileText, CountersOfWholeTilesAreMarked) {
  KernelProfile profile = Profile();
  EXPECT_THAT(ProfileText({}, profile), Not(HasSubstr("whole tiles")));
  profile.counters->whole_tiles = true;
  EXPECT_THAT(ProfileText({}, profile), HasSubstr("\ncounted with whole tiles in place of stream-k's shares: "));
}

TEST(ProfileText, WavefrontsOfAKernelWithoutSharedMemoryAreOfL1) {
  KernelProfile profile = Profile();
  EXPECT_THAT(ProfileText({}, profile), ContainsRegex("\n  shared memory +0[.]00 "));
  profile.occupancy.shared_bytes = 0;
  EXPECT_THAT(ProfileText({}, profile), ContainsRegex("\n  L1 +0[.]00 "));
}

}  // namespace
}  // namespace mmtune
