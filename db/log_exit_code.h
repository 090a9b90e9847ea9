// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exit codes of a program that cannot open its tuning log, the database of all measurements.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "proto/base/exit_code.h"

namespace mmtune {

/// Returns the exit code for an error of OpenTuningLog(), OpenTuningLogReadOnly() or FindLogOwner(). `log` is the path
/// or the URL that they were given:
///
///   OutOfRange        kLogVersion: another schema version
///
/// only if `log` is the URL of a PostgreSQL database:
///
///   InvalidArgument   kUsage: a malformed URL, one with a password, or one of a pooler in transaction mode
///   Unavailable       kServer: its server does not answer, or is a standby
///   Unimplemented     kServer: its server is too old
///   Unauthenticated   kCertificate: the password is missing or wrong
///   PermissionDenied  kForbidden: the role may not do it
///
/// and kLog for all others.
ExitCode LogExitCode(std::string_view log, const absl::Status& error);

}  // namespace mmtune
