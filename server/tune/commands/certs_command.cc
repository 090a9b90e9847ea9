// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/certs_command.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/tls/authority.h"
#include "proto/tls/certificate.h"
#include "server/tune/report/since.h"

namespace mmtune {
namespace {

constexpr int64_t kDay = 24 * 3600;
constexpr int64_t kAuthorityDays = 3650;
constexpr int64_t kCertificateDays = 90;
constexpr char kServerRole[] = "server";

absl::StatusOr<int64_t> ValidSeconds(const std::string& text, int64_t days) {
  if (text.empty()) return days * kDay;
  const std::optional<int64_t> millis = ParseAge(text);
  if (millis && *millis > 0 && *millis / 1000 <= 100 * 365 * kDay) return *millis / 1000;
  return InvalidArgument(
      absl::StrCat("cannot read --valid '", text, "': give 30s, 12h, 90d or 10w, a century at most"));
}

// Who dials a server on its own host does so by these names.
void AddLoopback(std::vector<std::string>& hosts) { hosts.insert(hosts.end(), {"localhost", "127.0.0.1", "::1"}); }

}  // namespace

absl::StatusOr<ExitCode> RunCertsInit(const CertsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const int64_t seconds, ValidSeconds(options.valid, kAuthorityDays));
  RETURN_IF_ERROR(CreateAuthority(options.authority, options.name, seconds));
  console.out << options.authority << "/ca.crt  for every host: --tls-ca\n"
              << options.authority << "/ca.key  the authority's key: keep it off the hosts, and backed up\n";
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunCertsIssue(const CertsOptions& options, const Console& console) {
  CertificateRequest request;
  request.name = options.subject;
  ASSIGN_OR_RETURN(request.seconds, ValidSeconds(options.valid, kCertificateDays));
  if (options.role == kServerRole) {
    if (options.hosts.empty()) {
      return InvalidArgument(
          "a server's certificate needs --host: the names and addresses that workers and users dial");
    }
    request.hosts = options.hosts;
    AddLoopback(request.hosts);
  } else {
    if (!options.hosts.empty()) return InvalidArgument("--host is for the certificate of a server");
    absl::StatusOr<Role> role = ParseRole(options.role);
    if (!role.ok()) return InvalidArgument(absl::StrCat(role.status().message(), ", ", kServerRole));
    request.identity = Identity{*role, options.subject};
  }
  ASSIGN_OR_RETURN(const IssuedFiles files,
                   IssueCertificate(options.authority, request, options.output, options.force));
  console.out << files.cert << "  --tls-cert, valid until " << IsoTime(files.not_after)
              << (files.shortened ? ", when the authority ends" : "") << "\n"
              << files.key << "  --tls-key, for nobody else\n";
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunCertsRevoke(const CertsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const std::string list, RevokeCertificate(options.authority, options.file));
  console.out << list << "  lists it: servers that have this file as --tls-revoked refuse it from now on\n";
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunCertsShow(const CertsOptions& options, const Console& console) {
  const absl::StatusOr<std::string> pem = ReadTextFile(options.file);
  if (!pem.ok()) return InvalidArgument(ToStd(pem.status().message()));
  const absl::StatusOr<Certificate> certificate = ReadCertificate(*pem);
  if (!certificate.ok()) return WithContext(certificate.status(), options.file);
  console.out << "name     " << certificate->subject << "\n"
              << "role     "
              << (certificate->identity.ok() ? std::string(RoleName(certificate->identity->role)) : "none") << "\n"
              << "serial   " << certificate->serial << "\n"
              << "valid    " << IsoTime(certificate->not_before) << " to " << IsoTime(certificate->not_after) << "\n";
  RETURN_IF_ERROR(WithContext(certificate->CheckTime(NowUnixSeconds()), options.file));
  return ExitCode::kOk;
}

}  // namespace mmtune
