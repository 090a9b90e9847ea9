// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune status`, `tune jobs` and `tune workers`: what a coordinator is doing, and the requests of its operator.
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
  bool json = false;
};

struct StatusOptions : CoordinatorOptions {
  std::optional<double> watch;  ///< Seconds between two status texts, until Ctrl-C; absent: one text.
};

absl::StatusOr<ExitCode> RunStatusCommand(const StatusOptions& options, const Console& console);

/// Returns jobs, workers and leases as tables.
std::string ServerInfoText(const v1::ServerInfo& info, int64_t now_unix_millis, const TableStyle& style = {});
/// Returns the message as JSON in one line, with states by name: "running". With `part` ("jobs", "workers") only this.
absl::StatusOr<std::string> ServerInfoJson(const v1::ServerInfo& info, const char* part = nullptr);

Table JobsTable(const v1::ServerInfo& info, int64_t now_unix_millis);
/// Labels and hold reasons have columns where some worker has them.
Table WorkersTable(const v1::ServerInfo& info);

/// Returns how long a certificate is still valid: "89 d", "expired".
std::string TimeLeft(double seconds);

}  // namespace mmtune
