// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/fuzz_targets.h"

#include <cstdio>
#include <cstdlib>

namespace mmtune {

const std::vector<FuzzTarget>& FuzzTargets() {
  static const auto* targets = new std::vector<FuzzTarget>{
      {"jsonl", FuzzJsonl},
      {"tuning_spec", FuzzTuningSpec},
      {"config", FuzzConfig},
      {"lock_file", FuzzLockFile},
      {"schedule", FuzzSchedule},
      {"landscape", FuzzLandscape},
      {"compile_options", FuzzCompileOptions},
      {"ptx", FuzzPtx},
      {"certificates", FuzzCertificates},
      {"service", FuzzService},
  };
  return *targets;
}

void Promise(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace mmtune
