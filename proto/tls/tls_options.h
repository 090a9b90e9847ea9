// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command-line options of mutual TLS, --tls-ca, --tls-cert and --tls-key, which all programs with a connection
// share. They are not in tls_files.h because they need CLI11.
#pragma once

#include <CLI/CLI.hpp>

#include "proto/command_line/option_table.h"
#include "proto/tls/tls_files.h"

namespace mmtune {

/// Adds --tls-ca, --tls-cert and --tls-key. Environment variables and the user's configuration file can set them, too
/// (AsSetting()).
inline void AddTlsOptions(CLI::App& app, TlsFiles& files) {
  AsSetting(app.add_option("--tls-ca", files.ca, "Certificates of the authorities that are trusted (PEM)"))
      ->type_name("FILE");
  AsSetting(app.add_option("--tls-cert", files.cert, "Our certificate (PEM); tune certs issue makes it"))
      ->type_name("FILE");
  AsSetting(
      app.add_option("--tls-key", files.key, "The private key of the certificate (PEM), which nobody else may read"))
      ->type_name("FILE");
}

}  // namespace mmtune
