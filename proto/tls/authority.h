// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A private certificate authority in a folder: what `tune certs` makes.
//
//   ca.crt   its certificate, for every host
//   ca.key   its key, of mode 0600, for nobody else
//   revoked  serials of certificates that are no longer taken, one a line, made by the first Revoke
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/tls/identity.h"

namespace mmtune {

/// Makes the folder (mode 0700) where it is not there yet, and in it an authority that is valid for `seconds`.
/// InvalidArgument where there is one already.
absl::Status CreateAuthority(const std::string& folder, const std::string& name, int64_t seconds);

/// What a certificate is for: an identity, for those who dial, or the hosts of a server, by which they dial it.
struct CertificateRequest {
  std::optional<Identity> identity;
  std::string name;                ///< Its common name: that of the identity, or the server's.
  std::vector<std::string> hosts;  ///< Names and numeric addresses, of a server only.
  int64_t seconds = 0;             ///< Valid from five minutes ago, for clocks that differ, for so long from now.
};

struct IssuedFiles {
  std::string cert, key;
  int64_t not_after = 0;   ///< Seconds since 1970.
  bool shortened = false;  ///< The authority ends sooner than was asked for, and the certificate with it.
};

/// Makes a key and a certificate of the authority in `authority`, and writes "<folder>/<name>.crt" and ".key" (mode
/// 0600): both or neither. What is there is replaced, by renames, only when forced; the authority's own files never.
/// InvalidArgument; Unauthenticated where the authority has expired.
absl::StatusOr<IssuedFiles> IssueCertificate(const std::string& authority, const CertificateRequest& request,
                                             const std::string& folder, bool force);

/// Adds the certificate's serial to "<authority>/revoked", and returns that path. InvalidArgument when the certificate
/// cannot be read or is not of this authority, or the list is there and cannot be read; it is as it was then. Safe
/// among processes.
absl::StatusOr<std::string> RevokeCertificate(const std::string& authority, const std::string& cert);

}  // namespace mmtune
