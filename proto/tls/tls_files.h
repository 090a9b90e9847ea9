// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three files of mutual TLS: trusted authorities, our certificate, and its private key.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "proto/tls/certificate.h"

namespace mmtune {

/// Paths of the files.
struct TlsFiles {
  std::string ca;    ///< Certificates of the authorities that are trusted (PEM).
  std::string cert;  ///< Our certificate, then those between it and the authority (PEM).
  std::string key;   ///< Its private key (PEM, without a passphrase).

  /// True if the files are named; ResolveTls never leaves some of the three out.
  bool given() const { return !ca.empty(); }
};

/// Environment variables that replace --tls-ca, --tls-cert and --tls-key.
inline constexpr char kTlsCaVariable[] = "MMTUNE_TLS_CA", kTlsCertVariable[] = "MMTUNE_TLS_CERT",
                      kTlsKeyVariable[] = "MMTUNE_TLS_KEY";

/// Returns " (of MMTUNE_TLS_CA, MMTUNE_TLS_KEY in the environment)", the variables that name the files, or "". For
/// errors about options that the user may not have given.
std::string FromEnvironment(const TlsFiles& files);

/// Checked files and their contents.
struct LoadedTls {
  Certificate certificate;
  std::string cert, key;  ///< PEM.
};

/// Reads the files and checks that a peer can accept the certificate. InvalidArgument names the file that cannot be
/// read or used, or a key that other users can read (the rule of PostgreSQL: mode 0600 or less, or 0640 or less where
/// root owns it). Unauthenticated: the certificate or its authority has expired, or it was not issued for this use.
absl::StatusOr<LoadedTls> LoadTlsFiles(const TlsFiles& files, CertificateUse use);
absl::StatusOr<Certificate> CheckTlsFiles(const TlsFiles& files, CertificateUse use);

}  // namespace mmtune
