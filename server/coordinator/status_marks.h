// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks that a status carries as a payload, and a gRPC status in its details, to tell errors of one code apart.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"

namespace mmtune {

/// The tuning log failed, which undoes the whole batch. Any other error refuses one request only.
inline constexpr char kStorageFailure[] = "mmtune/storage-failure";

/// Marks an error as a failure of the tuning log.
inline absl::Status FromStorage(absl::Status status) {
  if (!status.ok()) status.SetPayload(kStorageFailure, absl::Cord());
  return status;
}

template <typename T>
absl::StatusOr<T> FromStorage(absl::StatusOr<T> result) {
  if (result.ok()) return result;
  return FromStorage(result.status());
}

inline bool IsStorageFailure(const absl::Status& status) {
  return !status.ok() && status.GetPayload(kStorageFailure).has_value();
}

/// The files of the tuning log were deleted or replaced: no retry helps.
inline constexpr char kLogLost[] = "mmtune/log-lost";

inline absl::Status MarkLogLost(absl::Status status) {
  status.SetPayload(kLogLost, absl::Cord());
  return status;
}

inline bool IsLogLost(const absl::Status& status) { return status.GetPayload(kLogLost).has_value(); }

/// The server has too much to do just now. Limits that a retry does not lift are RESOURCE_EXHAUSTED without this mark.
inline constexpr char kOverload[] = "mmtune/overload";

inline absl::Status Overloaded() {
  absl::Status status = absl::ResourceExhaustedError("the server is overloaded: try again later");
  status.SetPayload(kOverload, absl::Cord());
  return status;
}

inline bool IsOverload(const absl::Status& status) { return !status.ok() && status.GetPayload(kOverload).has_value(); }

}  // namespace mmtune
