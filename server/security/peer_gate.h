// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Authentication by mutual TLS, and access control by role and method. A client's certificate contains its role.
//
// A connection is refused in the handshake if no authority of the server signed its certificate. Expiry, revocation,
// removed authorities and roles are checked at each call, so that a change also affects open connections, and the
// caller learns why it is refused.
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

/// Checks that a role may call the method with this path, such as "/mmtune.v1.Tuning/GetJob". Returns PermissionDenied
/// with the roles that may. No role may call a method that is not in the table of this function. Thread-safe.
absl::Status CheckAccess(Role role, std::string_view path);

/// Logs refused peers with the reason, but the same refusal at most once in 10 s. Thread-safe.
class RefusalLog {
 public:
  /// Logs the refusal of a peer whose certificate an authority of the server signed. `who` names the peer.
  void Log(std::string_view who, const absl::Status& why);
  /// Logs the refusal of any other peer. Its name cannot be trusted, so that all peers that are refused for the same
  /// reason share one line.
  void LogUnknownPeer(std::string_view who, const absl::Status& why);

 private:
  struct Logged {
    TimePoint last;
    int64_t since = 0;  ///< The number of refusals since then, which were not logged.
  };
  void LogOnce(const std::string& key, std::string_view who, const absl::Status& why);

  Mutex mutex_;
  std::map<std::string, Logged> logged_ ABSL_GUARDED_BY(mutex_);
};

/// Checks the certificates of connections and calls. Thread-safe.
class PeerGate : public std::enable_shared_from_this<PeerGate> {
 public:
  /// Loads the files. `revoked` is the path of a file of revoked serials (RevocationList), or empty. Returns the errors
  /// of LoadTlsFiles and RevocationList::Open.
  static absl::StatusOr<std::shared_ptr<PeerGate>> Create(const TlsFiles& files, const std::string& revoked);

  /// Returns the credentials for a gRPC port. They use renewed files for later connections, without a restart.
  std::shared_ptr<grpc::ServerCredentials> Credentials();

  /// Checks a peer in the handshake. `pem` is its certificate, and `intermediates` are the certificates between it and
  /// an authority, all in PEM. Returns Unauthenticated unless an authority signed the certificate for use by a client.
  absl::Status CheckPeer(std::string_view pem, std::string_view intermediates);
  /// Checks a call of the method with this path. `pem` and `intermediates` are as for CheckPeer(). Returns
  /// Unauthenticated if the certificate is missing, expired, revoked, or signed by a removed authority, and
  /// PermissionDenied if its role may not call the method.
  absl::Status CheckCall(const std::string& pem, const std::string& intermediates, std::string_view path);

  /// Adds to `info` when the certificates of the server and of the workers expire, and why the server's renewed files
  /// cannot be used. Reads no file.
  void AddExpiry(v1::ServerInfo* info) const;

 private:
  PeerGate(const TlsFiles& files, std::unique_ptr<CertificateWatch> own, std::unique_ptr<RevocationList> revoked);
  /// A certificate that a peer presented, after parsing and checking its signature.
  struct PresentedCertificate {
    absl::StatusOr<Certificate> certificate;
    absl::Status issued;      ///< OK if an authority of the server signed it.
    int64_t authorities = 0;  ///< The version of the authorities against which it was checked.
  };
  using SharedCertificate = std::shared_ptr<const PresentedCertificate>;
  /// Returns the certificate from a cache, or parses and checks it.
  SharedCertificate Read(const std::string& pem, const std::string& intermediates);

  const std::unique_ptr<CertificateWatch> own_;
  const std::unique_ptr<RevocationList> revoked_;
  RefusalLog refusals_;
  mutable Mutex mutex_;
  std::string authorities_ ABSL_GUARDED_BY(mutex_);  // their certificates in PEM
  int64_t authorities_version_ ABSL_GUARDED_BY(mutex_) = 0;
  WatchedFile authorities_file_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, SharedCertificate> shown_ ABSL_GUARDED_BY(mutex_);  // by the PEM of all certificates
  std::map<std::string, int64_t> workers_expire_ ABSL_GUARDED_BY(mutex_);   // by name, in Unix seconds
};

/// Returns the identity of a caller that passed CheckCall. Returns nullopt on a transport without certificates, where
/// everybody who can connect may call every method.
std::optional<Identity> CallerOf(const grpc::CallbackServerContext& context);

}  // namespace mmtune
