// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main() of the GoogleTest programs. A program whose tests were all skipped exits with 77, which CTest reports as
// skipped; GoogleTest's own main() exits with 0, which CTest would report as passed.
#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  const bool all_skipped = tests.skipped_test_count() > 0 && tests.successful_test_count() == 0;
  return result == 0 && all_skipped ? 77 : result;
}
