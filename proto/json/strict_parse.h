// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON text of unknown origin as a value.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "proto/json/json_tree.h"

namespace mmtune {

/// InvalidArgument when it is not JSON, is nested deeper than `max_depth` objects and arrays, or has an object that
/// names a field twice. The caller limits the size, to less than 4 GiB in any case.
absl::StatusOr<JsonTree> ParseStrictJson(std::string_view text, int max_depth);

}  // namespace mmtune
