// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes certificates for mutual TLS; the command `tune certs` uses this. A private certificate authority, kept in a
// folder, signs certificates for the server, workers and clients, and can revoke them.
//
//   ca.crt   the certificate of the authority; every host needs it
//   ca.key   its private key, mode 0600
//   revoked  the serials of revoked certificates, one per line; made by the first RevokeCertificate()
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/tls/certificate.h"

namespace mmtune {

/// Makes an authority that is valid for `seconds`, and its folder (mode 0700) if needed. Returns InvalidArgument if the
/// folder has an authority already.
absl::Status CreateAuthority(const std::string& folder, const std::string& name, int64_t seconds);

/// A certificate to issue: for a client or worker with an identity, or for a server with the hosts by which it is
/// dialled.
struct CertificateRequest {
  std::optional<Identity> identity;
  std::string name;                ///< The common name: the name of the identity, or of the server.
  std::vector<std::string> hosts;  ///< For a server: its host names and numeric addresses.
  /// The validity in seconds from now. It starts five minutes earlier, for hosts whose clocks differ.
  int64_t seconds = 0;
};

/// The files of an issued certificate.
struct IssuedFiles {
  std::string cert, key;  ///< Their paths.
  int64_t not_after = 0;  ///< Seconds since 1970.
  /// True if the certificate ends sooner than requested, because the authority does.
  bool shortened = false;
};

/// Issues a certificate of the authority in the folder `authority`. Writes "<folder>/<name>.crt" and
/// "<folder>/<name>.key" (mode 0600), both or neither. Replaces existing files only if `force`, and never those of the
/// authority. Returns InvalidArgument with the reason if it cannot, and Unauthenticated if the authority has expired.
absl::StatusOr<IssuedFiles> IssueCertificate(const std::string& authority, const CertificateRequest& request,
                                             const std::string& folder, bool force);

/// Adds the serial of the certificate file `cert` to "<authority>/revoked" and returns the path of that list. Returns
/// InvalidArgument, without a change, if the certificate or the list cannot be read, or the certificate is not of this
/// authority. Several processes may call it at once.
absl::StatusOr<std::string> RevokeCertificate(const std::string& authority, const std::string& cert);

}  // namespace mmtune
