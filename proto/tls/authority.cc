// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/tls/authority.h"

#include <fcntl.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "proto/base/output_file.h"
#include "proto/base/server_address.h"
#include "proto/base/status.h"
#include "proto/base/whole_file.h"
#include "proto/tls/certificate.h"
#include "proto/tls/openssl_types.h"

namespace mmtune {
namespace {

constexpr int kVersion3 = 2;  // as X.509 counts
constexpr int kSerialBytes = 16;
constexpr int64_t kClockSlack = 300;

using ExtensionPtr = std::unique_ptr<X509_EXTENSION, OpenSslDeleter<X509_EXTENSION_free>>;

absl::Status Failed(const char* what) { return Internal(absl::StrCat("cannot ", what, ": ", OpenSslError())); }

absl::StatusOr<std::string> PemText(const std::function<int(BIO*)>& write) {
  const BioPtr memory(BIO_new(BIO_s_mem()));
  if (write(memory.get()) != 1) return Failed("write PEM");
  char* bytes = nullptr;
  const auto size = static_cast<size_t>(BIO_get_mem_data(memory.get(), &bytes));
  return std::string(bytes, size);
}

absl::StatusOr<std::string> CertificatePem(X509* certificate) {
  return PemText([certificate](BIO* out) { return PEM_write_bio_X509(out, certificate); });
}

absl::StatusOr<std::string> KeyPem(EVP_PKEY* key) {
  return PemText([key](BIO* out) { return PEM_write_bio_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr); });
}

std::function<absl::Status(std::ostream&)> Writes(const std::string& text) {
  return [text](std::ostream& out) {
    out << text;
    return absl::OkStatus();
  };
}

/// Both or neither: one is of no use with another's, or without.
absl::Status WritePair(const std::string& cert, X509* certificate, const std::string& key, EVP_PKEY* secret,
                       bool force) {
  ASSIGN_OR_RETURN(const std::string key_pem, KeyPem(secret));
  ASSIGN_OR_RETURN(const std::string pem, CertificatePem(certificate));
  return WriteOutputs({{key, /*secret=*/true, Writes(key_pem)}, {cert, /*secret=*/false, Writes(pem)}}, force);
}

absl::Status AddExtension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const ExtensionPtr extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  if (extension == nullptr || X509_add_ext(certificate, extension.get(), -1) != 1) {
    return InvalidArgument(absl::StrCat("cannot put '", value, "' into a certificate: ", OpenSslError()));
  }
  return absl::OkStatus();
}

/// A certificate for `key` with everything but extensions, issuer and signature.
absl::StatusOr<CertificatePtr> Blank(EVP_PKEY* key, const std::string& name, int64_t seconds) {
  CertificatePtr certificate(X509_new());
  X509_set_version(certificate.get(), kVersion3);
  unsigned char bytes[kSerialBytes];
  if (RAND_bytes(bytes, sizeof bytes) != 1) return Failed("make a serial");
  bytes[0] = (bytes[0] & 0x7f) | 0x40;  // positive, and of its full length
  BIGNUM* serial = BN_bin2bn(bytes, sizeof bytes, nullptr);
  BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(certificate.get()));
  BN_free(serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kClockSlack);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), seconds);
  const auto* text = reinterpret_cast<const unsigned char*>(name.c_str());
  if (X509_set_pubkey(certificate.get(), key) != 1 ||
      X509_NAME_add_entry_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, MBSTRING_UTF8, text, -1, -1,
                                 0) != 1) {
    return Failed("make a certificate");
  }
  return certificate;
}

absl::Status Sign(X509* certificate, X509* issuer, EVP_PKEY* issuer_key) {
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer));
  RETURN_IF_ERROR(AddExtension(certificate, issuer, NID_subject_key_identifier, "hash"));
  RETURN_IF_ERROR(AddExtension(certificate, issuer, NID_authority_key_identifier, "keyid:always"));
  return X509_sign(certificate, issuer_key, EVP_sha256()) > 0 ? absl::OkStatus() : Failed("sign a certificate");
}

std::string AlternativeNames(const CertificateRequest& request) {
  if (request.identity) return absl::StrCat("URI:", request.identity->Uri());
  return absl::StrJoin(request.hosts, ",", [](std::string* out, const std::string& host) {
    absl::StrAppend(out, IsNumericHost(host) ? "IP:" : "DNS:", host);
  });
}

/// Letters, digits and what names and addresses are joined with: a comma would begin another name.
absl::Status CheckHosts(const std::vector<std::string>& hosts) {
  for (const std::string& host : hosts) {
    if (IsNumericHost(host)) continue;
    const absl::Status named = CheckIdentityName(host);
    if (!named.ok()) return InvalidArgument(absl::StrCat("'", host, "' is neither a host's name nor its address"));
  }
  return absl::OkStatus();
}

struct Authority {
  CertificatePtr certificate;
  KeyPtr key;
  int64_t not_after = 0;
};

absl::StatusOr<Authority> OpenAuthority(const std::string& folder) {
  absl::StatusOr<std::string> cert = ReadTextFile(folder + "/ca.crt");
  absl::StatusOr<std::string> key = ReadTextFile(folder + "/ca.key");
  for (const absl::Status& read : {cert.status(), key.status()}) {
    if (!read.ok()) return InvalidArgument(absl::StrCat(read.message(), "; tune certs init makes an authority"));
  }
  Authority authority;
  authority.certificate.reset(PEM_read_bio_X509(ReadFrom(*cert).get(), nullptr, nullptr, nullptr));
  authority.key.reset(PEM_read_bio_PrivateKey(ReadFrom(*key).get(), nullptr, nullptr, nullptr));
  if (authority.certificate == nullptr || authority.key == nullptr) {
    return InvalidArgument(absl::StrCat("the authority in ", folder, " cannot be read: ", OpenSslError()));
  }
  if (X509_check_private_key(authority.certificate.get(), authority.key.get()) != 1) {
    ERR_clear_error();
    return InvalidArgument(absl::StrCat(folder, "/ca.key is not the key of ", folder, "/ca.crt"));
  }
  if (X509_check_ca(authority.certificate.get()) != 1) {
    return InvalidArgument(absl::StrCat(folder, "/ca.crt is not the certificate of an authority"));
  }
  ASSIGN_OR_RETURN(const Certificate itself, ReadCertificate(*cert));
  RETURN_IF_ERROR(WithContext(itself.CheckTime(NowUnixSeconds()), absl::StrCat("the authority ", folder, "/ca.crt")));
  authority.not_after = itself.not_after;
  return authority;
}

absl::Status MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::path path = std::filesystem::absolute(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // "folder/"
  if (std::filesystem::is_directory(path, error)) return absl::OkStatus();
  std::filesystem::create_directories(path.parent_path(), error);
  if (!error && mkdir(path.c_str(), S_IRWXU) != 0) error.assign(errno, std::generic_category());
  if (!error) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("cannot make the folder ", folder, ": ", error.message()));
}

/// Every certificate depends on them: none is made in their place, by whatever path.
absl::Status CheckNotOfAuthority(const std::string& authority, const std::string& output) {
  std::error_code none;
  const std::filesystem::path place = std::filesystem::weakly_canonical(FollowLinks(output), none);
  for (const char* file : {"ca.crt", "ca.key", "revoked"}) {
    const std::filesystem::path own = std::filesystem::weakly_canonical(std::filesystem::path(authority) / file, none);
    if (place != own && !std::filesystem::equivalent(output, own, none)) continue;
    return InvalidArgument(absl::StrCat(output, " is the authority's own: name another folder"));
  }
  return absl::OkStatus();
}

/// Holds the authority's list for one process at a time; closed, and let go of, by whoever has it.
absl::StatusOr<int> LockFolder(const std::string& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0 && flock(fd, LOCK_EX) == 0) return fd;
  const std::string why = strerror(errno);
  if (fd >= 0) close(fd);
  return InvalidArgument(absl::StrCat("cannot lock ", folder, ": ", why));
}

/// Empty where there is none yet.
absl::StatusOr<std::string> ReadRevoked(const std::string& path) {
  struct stat info;
  if (lstat(path.c_str(), &info) != 0 && errno == ENOENT) return "";
  absl::StatusOr<std::string> text = ReadTextFile(path);
  if (!text.ok()) return InvalidArgument(ToStd(text.status().message()));
  if (!text->empty() && !text->ends_with('\n')) *text += '\n';
  return text;
}

}  // namespace

absl::Status CreateAuthority(const std::string& folder, const std::string& name, int64_t seconds) {
  RETURN_IF_ERROR(MakeFolder(folder));
  for (const char* file : {"/ca.crt", "/ca.key"}) {
    std::error_code error;
    if (!std::filesystem::exists(folder + file, error)) continue;
    return InvalidArgument(absl::StrCat(folder, " has an authority already (", folder, file,
                                        "): every certificate depends on it; name another folder"));
  }
  const KeyPtr key(EVP_EC_gen("P-256"));
  if (key == nullptr) return Failed("make a key");
  ASSIGN_OR_RETURN(const CertificatePtr certificate, Blank(key.get(), name, seconds));
  RETURN_IF_ERROR(
      AddExtension(certificate.get(), certificate.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0"));
  RETURN_IF_ERROR(AddExtension(certificate.get(), certificate.get(), NID_key_usage, "critical,keyCertSign,cRLSign"));
  RETURN_IF_ERROR(Sign(certificate.get(), certificate.get(), key.get()));
  return WritePair(folder + "/ca.crt", certificate.get(), folder + "/ca.key", key.get(), /*force=*/false);
}

absl::StatusOr<IssuedFiles> IssueCertificate(const std::string& authority, const CertificateRequest& request,
                                             const std::string& folder, bool force) {
  RETURN_IF_ERROR(CheckIdentityName(request.name));
  RETURN_IF_ERROR(CheckHosts(request.hosts));
  IssuedFiles files = {absl::StrCat(folder, "/", request.name, ".crt"),
                       absl::StrCat(folder, "/", request.name, ".key")};
  if (request.name == "ca") return InvalidArgument("the name 'ca' is the authority's own: name another");
  for (const std::string& output : {files.cert, files.key}) {
    RETURN_IF_ERROR(CheckNotOfAuthority(authority, output));
  }
  ASSIGN_OR_RETURN(const Authority issuer, OpenAuthority(authority));
  const int64_t left = issuer.not_after - NowUnixSeconds();
  files.shortened = request.seconds > left;
  files.not_after = NowUnixSeconds() + std::min(request.seconds, left);
  const KeyPtr key(EVP_EC_gen("P-256"));
  if (key == nullptr) return Failed("make a key");
  ASSIGN_OR_RETURN(const CertificatePtr certificate, Blank(key.get(), request.name, std::min(request.seconds, left)));
  X509* issuer_certificate = issuer.certificate.get();
  const std::pair<int, std::string> extensions[] = {
      {NID_basic_constraints, "critical,CA:FALSE"},
      {NID_key_usage, "critical,digitalSignature"},
      {NID_ext_key_usage, request.identity ? "clientAuth" : "serverAuth"},
      {NID_subject_alt_name, AlternativeNames(request)},
  };
  for (const auto& [kind, value] : extensions) {
    RETURN_IF_ERROR(AddExtension(certificate.get(), issuer_certificate, kind, value));
  }
  RETURN_IF_ERROR(Sign(certificate.get(), issuer_certificate, issuer.key.get()));
  RETURN_IF_ERROR(MakeFolder(folder));
  RETURN_IF_ERROR(WritePair(files.cert, certificate.get(), files.key, key.get(), force));
  return files;
}

absl::StatusOr<std::string> RevokeCertificate(const std::string& authority, const std::string& cert) {
  absl::StatusOr<std::string> pem = ReadTextFile(cert);
  if (!pem.ok()) return InvalidArgument(ToStd(pem.status().message()));
  absl::StatusOr<Certificate> certificate = ReadCertificate(*pem);
  if (!certificate.ok()) return WithContext(certificate.status(), cert);
  absl::StatusOr<std::string> ca = ReadTextFile(authority + "/ca.crt");
  if (!ca.ok()) return InvalidArgument(ToStd(ca.status().message()));
  const CertificateUse use = certificate->identity.ok() ? CertificateUse::kClient : CertificateUse::kServer;
  if (absl::Status issued = CheckIssuedBy(*pem, "", *ca, use); !issued.ok()) {
    return InvalidArgument(absl::StrCat(cert, ": ", issued.message()));
  }
  std::string path = authority + "/revoked";
  const std::string line = absl::StrCat(certificate->serial, "  # ", certificate->Text(), ", valid until ",
                                        IsoTime(certificate->not_after), "\n");
  ASSIGN_OR_RETURN(const int lock, LockFolder(authority));
  absl::Cleanup unlock = [lock] { close(lock); };
  ASSIGN_OR_RETURN(const std::string before, ReadRevoked(path));
  const auto revoked = ParseRevoked(before);
  if (!revoked.ok()) return WithContext(revoked.status(), path);
  if (revoked->contains(PlainSerial(certificate->serial))) return path;
  RETURN_IF_ERROR(WriteOutput(path, /*force=*/true, Writes(before + line)));
  return path;
}

}  // namespace mmtune
