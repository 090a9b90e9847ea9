// Objects built beside the tests.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace mmtune {

inline std::string ReadFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace mmtune
