// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/kernels/fuzz/module_generator.h"

#include <regex>
#include <utility>
#include <vector>

#include "tests/kernels/fuzz/function_generator.h"

namespace mmtune {
namespace {

constexpr char kGlobals[] =
    "  memref.global @state : memref<32xf32>\n"
    "  memref.global @grid : memref<4x8xf32>\n"
    "  memref.global \"private\" constant @table : memref<32xf32> = dense<3.0>\n";

FunctionInfo RandomHelper(RandomSource& random, size_t number) {
  static const auto* parameters = new std::vector<std::string>{kDense32, kDynamic, kDense4x8, kAny1, kAny2};
  static const auto* results = new std::vector<std::string>{kDense32, kDense32, kDynamic};
  FunctionInfo info;
  info.name = "helper" + std::to_string(number);
  info.takes_one_at_a_time = random.Percent(50);
  for (size_t i = random.Below(4); i > 0; --i) info.parameters.push_back(random.Of(*parameters));
  for (size_t i = random.Below(3); i > 0; --i) info.results.push_back(random.Of(*results));
  return info;
}

FunctionInfo Entry(int number) {
  FunctionInfo info;
  info.name = "entry" + std::to_string(number);
  info.parameters = {kDense32, kDynamic, kPitched4x8, kAny2, kEverySecond};
  info.results = {kDense32, kDense32, kDynamic, kAny2};
  return info;
}

}  // namespace

std::string GenerateModule(uint64_t seed) {
  RandomSource random(seed);
  std::vector<FunctionInfo> functions;  // Those that others call.
  std::string text = kGlobals;
  for (size_t i = 0, helpers = 1 + random.Below(3); i < helpers; ++i) {
    FunctionInfo info = RandomHelper(random, i);
    text += FunctionGenerator(random, functions, info, /*is_entry=*/false).Generate();
    functions.push_back(std::move(info));
  }
  for (int i = 0; i < kEntries; ++i) {
    FunctionInfo info = Entry(i);
    text += FunctionGenerator(random, functions, info, /*is_entry=*/true).Generate();
  }
  return text;
}

std::string OnHost(const std::string& module) {
  static const auto* memory = new std::regex("gpu\\.(alloc|dealloc)");
  static const auto* copy = new std::regex("gpu\\.memcpy (\\S+), (\\S+) : (memref<.*>), (memref<.*>)");
  return std::regex_replace(std::regex_replace(module, *memory, "memref.$1"), *copy, "memref.copy $2, $1 : $4 to $3");
}

}  // namespace mmtune
