// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three PEM files that each program needs for mutual TLS: the trusted authorities, its own certificate, and the
// private key. Loads and checks them before a connection is made, so that errors name the file at fault.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "proto/tls/certificate.h"

namespace mmtune {

/// The paths of the files; all three are given or none.
struct TlsFiles {
  std::string ca;    ///< Certificates of the trusted authorities (PEM).
  std::string cert;  ///< Our certificate, followed by intermediate certificates (PEM).
  std::string key;   ///< Its private key (PEM, without a passphrase).

  /// True if the files are given. CheckAllGiven() (server_endpoint.h) reports an error if only some of the three are.
  bool given() const { return !ca.empty(); }
};

/// The environment variables for --tls-ca, --tls-cert and --tls-key.
inline constexpr char kTlsCaVariable[] = "MMTUNE_TLS_CA", kTlsCertVariable[] = "MMTUNE_TLS_CERT",
                      kTlsKeyVariable[] = "MMTUNE_TLS_KEY";

/// Returns the environment variables that named the files, as " (of MMTUNE_TLS_CA, MMTUNE_TLS_KEY in the environment)",
/// or "" for none. Errors about options that the user did not type contain it.
std::string FromEnvironment(const TlsFiles& files);

/// The contents of files that passed all checks.
struct LoadedTls {
  Certificate certificate;
  std::string cert, key;  ///< PEM.
};

/// Reads the files and checks that a peer can accept the certificate. Returns InvalidArgument naming the file that
/// cannot be read or used. This includes a private key that other users can read: its mode must be at most 0600, or
/// 0640 if root owns it, as PostgreSQL requires. Returns Unauthenticated if the certificate or its authority has
/// expired, or it is not issued for this use.
absl::StatusOr<LoadedTls> LoadTlsFiles(const TlsFiles& files, CertificateUse use);
/// Checks the files as LoadTlsFiles() does, and returns only the certificate.
absl::StatusOr<Certificate> CheckTlsFiles(const TlsFiles& files, CertificateUse use);

}  // namespace mmtune
