// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/types/measure_options.h"

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr double kMaxBudgetSeconds = 3600;

}  // namespace

double DefaultBudgetSeconds(DeviceKind kind) { return kind == DeviceKind::kCuda ? 0.3 : 1; }

MeasureOptions MeasureOptions::For(DeviceKind kind) const {
  MeasureOptions resolved = *this;
  if (resolved.budget_seconds == 0) resolved.budget_seconds = DefaultBudgetSeconds(kind);
  return resolved;
}

absl::Status MeasureOptions::Validate() const {
  if (!(precision > 0 && precision < 1)) {  // NaN fails, too
    return InvalidArgument(absl::StrCat("precision is ", precision, ": give more than 0 and less than 1"));
  }
  if (budget_seconds >= 0 && budget_seconds <= kMaxBudgetSeconds) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("budget_seconds is ", budget_seconds, ": give 0 to ", kMaxBudgetSeconds));
}

}  // namespace mmtune
