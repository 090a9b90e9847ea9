// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and checks X.509 certificates of mutual TLS: the role and name of their owner, who signed them, whether they
// are valid now, and whether they were revoked.
//
// The owner of a certificate is a URI "mmtune:<role>/<name>" in its subject alternative names, for example
// "mmtune:worker/gpu-a". Certificates of servers have host names instead.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace mmtune {

/// The rights of the owner of a certificate: admins manage workers, clients submit jobs, workers measure.
enum class Role { kAdmin, kClient, kWorker };

/// Converts to and from "admin", "client", "worker".
std::string_view RoleName(Role role);
absl::StatusOr<Role> ParseRole(std::string_view name);

/// The owner of a certificate.
struct Identity {
  Role role = Role::kClient;
  std::string name;  ///< Stays the same when the certificate is renewed.

  std::string Uri() const;   ///< Returns "mmtune:worker/gpu-a".
  std::string Text() const;  ///< Returns "worker gpu-a".
  bool operator==(const Identity&) const = default;
};

/// Returns InvalidArgument unless the name has 1 to 64 letters, digits, '.', '_' and '-'.
absl::Status CheckIdentityName(std::string_view name);

/// True if the URI starts with "mmtune:".
bool IsIdentityUri(std::string_view uri);
/// Parses "mmtune:<role>/<name>". Returns InvalidArgument for anything else.
absl::StatusOr<Identity> ParseIdentity(std::string_view uri);

/// The fields of a certificate that this program uses.
struct Certificate {
  /// The owner. InvalidArgument with the reason if the certificate has no identity (like those of servers), several, or
  /// a malformed one.
  absl::StatusOr<Identity> identity;
  std::string subject;                    ///< The common name.
  std::string serial;                     ///< Lower-case hexadecimal digits.
  int64_t not_before = 0, not_after = 0;  ///< The validity in seconds since 1970, inclusive.

  /// Returns a text for people: "worker gpu-a, serial 3f2a". If there is no identity, the subject takes its place.
  std::string Text() const;
  /// Returns Unauthenticated unless the certificate is valid at `unix_seconds`; the message says from when or until
  /// when it is.
  absl::Status CheckTime(int64_t unix_seconds) const;
};

/// Reads the first certificate of a PEM text. Returns InvalidArgument if there is none.
absl::StatusOr<Certificate> ReadCertificate(std::string_view pem);

/// Reads all certificates of a PEM text.
std::vector<Certificate> ReadCertificates(std::string_view pem);

/// Returns the wall clock's seconds since 1970.
int64_t NowUnixSeconds();

/// Formats a time as "2026-01-31T12:00:00Z".
std::string IsoTime(int64_t unix_seconds);

/// The side of a TLS connection that shows the certificate (its extended key usage).
enum class CertificateUse { kClient, kServer };

/// Checks the first certificate of `pem`. It must be signed by one of `authorities`, directly or through
/// `intermediates` (all PEM), and be issued for this use. Validity times are not checked. Returns Unauthenticated with
/// the reason, or InvalidArgument if `authorities` has no certificate.
absl::Status CheckIssuedBy(std::string_view pem, std::string_view intermediates, std::string_view authorities,
                           CertificateUse use);

/// Returns Unauthenticated unless the first certificate of `pem` is issued for this use.
absl::Status CheckUse(std::string_view pem, CertificateUse use);

/// Returns Unauthenticated if no authority that signed the certificate is valid at `unix_seconds`. The certificate must
/// have passed CheckIssuedBy() with the same arguments.
absl::Status CheckAuthorityTime(std::string_view pem, std::string_view intermediates, std::string_view authorities,
                                CertificateUse use, int64_t unix_seconds);

/// Returns a serial in its canonical form: lower-case hexadecimal digits without leading zeros.
std::string PlainSerial(std::string_view serial);

/// Parses the list that `tune certs revoke` writes: one serial in hexadecimal digits on each line; # starts a comment.
/// Returns the serials in canonical form, or InvalidArgument naming the bad line.
absl::StatusOr<std::set<std::string, std::less<>>> ParseRevoked(std::string_view text);

}  // namespace mmtune
