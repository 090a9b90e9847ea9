// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune jobs`: the unfinished ones of a coordinator that the caller may cancel, and an end to them.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/tls/tls_files.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

struct JobsOptions {
  std::vector<std::string> jobs;  ///< To cancel: their ids, or the beginnings that `tune jobs list` shows.
  std::string server;             ///< Empty: the coordinator that has the log.
  TlsFiles tls;
  std::string log;  ///< Empty: the default.
  bool json = false;
};

absl::StatusOr<ExitCode> RunJobsList(const JobsOptions& options, const Console& console);
/// Prints a line for each. kUsage, and nothing is cancelled, when an id is of no such job or of several.
absl::StatusOr<ExitCode> RunJobsCancel(const JobsOptions& options, const Console& console);

}  // namespace mmtune
