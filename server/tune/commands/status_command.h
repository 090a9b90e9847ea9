// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune status`: what a coordinator is doing.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/tls/tls_files.h"
#include "server/tune/report/table.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

struct StatusOptions {
  std::string server;  ///< Empty: the coordinator that has the log.
  TlsFiles tls;
  std::string log;  ///< Empty: the default.
  bool json = false;
  std::optional<double> watch;  ///< Again every so many seconds, until Ctrl-C.
};

absl::StatusOr<ExitCode> RunStatusCommand(const StatusOptions& options, const Console& console);

/// Jobs, workers and leases as tables, in lines of `width` characters (0: any).
std::string ServerInfoText(const v1::ServerInfo& info, int64_t now_unix_millis, size_t width = 0);

/// The message as JSON in one line, with states by name: "running".
absl::StatusOr<std::string> ServerInfoJson(const v1::ServerInfo& info);
/// Its workers alone, and its jobs alone.
absl::StatusOr<std::string> WorkersJson(const v1::ServerInfo& info);
absl::StatusOr<std::string> JobsJson(const v1::ServerInfo& info);
/// Its jobs.
Table JobsTable(const v1::ServerInfo& info, int64_t now_unix_millis);

}  // namespace mmtune
