// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a compiled module and records everything that its caller can see.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// The observations of a run: after each call all memory that arguments lie in, the results with their shapes and what
/// they are the same as, and the globals.
struct Observation {
  struct Part {
    std::string name;
    std::vector<uint32_t> words;
  };
  std::vector<Part> parts;
  std::vector<size_t> leaked;  ///< Host allocations that a call left, by call.
};

/// Links the object, calls each entry several times with arguments made from `seed`, and unloads it. An error when the
/// device or the host's heap was misused, or when what the module made on the device was not destroyed exactly once.
absl::StatusOr<Observation> RunModule(std::string_view object, uint64_t seed);

/// The first difference that matters, in words; empty when there is none. Any two NaNs are the same, and `actual` may
/// leak less.
std::string Difference(const Observation& expected, const Observation& actual);

}  // namespace mmtune
