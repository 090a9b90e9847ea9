// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for absl::Status, which every function that can fail returns: short constructors, context for messages, and
// the macros RETURN_IF_ERROR and ASSIGN_OR_RETURN.
//
//   ASSIGN_OR_RETURN(const Schedule schedule, ParseSchedule(text));
//   RETURN_IF_ERROR(WithContext(schedule.Validate(), path));
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace mmtune {

/// Convert between std::string_view and absl::string_view, which are different types in Debian's packages.
inline absl::string_view ToAbsl(std::string_view s) { return absl::string_view(s.data(), s.size()); }
inline std::string_view ToStd(absl::string_view s) { return std::string_view(s.data(), s.size()); }

/// Each returns a status with the code in its name.
inline absl::Status InvalidArgument(std::string_view message) { return absl::InvalidArgumentError(ToAbsl(message)); }
inline absl::Status NotFound(std::string_view message) { return absl::NotFoundError(ToAbsl(message)); }
inline absl::Status FailedPrecondition(std::string_view message) {
  return absl::FailedPreconditionError(ToAbsl(message));
}
inline absl::Status ResourceExhausted(std::string_view message) {
  return absl::ResourceExhaustedError(ToAbsl(message));
}
inline absl::Status Unavailable(std::string_view message) { return absl::UnavailableError(ToAbsl(message)); }
inline absl::Status Internal(std::string_view message) { return absl::InternalError(ToAbsl(message)); }

/// Returns the status with "<context>: " before its message. OK stays OK.
inline absl::Status WithContext(const absl::Status& status, std::string_view context) {
  if (status.ok()) return status;
  std::string message(context);
  message.append(": ").append(ToStd(status.message()));
  return absl::Status(status.code(), message);
}

}  // namespace mmtune

#define MMTUNE_CONCAT_INNER(a, b) a##b
#define MMTUNE_CONCAT(a, b) MMTUNE_CONCAT_INNER(a, b)

/// Returns from the enclosing function when `expr` is not OK.
#define RETURN_IF_ERROR(expr)                                                                \
  do {                                                                                       \
    if (::absl::Status mmtune_status_ = (expr); !mmtune_status_.ok()) return mmtune_status_; \
  } while (false)

/// Declares or assigns `lhs` from a StatusOr, or returns its status.
#define ASSIGN_OR_RETURN(lhs, expr) MMTUNE_ASSIGN_OR_RETURN(MMTUNE_CONCAT(status_or_, __LINE__), lhs, expr)
#define MMTUNE_ASSIGN_OR_RETURN(var, lhs, expr) \
  auto var = (expr);                            \
  if (!var.ok()) return var.status();           \
  lhs = std::move(var).value()
