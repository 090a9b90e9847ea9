// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "search/stop_condition.h"

#include "absl/strings/str_cat.h"

namespace mmtune {

std::optional<std::string> StopReason(const StopLimits& limits, const SearchProgress& progress) {
  if (limits.trials > 0 && progress.proposed >= limits.trials) {
    return absl::StrCat(limits.trials, limits.trials == 1 ? " trial" : " trials");
  }
  if (limits.seconds > 0 && progress.seconds >= limits.seconds) return absl::StrCat(limits.seconds, " s");
  return std::nullopt;
}

}  // namespace mmtune
