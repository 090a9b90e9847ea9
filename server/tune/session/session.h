// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who tunes: a coordinator in this process with a worker of its own, the coordinator that already has the log, or a
// server elsewhere. Commands see one client.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/types/device_info.h"
#include "server/rpc/server.h"
#include "server/tune/session/local_worker.h"
#include "server/tune/session/run_folder.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {

struct SessionOptions {
  std::string server;    ///< Empty: none named, the log decides.
  TlsFiles tls;          ///< For that server, or for the coordinator that has the log; not given: as configured.
  std::string log_path;  ///< Empty: DefaultLogPath().
  DeviceSelector device;
  std::optional<double> wait;  ///< Seconds that our own worker waits for its device; not given: for ever.
};

/// $XDG_DATA_HOME/mmtune/tuning.db or ~/.local/share/mmtune/tuning.db. kLog when there is no home (UserFolder).
absl::StatusOr<std::string> DefaultLogPath();

/// `path`, or the default one, as the log itself resolves it: absolute, without symbolic links. With `create_folder`,
/// the default's folder is made when absent. Errors have exit code kLog.
absl::StatusOr<std::string> ResolveLogPath(const std::string& path, bool create_folder);

/// Ends the worker, then the coordinator, when destroyed. Not thread-safe; destroy on the thread that opened it.
class Session {
 public:
  /// Errors carry exit codes. An interrupt while it waits for the log is kInterrupted.
  static absl::StatusOr<std::unique_ptr<Session>> Open(const SessionOptions& options);
  ~Session();

  TuningClient& client() { return *client_; }
  /// The coordinator belongs to another process that had the log; it may go away before our job is done.
  bool joined() const { return joined_; }
  /// The log, and who has it when that is not this process.
  const std::string& log_text() const { return log_text_; }
  /// kDevice once our own worker, if we have one, has ended for good.
  absl::Status CheckWorker();
  /// Between two questions to the coordinator: returns after `limit`, or at once when our own worker has ended.
  void Pause(Duration limit);
  /// What the user is to be told about it since the last call.
  std::vector<std::string> WorkerNotes();
  /// kLog once our own coordinator, if we have one, could not write the log for some seconds.
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
