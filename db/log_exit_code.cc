// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "db/log_exit_code.h"

#include "db/tuning_log.h"

namespace mmtune {

ExitCode LogExitCode(std::string_view log, const absl::Status& error) {
  if (absl::IsOutOfRange(error)) return ExitCode::kLogVersion;
  if (!IsLogUrl(log)) return ExitCode::kLog;
  switch (error.code()) {
    case absl::StatusCode::kInvalidArgument:
      return ExitCode::kUsage;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kUnimplemented:
      return ExitCode::kServer;
    case absl::StatusCode::kUnauthenticated:
      return ExitCode::kCertificate;
    case absl::StatusCode::kPermissionDenied:
      return ExitCode::kForbidden;
    default:
      return ExitCode::kLog;
  }
}

}  // namespace mmtune
