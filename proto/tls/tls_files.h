// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three files of mutual TLS: whom to trust, who we are, and the key that proves it.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "proto/tls/certificate.h"

namespace mmtune {

struct TlsFiles {
  std::string ca;    ///< Certificates of the authorities that are trusted (PEM).
  std::string cert;  ///< Our certificate, then those between it and the authority (PEM).
  std::string key;   ///< Its private key (PEM, without a passphrase).

  /// All three are named; ResolveTls never leaves some of them out.
  bool given() const { return !ca.empty(); }
};

/// Variables of the environment that take the place of --tls-ca, --tls-cert and --tls-key.
inline constexpr char kTlsCaVariable[] = "MMTUNE_TLS_CA", kTlsCertVariable[] = "MMTUNE_TLS_CERT",
                      kTlsKeyVariable[] = "MMTUNE_TLS_KEY";

/// Which of the files those variables name: " (of MMTUNE_TLS_CA, MMTUNE_TLS_KEY in the environment)", or "". For
/// errors about options that nobody may have given.
std::string FromEnvironment(const TlsFiles& files);

/// Files that were checked, with what is in them.
struct LoadedTls {
  Certificate certificate;
  std::string cert, key;  ///< PEM.
};

/// Our certificate, where the files are such that a peer can believe it. InvalidArgument names the file that cannot be
/// read or used, or a key that other users can read (the rule of PostgreSQL: mode 0600 or less, or 0640 or less where
/// root owns it). Unauthenticated: expired, or not issued by the authority for this use, or that
/// has expired.
absl::StatusOr<LoadedTls> LoadTlsFiles(const TlsFiles& files, CertificateUse use);
absl::StatusOr<Certificate> CheckTlsFiles(const TlsFiles& files, CertificateUse use);

}  // namespace mmtune
