// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An mmtune-server in a process of its own, on a UNIX socket or with mutual TLS on a loopback port, and how to dial it.
// A program that cannot go on says why and ends with 1.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proto/base/subprocess.h"
#include "proto/tls/certificate.h"
#include "proto/tls/server_endpoint.h"

namespace mmtune {

[[noreturn]] void FailBench(const std::string& what);

struct BenchServerOptions {
  std::string executable;
  std::string folder;  ///< Holds log, socket, certificates and output.
  std::string log;     ///< The URL of a database; empty: a file in the folder.
  bool mtls = false;
  std::vector<std::string> more;  ///< Options of mmtune-server.
};

/// Killed with this object.
class BenchServer {
 public:
  explicit BenchServer(const BenchServerOptions& options);

  /// Whom to dial, with the certificate of that role.
  ServerEndpoint endpoint(Role role) const;
  /// User and system time that it has used.
  double CpuSeconds() const;
  /// A field of /proc/<pid>/status, in KiB.
  int64_t StatusKiB(const std::string& field) const;

 private:
  TlsFiles FilesOf(const std::string& name) const;
  void Issue(std::optional<Identity> identity, const std::string& name, std::vector<std::string> hosts);
  std::string Listening() const;

  const BenchServerOptions options_;
  std::optional<Subprocess> process_;
  std::string address_;
};

}  // namespace mmtune
