// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The coordinator (which runs tuning jobs on workers, coordinator.h) with its gRPC server as a library, for
// mmtune-server and for the `tune` command, which can embed it. Also the health service alone, on an address of its
// own.
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
#include "server/coordinator/job_table.h"
#include "server/coordinator/log_writer.h"

namespace grpc {
class CallbackGenericService;
class Server;
}  // namespace grpc

namespace mmtune {

/// The longest time of a connection's handshake, in milliseconds.
inline constexpr int kHandshakeMillis = 10'000;

/// A server of gRPC's health service (grpc.health.v1) alone. It needs no TLS, and so serves probes without
/// certificates, such as those of Kubernetes. It answers "not serving" until SetServing(true), and stops when it is
/// destroyed. Thread-safe.
class HealthListener {
 public:
  /// Starts to serve `address`, such as "0.0.0.0:7078". Returns InvalidArgument if the address is malformed, and
  /// Unavailable if it cannot be bound.
  static absl::StatusOr<std::unique_ptr<HealthListener>> Start(const std::string& address);
  ~HealthListener();

  /// Returns the address to which probes connect, with the real port.
  const std::string& address() const { return address_; }
  /// Sets whether the answer is "serving" from now on.
  void SetServing(bool serving);

 private:
  HealthListener(std::string address, std::unique_ptr<grpc::CallbackGenericService> others,
                 std::unique_ptr<grpc::Server> server);

  const std::string address_;
  const std::unique_ptr<grpc::CallbackGenericService> others_;
  const std::unique_ptr<grpc::Server> server_;
};

struct ServerOptions {
  /// The address to serve: "127.0.0.1:7077", "[::1]:0" (any free port) or "unix:/path" (a socket with mode 0600). A TCP
  /// port needs `tls`, or `insecure_loopback` and a loopback address.
  std::string listen;
  TlsFiles tls;                    ///< If given, callers on a TCP port need certificates of this authority.
  std::string revoked;             ///< The path of a file of revoked serials (RevocationList); empty if there is none.
  bool insecure_loopback = false;  ///< Allows a loopback port without TLS, on which every user of this host may call.
  /// The path of the tuning log. It is created if it does not exist, and locked while the server runs.
  std::string log_path;
  /// True for a daemon: unfinished jobs of the log are resumed, and at the shutdown workers are left to wait for the
  /// next daemon. False for an embedded coordinator: unfinished jobs are marked as interrupted, and workers are told to
  /// end.
  bool resume_jobs = true;
  bool discard_unused_log = false;                ///< Removes the log at the end if it was new and has no records.
  Duration lease_ttl = std::chrono::seconds(30);  ///< The time after its worker's last heartbeat when a lease expires.
  Duration heartbeat = std::chrono::seconds(5);   ///< The interval at which workers are told to send heartbeats.
  ClientQuota quota = kDefaultQuota;              ///< The limits for each client.
  /// True to quarantine workers whose results are contradicted. False if there is no other worker and no admin.
  bool quarantine = true;
  Duration max_wait{};  ///< The longest time that a job waits for a device before it fails; 0 means no limit.
  /// Called once, on the log writer's thread, if the log's files were deleted or replaced. The server then refuses
  /// every call. Its owner should shut it down, on another thread: Shutdown() waits for this one.
  std::function<void(const absl::Status& why)> on_log_lost;
  /// Called on the log writer's thread after each commit that wrote something; may be null.
  std::function<void(const LogChanges& changes)> on_commit;
};

/// The state of a server at one moment, for metrics.
struct ServerFigures {
  v1::ServerInfo info;                     ///< The answer that GetServerInfo would give.
  std::map<JobState, int64_t> unfinished;  ///< The number of unfinished jobs by state.
  int64_t candidates = 0;                  ///< The number of queued candidates.
};

/// True for errors of Server::Start that concern the address, and not the log.
bool IsBindFailure(const absl::Status& status);

/// A server of the services of mmtune.v1 and of the health service. It stops when it is destroyed.
class Server {
 public:
  /// Starts to serve. Returns the errors of OpenTuningLog and PeerGate::Create, InvalidArgument for an address that is
  /// malformed or not protected, and Unavailable if the address cannot be bound. If another process has locked the log,
  /// `*owner_endpoint` is set to that process's address.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                                       std::string* owner_endpoint = nullptr);
  virtual ~Server() = default;

  /// Returns the address to which clients connect, with the real port.
  virtual const std::string& address() const = 0;

  /// Returns why the tuning log cannot be written, if that has lasted for at least the time `at_least` or is final; OK
  /// otherwise. Thread-safe.
  virtual absl::Status LogStatus(Duration at_least) const = 0;

  /// Returns the number of calls that wait for the log writer. Thread-safe.
  virtual size_t QueuedRequests() const = 0;

  /// Returns the state. Returns Unavailable if the log writer does not answer within `limit`, or the log cannot be
  /// written. Thread-safe.
  virtual absl::StatusOr<ServerFigures> Figures(Duration limit) = 0;

  /// Refuses new work, answers the calls that wait, and ends the threads after their queued work is done. Calls that
  /// are not answered within `deadline` are cancelled. May be called more than once.
  virtual void Shutdown(Duration deadline) = 0;
};

}  // namespace mmtune
