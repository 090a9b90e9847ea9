// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of mutual TLS, the same in every program (needs CLI11).
#pragma once

#include <CLI/CLI.hpp>

#include "proto/tls/tls_files.h"

namespace mmtune {

inline void AddTlsOptions(CLI::App& app, TlsFiles& files) {
  app.add_option("--tls-ca", files.ca, "Certificates of the authorities that are trusted (PEM)")
      ->envname(kTlsCaVariable)
      ->type_name("FILE");
  app.add_option("--tls-cert", files.cert, "Our certificate (PEM); tune certs issue makes it")
      ->envname(kTlsCertVariable)
      ->type_name("FILE");
  app.add_option("--tls-key", files.key, "Its key (PEM), which nobody else may read")
      ->envname(kTlsKeyVariable)
      ->type_name("FILE");
}

}  // namespace mmtune
