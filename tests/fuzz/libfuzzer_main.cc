// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The entry points of libFuzzer. MMTUNE_FUZZ_TARGET names the target.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/fuzz_targets.h"

namespace {

const mmtune::FuzzTarget* g_target = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* const name = std::getenv("MMTUNE_FUZZ_TARGET");
  for (const mmtune::FuzzTarget& target : mmtune::FuzzTargets()) {
    if (name != nullptr && target.name == name) g_target = &target;
  }
  if (g_target != nullptr) return 0;
  std::fprintf(stderr, "fuzz_targets: set MMTUNE_FUZZ_TARGET to one of:");
  for (const mmtune::FuzzTarget& target : mmtune::FuzzTargets()) {
    std::fprintf(stderr, " %.*s", static_cast<int>(target.name.size()), target.name.data());
  }
  std::fprintf(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  g_target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
