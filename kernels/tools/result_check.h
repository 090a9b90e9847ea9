// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run gave: as text, and compared with a reference.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "kernels/model/model_runner.h"

namespace mmtune {

/// "memref<2x2xf32>  sum 10  min 1  max 4  sha256 0123456789ab  [1, 2, 3, 4]": the first elements, or all of them. NaNs
/// are counted and left out of sum, min and max.
absl::StatusOr<std::string> ValueText(const ModelValue& value, bool all_elements);

struct Difference {
  double max_abs = 0;           ///< Infinite when a NaN or an infinity stands on one side only.
  double relative = 0;          ///< max_abs by the largest finite magnitude of the reference.
  int64_t worst = 0;            ///< Index of the element that differs most.
  std::string value, expected;  ///< There; empty when nothing differs.
};

/// InvalidArgument when the two are of different sizes. Integers are compared exactly.
absl::StatusOr<Difference> Compare(const ModelValue& value, const ModelValue& reference);

/// Floating-point values: within `tolerance` of the largest magnitude. Others: equal.
bool Accepts(const Difference& difference, const ModelType& type, double tolerance);

}  // namespace mmtune
