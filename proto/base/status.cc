// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/status.h"

#include "absl/strings/str_cat.h"

namespace mmtune {

absl::Status InvalidArgument(std::string_view message) { return absl::InvalidArgumentError(ToAbsl(message)); }
absl::Status NotFound(std::string_view message) { return absl::NotFoundError(ToAbsl(message)); }
absl::Status FailedPrecondition(std::string_view message) { return absl::FailedPreconditionError(ToAbsl(message)); }
absl::Status ResourceExhausted(std::string_view message) { return absl::ResourceExhaustedError(ToAbsl(message)); }
absl::Status Unavailable(std::string_view message) { return absl::UnavailableError(ToAbsl(message)); }
absl::Status Internal(std::string_view message) { return absl::InternalError(ToAbsl(message)); }

absl::Status WithContext(const absl::Status& status, std::string_view context) {
  if (status.ok()) return status;
  return absl::Status(status.code(), absl::StrCat(ToAbsl(context), ": ", status.message()));
}

}  // namespace mmtune
