// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The server that a client or a worker dials, and with which certificate: from options, the environment, or the
// user's configuration file.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/tls/tls_files.h"

namespace mmtune {

struct ServerEndpoint {
  std::string address;  ///< As ParseServerAddress gives it.
  TlsFiles tls = {};    ///< Not given: without TLS, to this host only.
};

/// "$XDG_CONFIG_HOME/mmtune/config.json" or "~/.config/mmtune/config.json", whether it is there or not.
absl::StatusOr<std::string> ConfigPath();

/// `given` (of options or the environment) where it names any file, and otherwise what the configuration file at
/// `config_path` says, where it is there: {"tls": {"ca": PATH, "cert": PATH, "key": PATH}}, with absolute paths.
/// InvalidArgument when one of the three is missing, and for a configuration file with anything else in it.
absl::StatusOr<TlsFiles> ResolveTls(const TlsFiles& given, const std::string& config_path);

/// What `--server` and the TLS options of a program mean. A UNIX socket is never dialled with TLS. InvalidArgument for
/// an address that is none, and for another host without TLS; else errors as of ResolveTls and CheckTlsFiles.
absl::StatusOr<ServerEndpoint> ResolveEndpoint(std::string_view server, const TlsFiles& given);

/// The endpoint that a coordinator left in its log's lock file: "tls:" stands before the address where it wants TLS.
std::string OwnerEndpointText(std::string_view address, bool tls);
absl::StatusOr<ServerEndpoint> ResolveOwnerEndpoint(std::string_view text, const TlsFiles& given);

}  // namespace mmtune
