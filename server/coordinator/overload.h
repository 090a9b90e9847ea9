// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells a server that has too much to do just now from a limit that trying again does not lift: both are
// RESOURCE_EXHAUSTED.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/cord.h"

namespace mmtune {

/// Marks the status, as a payload, and as the details of a gRPC status.
inline constexpr char kOverload[] = "mmtune/overload";

inline absl::Status Overloaded() {
  absl::Status status = absl::ResourceExhaustedError("the server is overloaded: try again later");
  status.SetPayload(kOverload, absl::Cord());
  return status;
}

inline bool IsOverload(const absl::Status& status) { return !status.ok() && status.GetPayload(kOverload).has_value(); }

}  // namespace mmtune
