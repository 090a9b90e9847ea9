// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One question to a worker process that ends with its answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// Runs mmtune-worker with these flags and --answer FILE: the text of its answer, or nullopt when the user wanted to
/// stop. Notes of the worker are printed as they come. Errors carry the exit code: kUsage, kDevice, or kNoResult for
/// any other.
absl::StatusOr<std::optional<std::string>> AskWorker(std::vector<std::string> flags, const Console& console);

}  // namespace mmtune
