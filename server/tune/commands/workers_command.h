// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune workers`: which there are, and which of them get leases.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/tls/tls_files.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

struct WorkersOptions {
  std::string worker;  ///< Its id, of those that change one.
  std::string server;  ///< Empty: the coordinator that has the log.
  TlsFiles tls;
  std::string log;  ///< Empty: the default.
  bool json = false;
};

absl::StatusOr<ExitCode> RunWorkersList(const WorkersOptions& options, const Console& console);
/// Prints one line: what became of it. kUsage when there is no such worker.
absl::StatusOr<ExitCode> RunWorkersHold(const WorkersOptions& options, v1::WorkerHold hold, const Console& console);

}  // namespace mmtune
