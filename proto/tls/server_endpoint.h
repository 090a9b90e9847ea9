// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The server that a client or a worker dials, and the certificate files it uses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/tls/tls_files.h"

namespace mmtune {

/// A server's address and the certificate files to use.
struct ServerEndpoint {
  std::string address;  ///< An address that ParseServerAddress() accepts.
  TlsFiles tls = {};    ///< If no files are given, TLS is off.
  /// The addresses of other coordinators (servers) of the same tuning log, which take over the jobs of a coordinator
  /// that is gone.
  std::vector<std::string> others = {};
  /// The host name that the server's certificate must be for; empty: the host in `address`.
  std::string host = {};

  /// Returns one endpoint for each address, `address` and `others`; their own `others` are empty.
  std::vector<ServerEndpoint> Each() const;
};

/// Checks that options and settings name all three files (authorities, certificate and key), or none. Returns
/// InvalidArgument otherwise.
absl::Status CheckAllGiven(const TlsFiles& files);

/// Resolves `--server`, an address or several with commas, and the TLS options of a program. A UNIX socket is never
/// dialled with TLS. Returns InvalidArgument for a malformed or repeated address or for another host without TLS. Also
/// returns the errors of CheckAllGiven() and CheckTlsFiles().
absl::StatusOr<ServerEndpoint> ResolveEndpoint(std::string_view server, const TlsFiles& given);

/// Formats the endpoint that a coordinator writes into the lock file of its tuning log, so that other programs can ask
/// it for records: "tls:" before the address if it uses TLS.
std::string OwnerEndpointText(std::string_view address, bool tls);
/// Converts a text of OwnerEndpointText() into an endpoint. Returns InvalidArgument if it uses TLS and no certificates
/// are given.
absl::StatusOr<ServerEndpoint> ResolveOwnerEndpoint(std::string_view text, const TlsFiles& given);

}  // namespace mmtune
