// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "tests/gpu/road/faulty_children.h"

int main(int argc, char** argv) {
  if (std::optional<mmtune::ChildRole> role = mmtune::FindChildRole(argc, argv)) {
    return mmtune::ServeChild(*role, mmtune::FaultyKernelChildParts());
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
