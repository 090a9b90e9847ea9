// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune status`, `tune jobs` and `tune workers`: show the state of a coordinator (the server that runs tuning jobs on
// workers), and let an operator cancel jobs and hold workers, which then get no further work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/tls/tls_files.h"
#include "server/tune/report/table.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// Names the coordinator to ask.
struct CoordinatorOptions {
  std::string server;  ///< Empty: the coordinator that has the log.
  TlsFiles tls;
  std::string log;  ///< Empty: the default.
  OutputFormat format = OutputFormat::kTable;
};

struct StatusOptions : CoordinatorOptions {
  std::optional<double> watch;  ///< If set, the status is printed again after this number of seconds, until Ctrl-C.
};

/// Runs `tune status`. Errors have exit codes (console.h).
absl::StatusOr<ExitCode> RunStatusCommand(const StatusOptions& options, const Console& console);

/// Returns jobs, workers and leases (candidates that workers are measuring) as tables.
std::string ServerInfoText(const v1::ServerInfo& info, int64_t now_unix_millis, const TableStyle& style = {});
/// Returns the message as JSON in one line, with names of states, such as "running". `part` ("jobs" or "workers")
/// selects one part of it; null selects all of it.
absl::StatusOr<std::string> ServerInfoJson(const v1::ServerInfo& info, const char* part = nullptr);

/// Returns the table of jobs, with their ages at the time `now_unix_millis`.
Table JobsTable(const v1::ServerInfo& info, int64_t now_unix_millis);
/// Returns the table of workers. It has columns for labels and reasons of holds only if a worker has any.
Table WorkersTable(const v1::ServerInfo& info);

/// Returns how long a certificate is still valid: "89 d", "expired".
std::string TimeLeft(double seconds);

}  // namespace mmtune
