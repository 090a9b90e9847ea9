// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds or starts the coordinator of a command, and the device that a job will get.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/tls/server_endpoint.h"
#include "proto/types/device_info.h"
#include "server/rpc/server.h"
#include "server/tune/session/local_worker.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {

/// Returns the device of a live worker for a job with `selector`, as the coordinator chooses it: CUDA before SIMT,
/// workers in the order listed. Points into `info`; null if there is none.
const v1::DeviceInfo* MatchingDevice(const v1::ServerInfo& info, const DeviceSelector& selector);

/// True if a job for `selector` needs a worker of our own: no device matches, or `auto` would choose the SIMT device
/// although this host has CUDA devices.
bool NeedsOwnWorker(const v1::ServerInfo& info, const DeviceSelector& selector, bool host_has_cuda);

/// True if the control device of the CUDA driver exists.
bool HostHasCuda();

/// Returns `server`, or if that is empty, the process that has `log` (empty: the default one) open for writing. Errors
/// have exit code kServer if there is none, kLog if there is no such log, kUsage for an invalid address.
absl::StatusOr<ServerEndpoint> FindCoordinator(const std::string& server, const TlsFiles& tls, const std::string& log);

struct SessionOptions {
  std::string server;    ///< Empty: the log decides.
  TlsFiles tls;          ///< For that server, or the coordinator that has the log; unset: as configured.
  std::string log_path;  ///< Empty: DefaultLogPath().
  DeviceSelector device;
  std::optional<double> wait;  ///< Seconds that our own worker waits for its device; absent: no limit.
};

/// Returns $XDG_DATA_HOME/mmtune/tuning.db or ~/.local/share/mmtune/tuning.db; kLog if there is no home (UserFolder).
absl::StatusOr<std::string> DefaultLogPath();

/// Resolves `path`, or the default one, as the log does: absolute, without symbolic links. With `create_folder`,
/// creates the folder of the default. Errors have exit code kLog.
absl::StatusOr<std::string> ResolveLogPath(const std::string& path, bool create_folder);

/// A connection to a coordinator: one in this process with a worker of its own, the one that already has the log, or a
/// server. Ends the worker, then the coordinator, when destroyed. Not thread-safe; destroy it on the thread that opened
/// it.
class Session {
 public:
  /// Errors have exit codes. An interrupt while it waits for the log is kInterrupted.
  static absl::StatusOr<std::unique_ptr<Session>> Open(const SessionOptions& options);
  ~Session();

  TuningClient& client() { return *client_; }
  /// True if the coordinator belongs to another process that had the log; it may end before our job.
  bool joined() const { return joined_; }
  /// Returns the log, and its owner if that is not this process.
  const std::string& log_text() const { return log_text_; }
  /// Returns kDevice once our own worker, if any, has ended for good.
  absl::Status CheckWorker();
  /// Sleeps between two calls: until `limit`, or until our own worker has ended.
  void Pause(Duration limit);
  /// Returns the new notes for the user about our own worker.
  std::vector<std::string> WorkerNotes();
  /// Returns kLog once our own coordinator, if any, could not write the log for some seconds.
  absl::Status CheckLog() const;

 private:
  Session() = default;
  static absl::StatusOr<std::unique_ptr<Session>> Connect(const SessionOptions& options);
  static absl::StatusOr<std::unique_ptr<Session>> Embed(const SessionOptions& options, const std::string& log_path,
                                                        std::string* owner_endpoint);
  static absl::StatusOr<std::unique_ptr<Session>> Join(const SessionOptions& options, const std::string& address,
                                                       const std::string& log_path);

  absl::Status StartWorker(const SessionOptions& options);
  void AwaitWorker(const v1::ServerInfo& before);

  std::optional<OwnedFolder> folder_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<TuningClient> client_;
  std::optional<LocalWorker> worker_;
  bool joined_ = false;
  std::string log_text_;
};

}  // namespace mmtune
