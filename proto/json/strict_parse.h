// JSON text of unknown origin as a value.
#pragma once

#include <string_view>

#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"

namespace mmtune {

/// InvalidArgument when it is not JSON, is nested deeper than `max_depth` objects and arrays, or has an object that
/// names a field twice. The caller limits the size.
absl::StatusOr<nlohmann::json> ParseStrictJson(std::string_view text, int max_depth);

}  // namespace mmtune
