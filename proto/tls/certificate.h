// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mmtune reads out of a certificate, and who signed it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/tls/identity.h"

namespace mmtune {

struct Certificate {
  /// The identity in its one mmtune: URI. InvalidArgument, saying what is wrong, where it has none, several or one that
  /// cannot be read. Certificates of servers have none.
  absl::StatusOr<Identity> identity;
  std::string subject;                    ///< Its common name.
  std::string serial;                     ///< In hexadecimal digits, lower case.
  int64_t not_before = 0, not_after = 0;  ///< Seconds since 1970, inclusive.

  /// "worker gpu-a, serial 3f2a": the subject where there is no identity.
  std::string Text() const;
  /// Unauthenticated, saying since or until when, unless it is valid at `unix_seconds`.
  absl::Status CheckTime(int64_t unix_seconds) const;
};

/// Reads the first certificate of a PEM text. InvalidArgument when there is none that can be read.
absl::StatusOr<Certificate> ReadCertificate(std::string_view pem);

/// All certificates of a PEM text.
std::vector<Certificate> ReadCertificates(std::string_view pem);

/// The wall clock, which is what the times in certificates are about.
int64_t NowUnixSeconds();

/// "2026-01-31T12:00:00Z"
std::string IsoTime(int64_t unix_seconds);

enum class CertificateUse { kClient, kServer };

/// Whether the first certificate of `pem` was signed, by way of others in `intermediates`, by one of the authorities in
/// `authorities` (all PEM), and its extended key usage names this use. Times are not looked at: that is CheckTime.
/// Unauthenticated says why not;
/// InvalidArgument when `authorities` holds no certificate.
absl::Status CheckIssuedBy(std::string_view pem, std::string_view intermediates, std::string_view authorities,
                           CertificateUse use);

/// Unauthenticated unless the extended key usage of the first certificate of `pem` names this use.
absl::Status CheckUse(std::string_view pem, CertificateUse use);

/// Of a certificate for which CheckIssuedBy says OK: Unauthenticated when it was signed by authorities alone that are
/// not valid at `unix_seconds`.
absl::Status CheckAuthorityTime(std::string_view pem, std::string_view intermediates, std::string_view authorities,
                                CertificateUse use, int64_t unix_seconds);

}  // namespace mmtune
