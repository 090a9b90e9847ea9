// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/tls/certificate.h"

#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <algorithm>
#include <ctime>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/tls/openssl_types.h"
#include "proto/types/fields.h"

namespace mmtune {
namespace {

constexpr std::string_view kScheme = "mmtune:";
constexpr size_t kLongestName = 64;
constexpr Named<Role> kRoles[] = {{Role::kAdmin, "admin"}, {Role::kClient, "client"}, {Role::kWorker, "worker"}};

}  // namespace

std::string_view RoleName(Role role) { return NameIn(kRoles, role); }
absl::StatusOr<Role> ParseRole(std::string_view name) { return ValueIn(kRoles, name, "role"); }

std::string Identity::Uri() const { return absl::StrCat(ToAbsl(kScheme), ToAbsl(RoleName(role)), "/", name); }
std::string Identity::Text() const { return absl::StrCat(ToAbsl(RoleName(role)), " ", name); }

absl::Status CheckIdentityName(std::string_view name) {
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](char c) { return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-'; });
  if (plain && !name.empty() && name.size() <= kLongestName) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("the name '", ToAbsl(name), "' is not valid: give 1 to ", kLongestName,
                                      " letters, digits, '.', '_' or '-'"));
}

bool IsIdentityUri(std::string_view uri) { return uri.starts_with(kScheme); }

absl::StatusOr<Identity> ParseIdentity(std::string_view uri) {
  const size_t slash = uri.find('/');
  if (!IsIdentityUri(uri) || slash == std::string_view::npos) {
    return InvalidArgument(absl::StrCat("'", ToAbsl(uri), "' is not mmtune:<role>/<name>"));
  }
  Identity identity;
  ASSIGN_OR_RETURN(identity.role, ParseRole(uri.substr(kScheme.size(), slash - kScheme.size())));
  identity.name = uri.substr(slash + 1);
  RETURN_IF_ERROR(CheckIdentityName(identity.name));
  return identity;
}

namespace {

using NamesPtr = std::unique_ptr<GENERAL_NAMES, OpenSslDeleter<GENERAL_NAMES_free>>;

CertificatePtr NextCertificate(BIO* from) { return CertificatePtr(PEM_read_bio_X509(from, nullptr, nullptr, nullptr)); }

CertificatesPtr AllCertificates(std::string_view pem) {
  CertificatesPtr all(sk_X509_new_null());
  const BioPtr from = ReadFrom(pem);
  while (CertificatePtr next = NextCertificate(from.get())) sk_X509_push(all.get(), next.release());
  ERR_clear_error();  // the end of the text is one
  return all;
}

std::string TextOf(const ASN1_STRING* string) {
  const auto* bytes = reinterpret_cast<const char*>(ASN1_STRING_get0_data(string));
  return std::string(bytes, static_cast<size_t>(ASN1_STRING_length(string)));
}

std::string CommonName(const X509& certificate) {
  const X509_NAME* subject = X509_get_subject_name(&certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at < 0) return "";
  return PlainText(TextOf(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at))));
}

std::string Serial(const X509& certificate) {
  BIGNUM* number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(&certificate), nullptr);
  char* digits = BN_bn2hex(number);
  std::string text = absl::AsciiStrToLower(digits);
  OPENSSL_free(digits);
  BN_free(number);
  return text;
}

int64_t UnixSeconds(const ASN1_TIME* time) {
  tm utc = {};
  return ASN1_TIME_to_tm(time, &utc) == 1 ? static_cast<int64_t>(timegm(&utc)) : 0;
}

absl::StatusOr<Identity> IdentityOf(const X509& certificate) {
  const NamesPtr names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  absl::StatusOr<Identity> identity = InvalidArgument("it has no role: no mmtune:<role>/<name> among its names");
  int found = 0;
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    if (name->type != GEN_URI) continue;
    const std::string uri = TextOf(name->d.uniformResourceIdentifier);
    if (!IsIdentityUri(uri)) continue;
    if (++found > 1) return InvalidArgument("it has more than one mmtune:<role>/<name> among its names");
    identity = ParseIdentity(uri);
  }
  return identity;
}

Certificate Describe(const X509& found) {
  Certificate certificate{IdentityOf(found), CommonName(found), Serial(found)};
  certificate.not_before = UnixSeconds(X509_get0_notBefore(&found));
  certificate.not_after = UnixSeconds(X509_get0_notAfter(&found));
  return certificate;
}

/// OpenSSL takes a certificate without extended key usage for every use; here a certificate has to name its own.
absl::Status CheckExtendedKeyUsage(X509& leaf, CertificateUse use) {
  const bool client = use == CertificateUse::kClient;
  const bool given = (X509_get_extension_flags(&leaf) & EXFLAG_XKUSAGE) != 0;
  if (given && (X509_get_extended_key_usage(&leaf) & (client ? XKU_SSL_CLIENT : XKU_SSL_SERVER)) != 0) {
    return absl::OkStatus();
  }
  return absl::UnauthenticatedError(absl::StrCat("its extended key usage is ", given ? "for another use" : "missing",
                                                 ": issue it with ", client ? "clientAuth" : "serverAuth"));
}

absl::Status CheckChain(X509& leaf, STACK_OF(X509) & between, STACK_OF(X509) & trusted, CertificateUse use) {
  X509_STORE* store = X509_STORE_new();
  absl::Cleanup free_store = [store] { X509_STORE_free(store); };
  for (int i = 0; i < sk_X509_num(&trusted); ++i) X509_STORE_add_cert(store, sk_X509_value(&trusted, i));
  X509_STORE_CTX* check = X509_STORE_CTX_new();
  absl::Cleanup free_check = [check] { X509_STORE_CTX_free(check); };
  if (X509_STORE_CTX_init(check, store, &leaf, &between) != 1) return Internal(OpenSslError());
  X509_STORE_CTX_set_flags(check, X509_V_FLAG_NO_CHECK_TIME);
  X509_STORE_CTX_set_purpose(check, use == CertificateUse::kClient ? X509_PURPOSE_SSL_CLIENT : X509_PURPOSE_SSL_SERVER);
  const bool issued = X509_verify_cert(check) == 1;
  ERR_clear_error();
  if (issued) return CheckExtendedKeyUsage(leaf, use);
  return absl::UnauthenticatedError(absl::StrCat("it was not issued by our authority for this use: ",
                                                 X509_verify_cert_error_string(X509_STORE_CTX_get_error(check))));
}

}  // namespace

int64_t NowUnixSeconds() { return std::time(nullptr); }

std::string IsoTime(int64_t unix_seconds) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", absl::FromUnixSeconds(unix_seconds), absl::UTCTimeZone());
}

std::string Certificate::Text() const {
  return absl::StrCat(identity.ok() ? identity->Text() : subject, ", serial ", serial);
}

absl::Status Certificate::CheckTime(int64_t unix_seconds) const {
  if (unix_seconds > not_after) {
    return absl::UnauthenticatedError(absl::StrCat("it expired at ", IsoTime(not_after), ": issue a new one"));
  }
  if (unix_seconds < not_before) {
    return absl::UnauthenticatedError(
        absl::StrCat("it is not valid before ", IsoTime(not_before), ": are the clocks of both hosts right?"));
  }
  return absl::OkStatus();
}

absl::StatusOr<Certificate> ReadCertificate(std::string_view pem) {
  const CertificatePtr found = NextCertificate(ReadFrom(pem).get());
  if (found == nullptr)
    return InvalidArgument(absl::StrCat("the file has no certificate in PEM form: ", OpenSslError()));
  return Describe(*found);
}

std::vector<Certificate> ReadCertificates(std::string_view pem) {
  const CertificatesPtr all = AllCertificates(pem);
  std::vector<Certificate> certificates;
  for (int i = 0; i < sk_X509_num(all.get()); ++i) certificates.push_back(Describe(*sk_X509_value(all.get(), i)));
  return certificates;
}

absl::Status CheckUse(std::string_view pem, CertificateUse use) {
  const CertificatePtr leaf = NextCertificate(ReadFrom(pem).get());
  if (leaf == nullptr) return absl::UnauthenticatedError("no certificate was presented");
  return CheckExtendedKeyUsage(*leaf, use);
}

absl::Status CheckIssuedBy(std::string_view pem, std::string_view intermediates, std::string_view authorities,
                           CertificateUse use) {
  const CertificatePtr leaf = NextCertificate(ReadFrom(pem).get());
  if (leaf == nullptr) return absl::UnauthenticatedError("no certificate was presented");
  const CertificatesPtr trusted = AllCertificates(authorities);
  if (sk_X509_num(trusted.get()) == 0)
    return InvalidArgument("the file has no certificate of an authority in PEM form");
  return CheckChain(*leaf, *AllCertificates(intermediates), *trusted, use);
}

absl::Status CheckAuthorityTime(std::string_view pem, std::string_view intermediates, std::string_view authorities,
                                CertificateUse use, int64_t unix_seconds) {
  const CertificatePtr leaf = NextCertificate(ReadFrom(pem).get());
  const CertificatesPtr trusted = AllCertificates(authorities), valid(sk_X509_new_null());
  std::string out_of_time;
  for (int i = 0; i < sk_X509_num(trusted.get()); ++i) {
    X509* authority = sk_X509_value(trusted.get(), i);
    const int64_t end = UnixSeconds(X509_get0_notAfter(authority));
    if (end >= unix_seconds && UnixSeconds(X509_get0_notBefore(authority)) <= unix_seconds) {
      X509_up_ref(authority);
      sk_X509_push(valid.get(), authority);
    } else {
      out_of_time = absl::StrCat("the authority ", CommonName(*authority), " is valid from ",
                                 IsoTime(UnixSeconds(X509_get0_notBefore(authority))), " to ", IsoTime(end));
    }
  }
  if (out_of_time.empty() || CheckChain(*leaf, *AllCertificates(intermediates), *valid, use).ok()) {
    return absl::OkStatus();
  }
  return absl::UnauthenticatedError(
      absl::StrCat(out_of_time, ", not now: make a new one (tune certs init), and issue every certificate anew"));
}

std::string PlainSerial(std::string_view serial) {
  const size_t first = std::min(serial.find_first_not_of('0'), serial.size());
  return absl::AsciiStrToLower(ToAbsl(serial.substr(first)));
}

absl::StatusOr<std::set<std::string, std::less<>>> ParseRevoked(std::string_view text) {
  std::set<std::string, std::less<>> serials;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(ToAbsl(text), '\n')) {
    ++number;
    const absl::string_view serial = absl::StripAsciiWhitespace(line.substr(0, line.find('#')));
    if (serial.empty()) continue;
    if (!std::all_of(serial.begin(), serial.end(), [](char c) { return absl::ascii_isxdigit(c); })) {
      return InvalidArgument(absl::StrCat("line ", number, " is not a serial in hexadecimal digits"));
    }
    serials.insert(PlainSerial(ToStd(serial)));
  }
  return serials;
}

}  // namespace mmtune
