// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/session/coordinator_endpoint.h"

#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "db/log_lock.h"
#include "proto/base/status.h"
#include "server/tune/session/exit_code.h"
#include "server/tune/session/session.h"

namespace mmtune {
namespace {

/// The endpoint of the process that has the log open for writing; kServer when there is none.
absl::StatusOr<std::string> OwnerOfLog(const std::string& log) {
  ASSIGN_OR_RETURN(std::string path, ResolveLogPath(log, /*create_folder=*/false));
  if (access(path.c_str(), F_OK) != 0) {
    return ExitWith(ExitCode::kLog, absl::StrCat("there is no tuning log at ", path, ": give --log FILE or --server"));
  }
  absl::Status nobody = ExitWith(ExitCode::kServer, absl::StrCat("no coordinator is running on ", path));
  if (access(absl::StrCat(path, ".lock").c_str(), F_OK) != 0) return nobody;  // Asking must not create one.
  std::string endpoint;
  auto lock = LogLock::Acquire(path, /*endpoint=*/"", &endpoint);
  if (IsBeingOpened(lock.status())) return ExitWith(ExitCode::kServer, lock.status());
  if (!endpoint.empty()) return endpoint;
  if (!lock.ok()) return ExitWith(ExitCode::kLog, lock.status());
  return nobody;
}

}  // namespace

absl::StatusOr<ServerEndpoint> FindCoordinator(const std::string& server, const TlsFiles& tls, const std::string& log) {
  if (!server.empty()) return ResolveEndpoint(server, tls);
  ASSIGN_OR_RETURN(const std::string owner, OwnerOfLog(log));
  return ResolveOwnerEndpoint(owner, tls);
}

}  // namespace mmtune
