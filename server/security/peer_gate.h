// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who may come in, and what they may call: mutual TLS with certificates that name a role.
//
// A connection of somebody whose certificate our authority did not sign ends with the handshake, before a byte of HTTP
// is read. Whoever is ours but may not call is told why, call by call: so a certificate that expires or is revoked, and
// an authority that is taken out, counts at once, on open connections too.
#pragma once

#include <grpcpp/grpcpp.h>
#include <grpcpp/security/auth_context.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/mutex.h"
#include "proto/tls/certificate.h"
#include "proto/tls/tls_files.h"
#include "server/security/certificate_watch.h"
#include "server/security/revocation_list.h"
#include "server/security/watched_file.h"

namespace mmtune {

/// Says in the log who was refused and why; the same thing 10 s apart at most. Thread-safe.
class RefusalLog {
 public:
  /// Of whoever has a certificate of ours.
  void Say(std::string_view who, const absl::Status& why);
  /// Of all others, who call themselves what they like: one line for all who are refused for the same reason.
  void SayOfStranger(std::string_view who, const absl::Status& why);

 private:
  struct Said {
    TimePoint last;
    int64_t since = 0;  ///< Refusals without a line.
  };
  void SayOnce(const std::string& key, std::string_view who, const absl::Status& why);

  Mutex mutex_;
  std::map<std::string, Said> said_ ABSL_GUARDED_BY(mutex_);
};

/// Thread-safe.
class PeerGate : public std::enable_shared_from_this<PeerGate> {
 public:
  /// `revoked`: the file of a RevocationList, or empty. Errors as of CheckTlsFiles and RevocationList::Open.
  static absl::StatusOr<std::shared_ptr<PeerGate>> Create(const TlsFiles& files, const std::string& revoked);

  /// What a port is opened with. Renewed files count for connections made after that, without a restart.
  std::shared_ptr<grpc::ServerCredentials> Credentials();

  /// At the handshake. Unauthenticated unless the authority signed the certificate, for those who dial.
  absl::Status CheckPeer(std::string_view pem, std::string_view intermediates);
  /// At each call. Unauthenticated: no certificate of ours, or not any more: expired, revoked, or its authority is out
  /// of the file. PermissionDenied: of another role.
  absl::Status CheckCall(const std::string& pem, const std::string& intermediates, std::string_view path);

  /// Adds until when the server's own certificate and those that the workers last showed are valid, and why its files
  /// cannot be used, where they cannot. Reads no file.
  void AddExpiry(v1::ServerInfo* info) const;

 private:
  PeerGate(const TlsFiles& files, std::unique_ptr<CertificateWatch> own, std::unique_ptr<RevocationList> revoked);
  struct Shown {
    absl::StatusOr<Certificate> certificate;
    absl::Status issued;      ///< By one of our authorities,
    int64_t authorities = 0;  ///< as they were then.
  };
  using SharedShown = std::shared_ptr<const Shown>;
  SharedShown Read(const std::string& pem, const std::string& intermediates);

  const std::unique_ptr<CertificateWatch> own_;
  const std::unique_ptr<RevocationList> revoked_;
  RefusalLog refusals_;
  mutable Mutex mutex_;
  std::string authorities_ ABSL_GUARDED_BY(mutex_);  // PEM
  int64_t authorities_version_ ABSL_GUARDED_BY(mutex_) = 0;
  WatchedFile authorities_file_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, SharedShown> shown_ ABSL_GUARDED_BY(mutex_);       // by the PEM of all
  std::map<std::string, int64_t> workers_expire_ ABSL_GUARDED_BY(mutex_);  // by name, in seconds since 1970
};

/// Who calls, which CheckCall has let pass; nullopt on a transport without certificates, where whoever can connect may
/// do anything.
std::optional<Identity> CallerOf(const grpc::CallbackServerContext& context);

}  // namespace mmtune
