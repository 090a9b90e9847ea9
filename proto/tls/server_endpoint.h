// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The server that a client or a worker dials, and the certificate files it uses: from options, the environment, or the
// user's configuration file.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/tls/tls_files.h"

namespace mmtune {

struct ServerEndpoint {
  std::string address;  ///< Valid by ParseServerAddress.
  TlsFiles tls = {};    ///< Not given: without TLS, for this host only.
};

/// Returns "$XDG_CONFIG_HOME/mmtune/config.json" or "~/.config/mmtune/config.json", which need not exist.
absl::StatusOr<std::string> ConfigPath();

/// Returns `given` (from options or the environment) where it names any file, and otherwise the files that the
/// configuration file at `config_path` names, if it exists: {"tls": {"ca": PATH, "cert": PATH, "key": PATH}}, with
/// absolute paths. InvalidArgument when one of the three is missing, and for a configuration file with anything else in
/// it.
absl::StatusOr<TlsFiles> ResolveTls(const TlsFiles& given, const std::string& config_path);

/// Resolves `--server` and the TLS options of a program. A UNIX socket is never dialled with TLS. InvalidArgument for a
/// malformed address, and for another host without TLS; else errors as of ResolveTls and CheckTlsFiles.
absl::StatusOr<ServerEndpoint> ResolveEndpoint(std::string_view server, const TlsFiles& given);

/// The text of the endpoint that a coordinator writes into its log's lock file: "tls:" before the address means TLS.
std::string OwnerEndpointText(std::string_view address, bool tls);
absl::StatusOr<ServerEndpoint> ResolveOwnerEndpoint(std::string_view text, const TlsFiles& given);

}  // namespace mmtune
