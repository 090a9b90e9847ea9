// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Authentication by mutual TLS, with certificates that name a role, and access control by role and method.
//
// A connection whose certificate no authority of the server signed ends with the handshake, before a byte of HTTP is
// read. Expiry, revocation, removed authorities and roles are checked at each call, so that they count on open
// connections, too, and the caller is told why it is refused.
#pragma once

#include <grpcpp/grpcpp.h>
#include <grpcpp/security/auth_context.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/mutex.h"
#include "proto/tls/certificate.h"
#include "proto/tls/tls_files.h"
#include "server/security/watched_files.h"

namespace mmtune {

/// PermissionDenied, naming the roles that may, unless `role` may call the method at this path, such as
/// "/mmtune.v1.Tuning/GetJob". What is not in the table nobody may call.
absl::Status CheckAccess(Role role, std::string_view path);

/// Logs who was refused and why, the same refusal at most once in 10 s. Thread-safe.
class RefusalLog {
 public:
  /// Logs the refusal of a peer with a certificate of an authority of the server.
  void Say(std::string_view who, const absl::Status& why);
  /// Logs the refusal of any other peer, whose name means nothing: one line for all that are refused for one reason.
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
  /// `revoked` is the file of a RevocationList, or empty. Returns the errors of CheckTlsFiles and RevocationList::Open.
  static absl::StatusOr<std::shared_ptr<PeerGate>> Create(const TlsFiles& files, const std::string& revoked);

  /// Returns the credentials to open a port with. Renewed files count for later connections, without a restart.
  std::shared_ptr<grpc::ServerCredentials> Credentials();

  /// Checks a peer at the handshake. Unauthenticated unless an authority signed its certificate, for use by a client.
  absl::Status CheckPeer(std::string_view pem, std::string_view intermediates);
  /// Checks a call. Unauthenticated if the certificate is missing, expired, revoked or of a removed authority.
  /// PermissionDenied if its role may not call the method.
  absl::Status CheckCall(const std::string& pem, const std::string& intermediates, std::string_view path);

  /// Adds when the certificates of the server and of the workers expire, and why the server's files cannot be used, if
  /// they cannot. Reads no file.
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

/// Returns the identity of a caller that passed CheckCall; nullopt on a transport without certificates, where whoever
/// can connect may do anything.
std::optional<Identity> CallerOf(const grpc::CallbackServerContext& context);

}  // namespace mmtune
