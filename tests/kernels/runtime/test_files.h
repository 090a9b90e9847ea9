// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects built beside the tests, and data beside their sources.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace mmtune {

inline std::string ReadFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Where a file or folder of the sources is: at `path`, or by its name in $MMTUNE_TEST_DATA, for tests that are carried
/// to other machines.
inline std::string TestDataPath(const std::string& path) {
  const char* folder = std::getenv("MMTUNE_TEST_DATA");
  return folder == nullptr ? path : folder + path.substr(path.rfind('/'));
}

}  // namespace mmtune
