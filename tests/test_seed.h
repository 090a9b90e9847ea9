// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeds of randomised tests, and how much of a long sweep is tried. For all tests alike, from the environment:
//
//   MMTUNE_TEST_SEED=N    draws with this seed instead of the test's own; each test prints the one it used
//   MMTUNE_TEST_COUNT=N   so many draws instead of the test's own number
//   MMTUNE_TEST_WHOLE=1   whole sweeps, not samples of them: long rather than quick
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace mmtune {

/// MMTUNE_TEST_SEED, or else `usual`; printed, once in a row.
inline uint64_t TestSeed(uint64_t usual) {
  const char* given = std::getenv("MMTUNE_TEST_SEED");
  const uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : usual;
  const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string line = test == nullptr
                               ? absl::StrCat("MMTUNE_TEST_SEED=", seed)
                               : absl::StrCat(test->test_suite_name(), ".", test->name(), ": MMTUNE_TEST_SEED=", seed);
  static std::string last;
  if (line != last) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);  // or a child would print it again
  }
  last = line;
  return seed;
}

/// Like TestSeed, but new in every process, for tests that have to pass with any seed.
inline uint64_t FreshTestSeed() { return TestSeed(std::random_device{}() % 1000000); }

inline bool WholeSweeps() {
  const char* whole = std::getenv("MMTUNE_TEST_WHOLE");
  return whole != nullptr && std::string(whole) != "0";
}

/// How many draws: MMTUNE_TEST_COUNT, else `whole` or `sample`.
inline uint64_t TestCount(uint64_t sample, uint64_t whole) {
  const char* given = std::getenv("MMTUNE_TEST_COUNT");
  if (given != nullptr) return std::strtoull(given, nullptr, 10);
  return WholeSweeps() ? whole : sample;
}

}  // namespace mmtune
