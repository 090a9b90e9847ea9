// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Certificates: whom they identify, who signed them, and which were revoked.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

enum class Role { kAdmin, kClient, kWorker };

std::string_view RoleName(Role role);
absl::StatusOr<Role> ParseRole(std::string_view name);

/// The identity in a certificate: a URI "mmtune:<role>/<name>" among its subject alternative names.
struct Identity {
  Role role = Role::kClient;
  std::string name;  ///< Valid by CheckIdentityName; stays the same when the certificate is renewed.

  std::string Uri() const;   ///< "mmtune:worker/gpu-a"
  std::string Text() const;  ///< "worker gpu-a"
  bool operator==(const Identity&) const = default;
};

/// Returns InvalidArgument unless the name has 1 to 64 letters, digits, '.', '_' and '-'.
absl::Status CheckIdentityName(std::string_view name);

/// True if the URI begins like an identity.
bool IsIdentityUri(std::string_view uri);
/// Parses "mmtune:<role>/<name>". InvalidArgument for anything else.
absl::StatusOr<Identity> ParseIdentity(std::string_view uri);

/// The fields of a certificate that mmtune uses.
struct Certificate {
  /// InvalidArgument, saying what is wrong, where the certificate has no identity (as those of servers), several, or a
  /// malformed one.
  absl::StatusOr<Identity> identity;
  std::string subject;                    ///< Its common name.
  std::string serial;                     ///< Lower-case hexadecimal digits.
  int64_t not_before = 0, not_after = 0;  ///< Seconds since 1970, inclusive.

  /// Returns "worker gpu-a, serial 3f2a"; with the subject where there is no identity.
  std::string Text() const;
  /// Returns Unauthenticated, saying since or until when, unless it is valid at `unix_seconds`.
  absl::Status CheckTime(int64_t unix_seconds) const;
};

/// Reads the first certificate of a PEM text. InvalidArgument when there is none.
absl::StatusOr<Certificate> ReadCertificate(std::string_view pem);

/// Reads all certificates of a PEM text.
std::vector<Certificate> ReadCertificates(std::string_view pem);

/// Returns the wall clock's time, to which the times in certificates refer.
int64_t NowUnixSeconds();

/// Returns "2026-01-31T12:00:00Z".
std::string IsoTime(int64_t unix_seconds);

enum class CertificateUse { kClient, kServer };

/// Checks that the first certificate of `pem` was signed, directly or by way of `intermediates`, by one of
/// `authorities` (all PEM), and that its extended key usage names this use. Ignores times (see CheckTime).
/// Unauthenticated says why not; InvalidArgument when `authorities` holds no certificate.
absl::Status CheckIssuedBy(std::string_view pem, std::string_view intermediates, std::string_view authorities,
                           CertificateUse use);

/// Returns Unauthenticated unless the extended key usage of the first certificate of `pem` names this use.
absl::Status CheckUse(std::string_view pem, CertificateUse use);

/// For a certificate that passes CheckIssuedBy: returns Unauthenticated when no authority that signed it is valid at
/// `unix_seconds`.
absl::Status CheckAuthorityTime(std::string_view pem, std::string_view intermediates, std::string_view authorities,
                                CertificateUse use, int64_t unix_seconds);

/// Returns the canonical text of a serial: lower case, without leading zeros.
std::string PlainSerial(std::string_view serial);

/// Parses the list that `tune certs revoke` writes: one serial a line, in hexadecimal digits; # begins a comment.
/// Returns PlainSerial of each. InvalidArgument names the bad line.
absl::StatusOr<std::set<std::string, std::less<>>> ParseRevoked(std::string_view text);

}  // namespace mmtune
