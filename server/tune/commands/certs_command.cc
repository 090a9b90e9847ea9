// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `tune certs`: a private authority, and the certificates of servers, workers and users.
#include "server/tune/commands/commands.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/tls/authority.h"
#include "proto/tls/certificate.h"
#include "server/tune/commands/options.h"
#include "server/tune/report/field_list.h"
#include "server/tune/report/format.h"

namespace mmtune {
namespace {

using Json = nlohmann::ordered_json;

struct CertsOptions {
  std::string authority;  ///< Its folder.
  std::string valid;      ///< "90d"; empty: the command's default.
  std::string name = "mmtune authority";
  std::string role;  ///< The role to issue: admin, client, worker or server.
  std::string subject;
  std::vector<std::string> hosts;
  std::string output = ".";
  bool force = false;
  std::string file;  ///< The certificate to show or to revoke.
  OutputFormat format = OutputFormat::kTable;
};

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

/// Adds the names by which a server is dialled on its own host.
void AddLoopback(std::vector<std::string>& hosts) { hosts.insert(hosts.end(), {"localhost", "127.0.0.1", "::1"}); }

void AddAuthority(CLI::App& command, CertsOptions& options) {
  AddText(command, "--ca", options.authority, "DIR", "The authority's folder")->required();
}

/// Prints the object in the format that is asked for, and the text where that is neither JSON, CSV nor Markdown.
ExitCode Print(const CertsOptions& options, const Json& json, const std::string& text, const Console& console) {
  if (options.format == OutputFormat::kJson) {
    console.out << JsonText(json) << "\n";
  } else if (console.tables.csv || console.tables.markdown) {
    FieldList fields("field", /*indent=*/0);
    for (const auto& [name, value] : json.items()) {
      fields.Add(name, value.is_string() ? value.get<std::string>() : value.dump());
    }
    console.out << fields.Text(console.tables);
  } else {
    console.out << text;
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> RunCertsInit(const CertsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const int64_t seconds, ValidSeconds(options.valid, kAuthorityDays));
  RETURN_IF_ERROR(CreateAuthority(options.authority, options.name, seconds));
  const std::string cert = options.authority + "/ca.crt", key = options.authority + "/ca.key";
  return Print(options, {{"ca", cert}, {"key", key}},
               absl::StrCat(cert, "  for every host: --tls-ca\n", key,
                            "  the authority's key: keep it off the hosts, and backed up\n"),
               console);
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
    if (!options.hosts.empty()) return InvalidArgument("--host is only for the certificate of a server: leave it out");
    ASSIGN_OR_RETURN(const Role role, ParseRole(options.role));
    request.identity = Identity{role, options.subject};
  }
  ASSIGN_OR_RETURN(const IssuedFiles files,
                   IssueCertificate(options.authority, request, options.output, options.force));
  return Print(options,
               {{"cert", files.cert},
                {"key", files.key},
                {"not_after", IsoTime(files.not_after)},
                {"shortened", files.shortened}},
               absl::StrCat(files.cert, "  --tls-cert, valid until ", IsoTime(files.not_after),
                            files.shortened ? ", when the authority ends" : "", "\n", files.key,
                            "  --tls-key, for nobody else\n"),
               console);
}

absl::StatusOr<ExitCode> RunCertsRevoke(const CertsOptions& options, const Console& console) {
  ASSIGN_OR_RETURN(const std::string list, RevokeCertificate(options.authority, options.file));
  return Print(options, {{"revoked", list}},
               list + "  lists it: servers that have this file as --tls-revoked refuse it from now on\n", console);
}

absl::StatusOr<ExitCode> RunCertsShow(const CertsOptions& options, const Console& console) {
  const absl::StatusOr<std::string> pem = ReadTextFile(options.file);
  if (!pem.ok()) return InvalidArgument(ToStd(pem.status().message()));
  const absl::StatusOr<Certificate> certificate = ReadCertificate(*pem);
  if (!certificate.ok()) return WithContext(certificate.status(), options.file);
  const std::string role = certificate->identity.ok() ? std::string(RoleName(certificate->identity->role)) : "none";
  const std::string begin = IsoTime(certificate->not_before), end = IsoTime(certificate->not_after);
  Print(options,
        {{"name", certificate->subject},
         {"role", role},
         {"serial", certificate->serial},
         {"not_before", begin},
         {"not_after", end}},
        absl::StrCat("name     ", certificate->subject, "\nrole     ", role, "\nserial   ", certificate->serial,
                     "\nvalid    ", begin, " to ", end, "\n"),
        console);
  RETURN_IF_ERROR(WithContext(certificate->CheckTime(NowUnixSeconds()), options.file));
  return ExitCode::kOk;
}

}  // namespace

void AddCertsCommands(Commands& commands, CLI::App& app) {
  CertsOptions& options = commands.Keep<CertsOptions>();
  CLI::App& certs =
      commands.AddParent(app, "certs", "Certificates of servers, workers and users, by our own authority");
  certs.footer(
      "A certificate names a role: admin, client (tune) or worker; a server's names its hosts. Files are PEM, keys "
      "have mode 0600.\n\nExamples:\n"
      "  tune certs init --ca certs\n"
      "  tune certs issue server main --ca certs --host tuner.example.org --folder main\n"
      "  tune certs issue worker gpu-a --ca certs --folder gpu-a\n"
      "  tune certs revoke gpu-a/gpu-a.crt --ca certs\n");
  CLI::App& init = commands.Add(certs, "init", "Make an authority in a new folder", RunCertsInit, options);
  AddAuthority(init, options);
  AddText(init, "--name", options.name, "NAME", "Its name");
  AddText(init, "--valid", options.valid, "TIME", "How long: 3650d unless given");
  CLI::App& issue =
      commands.Add(certs, "issue", "Make a key and a certificate; with --force, new ones in place of the old",
                   RunCertsIssue, options);
  AddOperand(issue, "ROLE", options.role, "admin, client, worker or server")
      ->check(OneOf({"admin", "client", "worker", kServerRole}));
  AddOperand(issue, "NAME", options.subject, "Whose: of a host or a user; stays when the certificate is renewed");
  AddAuthority(issue, options);
  issue.add_option("--host", options.hosts, "Of a server: a name or address by which it is dialled; again for another")
      ->type_name("HOST");
  AddText(issue, "--valid", options.valid, "TIME", "How long: 30s, 12h, 90d; 90d unless given");
  AddText(issue, "--folder", options.output, "DIR", "Where NAME.crt and NAME.key go");
  AddForce(issue, options.force);
  CLI::App& revoke =
      commands.Add(certs, "revoke", "Put a certificate on the list that servers refuse", RunCertsRevoke, options);
  AddOperand(revoke, "FILE", options.file, "The certificate");
  AddAuthority(revoke, options);
  CLI::App& show =
      commands.Add(certs, "show", "Whose a certificate is, and how long it is valid", RunCertsShow, options);
  AddOperand(show, "FILE", options.file, "The certificate");
  for (CLI::App* command : {&init, &issue, &revoke, &show}) commands.AddFormats(*command, options.format, kOneThing);
}

}  // namespace mmtune
