// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coordinator as a library: what mmtune-server runs and what `tune` embeds. One code path.
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
#include "server/coordinator/client_quota.h"
#include "server/coordinator/log_observer.h"

namespace mmtune {

struct ServerOptions {
  /// "127.0.0.1:7077", "[::1]:0" (a free port) or "unix:/path" (made 0600). A TCP port needs `tls`, or, on a loopback
  /// address, `insecure_loopback`.
  std::string listen;
  TlsFiles tls;         ///< Given: a TCP port takes certificates of this authority only.
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
  /// Workers whose results are not believed get no more leases; not where there is no other worker and no admin.
  bool quarantine = true;
  Duration max_wait{};  ///< Jobs that wait for a device for longer fail; 0: they wait for ever.
  /// Called once, on a thread of the server, when the log's files were deleted or replaced under it: the server answers
  /// no call from then on, and is to be shut down.
  std::function<void(const absl::Status& why)> on_log_lost;
  std::shared_ptr<LogObserver> observer;  ///< Told of what is logged; null: nobody.
};

/// The state of a server at one moment.
struct ServerFigures {
  v1::ServerInfo info;                     ///< As GetServerInfo answers.
  std::map<JobState, int64_t> unfinished;  ///< Jobs, by state.
  int64_t candidates = 0;                  ///< Queued ones.
};

/// True for the errors of Server::Start that come from the address, not from the log.
bool IsBindFailure(const absl::Status& status);

/// Starts serving mmtune.v1 (Tuning, WorkQueue, health) and stops when destroyed.
class Server {
 public:
  /// Errors as OpenTuningLog gives them (with the owner's endpoint in `*owner_endpoint` when the log is locked), and:
  /// InvalidArgument for a bad address or one without protection, Unavailable when it cannot be bound, and what
  /// PeerGate::Create says of certificates.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                                       std::string* owner_endpoint = nullptr);
  virtual ~Server() = default;

  /// What clients dial: the port is the real one.
  virtual const std::string& address() const = 0;

  /// Why the tuning log cannot be written, if it could not for `at_least` or never will; OK otherwise. Thread-safe.
  virtual absl::Status LogStatus(Duration at_least) const = 0;

  /// Calls that wait for the record writer. Thread-safe.
  virtual size_t QueuedRequests() const = 0;

  /// Asks the record writer. Unavailable: no answer within `limit`, or the log cannot be written. Thread-safe.
  virtual absl::StatusOr<ServerFigures> Figures(Duration limit) = 0;

  /// Stops taking work, answers long polls, lets the record writer finish, checkpoints the log. Idempotent; returns
  /// within `deadline` plus the time of one commit.
  virtual void Shutdown(Duration deadline) = 0;
};

}  // namespace mmtune
