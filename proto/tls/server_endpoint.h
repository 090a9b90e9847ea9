// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Determines which server a client or worker connects to, and with which certificate files: from command-line options,
// the environment, or the user's configuration file.
//
// Rule: without certificates only servers on the same host are dialled, so traffic that leaves the host is always
// encrypted and authenticated.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/tls/tls_files.h"

namespace mmtune {

/// A server's address and the certificate files to use.
struct ServerEndpoint {
  std::string address;  ///< An address that ParseServerAddress() accepts.
  TlsFiles tls = {};    ///< If not given, TLS is off.
};

/// Returns the path of the user's configuration file, "$XDG_CONFIG_HOME/mmtune/config.json" or
/// "~/.config/mmtune/config.json". The file need not exist.
absl::StatusOr<std::string> ConfigPath();

/// Returns `given` (from options or the environment) if it names any file. Otherwise returns the files named in the
/// configuration file, if that exists:
///
///   {"tls": {"ca": PATH, "cert": PATH, "key": PATH}}     with absolute paths
///
/// Returns InvalidArgument if only some of the three are named, or the configuration file has other content.
absl::StatusOr<TlsFiles> ResolveTls(const TlsFiles& given, const std::string& config_path);

/// Returns the endpoint for the option `--server` and the TLS options. UNIX sockets never use TLS. Returns
/// InvalidArgument for a malformed address, for another host without TLS, and for the errors of ResolveTls() and
/// CheckTlsFiles().
absl::StatusOr<ServerEndpoint> ResolveEndpoint(std::string_view server, const TlsFiles& given);

/// Formats the endpoint that a coordinator writes into the lock file of its tuning log, so that other programs can ask
/// it for records: "tls:" before the address if it uses TLS.
std::string OwnerEndpointText(std::string_view address, bool tls);
/// Returns the endpoint for such a text. Returns InvalidArgument if it uses TLS and no certificates are given.
absl::StatusOr<ServerEndpoint> ResolveOwnerEndpoint(std::string_view text, const TlsFiles& given);

}  // namespace mmtune
