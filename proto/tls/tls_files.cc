// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/tls/tls_files.h"

#include <openssl/pem.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/tls/openssl_types.h"

namespace mmtune {
namespace {

absl::StatusOr<std::string> ReadNamed(const char* option, const std::string& path) {
  absl::StatusOr<std::string> text = ReadTextFile(path);
  if (text.ok()) return text;
  return InvalidArgument(absl::StrCat(option, ": ", text.status().message()));
}

absl::Status CheckPrivate(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    return InvalidArgument(absl::StrCat("--tls-key: cannot read ", path, ": ", std::strerror(errno)));
  }
  const mode_t forbidden = info.st_uid == 0 ? S_IWGRP | S_IXGRP | S_IRWXO : S_IRWXG | S_IRWXO;
  if ((info.st_mode & forbidden) == 0) return absl::OkStatus();
  return InvalidArgument(
      absl::StrFormat("--tls-key: other users can read or change %s (mode %04o): chmod 600 it, and "
                      "issue a new one if somebody may have read it",
                      path, info.st_mode & 07777));
}

absl::Status CheckPair(const TlsFiles& files, std::string_view cert, std::string_view key) {
  const KeyPtr secret(PEM_read_bio_PrivateKey(
      ReadFrom(key).get(), nullptr, [](char*, int, int, void*) { return -1; }, nullptr));  // asks for no passphrase
  if (secret == nullptr) {
    return InvalidArgument(absl::StrCat("--tls-key: ", files.key,
                                        " is not a private key in PEM form without a passphrase: ", OpenSslError()));
  }
  const CertificatePtr shown(PEM_read_bio_X509(ReadFrom(cert).get(), nullptr, nullptr, nullptr));
  const bool pair = X509_check_private_key(shown.get(), secret.get()) == 1;
  ERR_clear_error();
  if (pair) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("--tls-key: ", files.key, " is not the key of the certificate ", files.cert));
}

}  // namespace

std::string FromEnvironment(const TlsFiles& files) {
  std::vector<std::string> variables;
  for (auto [variable, file] :
       {std::pair{kTlsCaVariable, &files.ca}, {kTlsCertVariable, &files.cert}, {kTlsKeyVariable, &files.key}}) {
    const char* value = getenv(variable);
    if (value != nullptr && !file->empty() && *file == value) variables.emplace_back(variable);
  }
  if (variables.empty()) return "";
  return absl::StrCat(" (of ", absl::StrJoin(variables, ", "), " in the environment)");
}

absl::StatusOr<LoadedTls> LoadTlsFiles(const TlsFiles& files, CertificateUse use) {
  ASSIGN_OR_RETURN(const std::string ca, ReadNamed("--tls-ca", files.ca));
  ASSIGN_OR_RETURN(std::string cert, ReadNamed("--tls-cert", files.cert));
  RETURN_IF_ERROR(CheckPrivate(files.key));
  ASSIGN_OR_RETURN(std::string key, ReadNamed("--tls-key", files.key));
  absl::StatusOr<Certificate> certificate = ReadCertificate(cert);
  if (!certificate.ok()) return WithContext(certificate.status(), absl::StrCat("--tls-cert: ", files.cert));
  RETURN_IF_ERROR(CheckPair(files, cert, key));
  const absl::Status issued = CheckIssuedBy(cert, cert, ca, use);
  if (absl::IsInvalidArgument(issued)) return WithContext(issued, absl::StrCat("--tls-ca: ", files.ca));
  const std::string which = absl::StrCat("the certificate ", files.cert, " (", certificate->Text(), ")");
  if (!issued.ok()) return WithContext(issued, absl::StrCat(which, " cannot be used with ", files.ca));
  if (use == CertificateUse::kClient && !certificate->identity.ok()) {
    return absl::UnauthenticatedError(
        absl::StrCat(which, " cannot be used: ", certificate->identity.status().message()));
  }
  const int64_t now = NowUnixSeconds();
  RETURN_IF_ERROR(WithContext(CheckAuthorityTime(cert, cert, ca, use, now), absl::StrCat("--tls-ca: ", files.ca)));
  RETURN_IF_ERROR(WithContext(certificate->CheckTime(now), which + " cannot be used"));
  return LoadedTls{*std::move(certificate), std::move(cert), std::move(key)};
}

absl::StatusOr<Certificate> CheckTlsFiles(const TlsFiles& files, CertificateUse use) {
  ASSIGN_OR_RETURN(LoadedTls loaded, LoadTlsFiles(files, use));
  return std::move(loaded.certificate);
}

}  // namespace mmtune
