// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distinguishes a failure of the tuning log, which undoes the whole batch, from a refused request, which only concerns
// its caller.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"

namespace mmtune {

inline constexpr char kStorageFailure[] = "mmtune/storage-failure";

/// Marks an error as the log's.
inline absl::Status FromStorage(absl::Status status) {
  if (!status.ok()) status.SetPayload(kStorageFailure, absl::Cord());
  return status;
}

template <typename T>
absl::StatusOr<T> FromStorage(absl::StatusOr<T> result) {
  if (result.ok()) return result;
  return FromStorage(result.status());
}

inline constexpr char kLogLost[] = "mmtune/log-lost";

/// Marks an error as final: the files of the log were deleted or replaced.
inline absl::Status MarkLogLost(absl::Status status) {
  status.SetPayload(kLogLost, absl::Cord());
  return status;
}

inline bool IsLogLost(const absl::Status& status) { return status.GetPayload(kLogLost).has_value(); }

inline bool IsStorageFailure(const absl::Status& status) {
  return !status.ok() && status.GetPayload(kStorageFailure).has_value();
}

}  // namespace mmtune
