// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How `tune` ends. Statuses carry the exit code from the place where the cause is known to main.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "proto/base/output_file.h"

namespace mmtune {

/// Documented in `tune --help`.
enum class ExitCode {
  kOk = 0,
  kNoResult = 1,  ///< Nothing valid was found, standard output was lost, or an error that is none of the below.
  kUsage = 2,
  kLog = 3,
  kServer = 4,
  kDevice = 5,
  kCertificate = 6,  ///< Ours or the server's: expired, revoked, of another authority.
  kForbidden = 7,    ///< What a certificate of our role may not do.
  kLimit = 8,        ///< A limit of the server: quotas of a client, or more calls than it can take.
  kInterrupted = 130,
  kReaderLeft = ::mmtune::kReaderLeft,
};

/// An error that ends the program with `code`.
absl::Status ExitWith(ExitCode code, std::string_view message);

/// The same error, ending the program with `code`; OK stays OK.
absl::Status ExitWith(ExitCode code, const absl::Status& status);

/// What ExitWith attached; otherwise kUsage for InvalidArgument, kServer for Unavailable, kCertificate for
/// Unauthenticated, kNoResult for the rest.
/// kOk for an OK status.
ExitCode ExitCodeOf(const absl::Status& status);

/// The lines of `tune --help` that list the codes.
std::string_view ExitCodeHelp();

}  // namespace mmtune
