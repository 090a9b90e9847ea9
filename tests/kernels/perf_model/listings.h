// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code for tests.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "kernels/perf_model/profile/sass.h"

namespace mmtune {

/// fma bm=bn=32 bk=4 tm=tn=4 stages=2 of 64 threads, 64x64x256 ("fma_sm_80", "fma_sm_90"); mma bm=bn=32 bk=32 wm=wn=16
/// stages=3 of 128 threads, f16, 64x64x256 ("mma_sm_80").
inline std::string ListingText(const std::string& name) {
  std::ifstream file(absl::StrCat(LISTINGS, "/", name, ".sass"));
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline SassListing Listing(const std::string& name) {
  absl::StatusOr<SassListing> listing = ParseSass(ListingText(name));
  EXPECT_TRUE(listing.ok()) << listing.status();
  return listing.ok() ? *std::move(listing) : SassListing();
}

/// Makes an instruction of its parts.
inline SassInstruction Instruction(std::string opcode, std::vector<std::string> operands, SassControl control) {
  SassInstruction instruction;
  instruction.opcode = std::move(opcode);
  instruction.operands = std::move(operands);
  instruction.control = control;
  return instruction;
}

}  // namespace mmtune
