// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The options of mutual TLS, the same in every program (needs CLI11).
#pragma once

#include <CLI/CLI.hpp>

#include "proto/tls/tls_files.h"

namespace mmtune {

inline void AddTlsOptions(CLI::App& app, TlsFiles& files) {
  app.add_option("--tls-ca", files.ca, "Certificates of the authorities that are trusted (PEM)")
      ->envname("MMTUNE_TLS_CA")
      ->type_name("FILE");
  app.add_option("--tls-cert", files.cert, "Our certificate (PEM); tune certs issue makes it")
      ->envname("MMTUNE_TLS_CERT")
      ->type_name("FILE");
  app.add_option("--tls-key", files.key, "Its key (PEM), which nobody else may read")
      ->envname("MMTUNE_TLS_KEY")
      ->type_name("FILE");
}

}  // namespace mmtune
