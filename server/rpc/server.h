// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coordinator with its gRPC server as a library, for mmtune-server and for a `tune` that embeds it; and the health
// service on an address of its own.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/tls/tls_files.h"
#include "server/coordinator/job_spec.h"
#include "server/coordinator/log_transaction.h"

namespace grpc {
class CallbackGenericService;
class Server;
}  // namespace grpc

namespace mmtune {

/// The time that the handshake of a connection to any port may take.
inline constexpr int kHandshakeMillis = 10'000;

/// gRPC's health service (grpc.health.v1) alone, without TLS, for probes that know no certificates, such as those of
/// Kubernetes. Answers "not serving" until SetServing(true), and ends when it is destroyed. Thread-safe.
class HealthListener {
 public:
  /// Binds `address`, which is as for mmtune-server's --listen, of any interface. InvalidArgument if it is malformed,
  /// Unavailable if it cannot be bound.
  static absl::StatusOr<std::unique_ptr<HealthListener>> Start(const std::string& address);
  ~HealthListener();

  /// Returns the address that probes dial, with the real port.
  const std::string& address() const { return address_; }
  /// Sets the answer from now on.
  void SetServing(bool serving);

 private:
  HealthListener(std::string address, std::unique_ptr<grpc::CallbackGenericService> others,
                 std::unique_ptr<grpc::Server> server);

  const std::string address_;
  const std::unique_ptr<grpc::CallbackGenericService> others_;
  const std::unique_ptr<grpc::Server> server_;
};

struct ServerOptions {
  /// "127.0.0.1:7077", "[::1]:0" (a free port) or "unix:/path" (made 0600). A TCP port needs `tls`, or, on a loopback
  /// address, `insecure_loopback`.
  std::string listen;
  TlsFiles tls;         ///< If given, a TCP port takes only certificates of this authority.
  std::string revoked;  ///< The file of a RevocationList; empty: none.
  bool insecure_loopback = false;
  /// The tuning log; created when absent, locked while the server runs.
  std::string log_path;
  /// Jobs found unfinished in the log: a daemon resumes them, an embedded coordinator marks them interrupted (its user
  /// submits again, and everything measured is reused). The workers of a daemon that shuts down wait for the next one,
  /// those of an embedded coordinator are told to end.
  bool resume_jobs = true;
  bool discard_unused_log = false;  ///< See TuningLogOptions::discard_unused.
  Duration lease_ttl = std::chrono::seconds(30);
  Duration heartbeat = std::chrono::seconds(5);
  ClientQuota quota = kDefaultQuota;
  /// Quarantines workers whose results are contradicted; off if there is no other worker and no admin.
  bool quarantine = true;
  Duration max_wait{};  ///< Jobs that wait longer for a device fail; 0: they wait for ever.
  /// Called once, on a thread of the server, when the log's files were deleted or replaced under it: the server answers
  /// no call from then on, and is to be shut down.
  std::function<void(const absl::Status& why)> on_log_lost;
  /// Called with the changes of each batch that wrote something, on the thread that writes the log; null: not called.
  std::function<void(const LogChanges& changes)> on_commit;
};

/// The state of a server at one moment.
struct ServerFigures {
  v1::ServerInfo info;                     ///< The answer of GetServerInfo.
  std::map<JobState, int64_t> unfinished;  ///< The number of unfinished jobs by state.
  int64_t candidates = 0;                  ///< The number of queued candidates.
};

/// True for the errors of Server::Start that come from the address, not from the log.
bool IsBindFailure(const absl::Status& status);

/// Starts serving mmtune.v1 (Tuning, WorkQueue, health) and stops when destroyed.
class Server {
 public:
  /// Returns the errors of OpenTuningLog (with the owner's endpoint in `*owner_endpoint` if the log is locked) and of
  /// PeerGate::Create, InvalidArgument for a bad address or one without protection, and Unavailable if it cannot be
  /// bound.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                                       std::string* owner_endpoint = nullptr);
  virtual ~Server() = default;

  /// Returns the address that clients dial, with the real port.
  virtual const std::string& address() const = 0;

  /// Returns why the tuning log cannot be written, if it could not for `at_least` or never will; OK otherwise.
  /// Thread-safe.
  virtual absl::Status LogStatus(Duration at_least) const = 0;

  /// Returns the number of calls that wait for the log writer. Thread-safe.
  virtual size_t QueuedRequests() const = 0;

  /// Asks the log writer for the state. Unavailable if it does not answer within `limit` or the log cannot be written.
  /// Thread-safe.
  virtual absl::StatusOr<ServerFigures> Figures(Duration limit) = 0;

  /// Stops taking work, answers long polls, lets the log writer finish, checkpoints the log. Idempotent; returns
  /// within `deadline` plus the time of one commit.
  virtual void Shutdown(Duration deadline) = 0;
};

}  // namespace mmtune
