// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune certs`: a private authority, and the certificates of servers, workers and users.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/tune/session/console.h"
#include "server/tune/session/exit_code.h"

namespace mmtune {

struct CertsOptions {
  std::string authority;  ///< Its folder.
  std::string valid;      ///< "90d"; empty: the command's default.
  std::string name = "mmtune authority";
  std::string role;  ///< Of issue: admin, client, worker or server.
  std::string subject;
  std::vector<std::string> hosts;
  std::string output = ".";
  bool force = false;
  std::string file;  ///< The certificate to show or to revoke.
};

absl::StatusOr<ExitCode> RunCertsInit(const CertsOptions& options, const Console& console);
absl::StatusOr<ExitCode> RunCertsIssue(const CertsOptions& options, const Console& console);
absl::StatusOr<ExitCode> RunCertsRevoke(const CertsOptions& options, const Console& console);
absl::StatusOr<ExitCode> RunCertsShow(const CertsOptions& options, const Console& console);

}  // namespace mmtune
