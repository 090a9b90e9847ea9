// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The private certificate authority that `tune certs` makes in a folder.
//
//   ca.crt   its certificate, for every host
//   ca.key   its private key, of mode 0600
//   revoked  serials of revoked certificates, one a line; made by the first RevokeCertificate
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/tls/certificate.h"

namespace mmtune {

/// Makes an authority that is valid for `seconds`, and its folder (mode 0700) if that does not exist. InvalidArgument
/// where there is an authority already.
absl::Status CreateAuthority(const std::string& folder, const std::string& name, int64_t seconds);

/// A certificate to be issued: with an identity for a client, or with the hosts by which a server is dialled.
struct CertificateRequest {
  std::optional<Identity> identity;
  std::string name;                ///< The common name: that of the identity, or the server's.
  std::vector<std::string> hosts;  ///< Names and numeric addresses; for a server only.
  int64_t seconds = 0;             ///< Validity from now; it begins five minutes earlier, for clocks that differ.
};

struct IssuedFiles {
  std::string cert, key;
  int64_t not_after = 0;   ///< Seconds since 1970.
  bool shortened = false;  ///< The authority ends sooner than was asked for, and the certificate with it.
};

/// Issues a certificate of the authority in the folder `authority`, and writes "<folder>/<name>.crt" and ".key" (mode
/// 0600), both or neither. Replaces existing files only when forced, and never the authority's own. InvalidArgument
/// says why not; Unauthenticated where the authority has expired.
absl::StatusOr<IssuedFiles> IssueCertificate(const std::string& authority, const CertificateRequest& request,
                                             const std::string& folder, bool force);

/// Adds the certificate's serial to "<authority>/revoked", and returns that path. InvalidArgument, with the
/// list unchanged, when the certificate cannot be read or is not of this authority, or the list cannot be read. Several
/// processes may call it at once.
absl::StatusOr<std::string> RevokeCertificate(const std::string& authority, const std::string& cert);

}  // namespace mmtune
