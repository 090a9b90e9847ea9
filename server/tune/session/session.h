// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connects a command of `tune` to a coordinator, which runs tuning jobs on workers and writes the log. The command
// finds one (a server, or a process that has the log open), or starts one in its own process.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/tls/server_endpoint.h"
#include "proto/types/device_info.h"
#include "server/rpc/server.h"
#include "server/tune/session/local_worker.h"
#include "server/tune/session/tuning_client.h"

namespace mmtune {

/// Returns the device that the coordinator would choose for a job with `selector`: of the live workers in their order,
/// the first matching CUDA device or, if there is none, the first matching SIMT device. Returns null if there is none.
/// The result points into `info`.
const v1::DeviceInfo* MatchingDevice(const v1::ServerInfo& info, const DeviceSelector& selector);

/// Returns the toolchain that compiles for MatchingDevice(). Returns null if there is no such device, or if the server
/// does not say it.
const v1::Toolchain* MatchingToolchain(const v1::ServerInfo& info, const DeviceSelector& selector);

/// True if this process must start a worker for a job with `selector`, because no device matches, or because "auto"
/// would choose the SIMT device although this host has CUDA devices.
bool NeedsOwnWorker(const v1::ServerInfo& info, const DeviceSelector& selector, bool host_has_cuda);

/// True if this host has a CUDA driver, that is, if its device file /dev/nvidiactl exists.
bool HostHasCuda();

/// Returns the endpoint of `server`. If that is empty, returns the endpoint of the process that has `log` open for
/// writing; an empty `log` means the default one. Errors have exit code kServer if there is no such process, kLog if
/// there is no such log, and kUsage for an invalid address.
absl::StatusOr<ServerEndpoint> FindCoordinator(const std::string& server, const TlsFiles& tls, const std::string& log);

struct SessionOptions {
  std::string server;    ///< Empty: the coordinator that has the log, or a new one in this process.
  TlsFiles tls;          ///< The certificate files for a connection to the coordinator; not given: no TLS.
  std::string log_path;  ///< Empty: DefaultLogPath().
  DeviceSelector device;
  /// Seconds that a worker started by this process waits for its device; absent: no limit.
  std::optional<double> wait;
};

/// Returns $XDG_DATA_HOME/mmtune/tuning.db or ~/.local/share/mmtune/tuning.db. Returns an error with exit code kLog if
/// the user has no home folder (UserFolder()).
absl::StatusOr<std::string> DefaultLogPath();

/// Returns the absolute path of a log, without symbolic links. An empty `path` means the default log; if
/// `create_folder`, its folder is created. A URL is returned unchanged. Errors have exit code kLog.
absl::StatusOr<std::string> ResolveLogPath(const std::string& path, bool create_folder);

/// A connection to a coordinator: a server, another process that has the log open already, or a coordinator in this
/// process. If necessary, a worker process is started, too. The destructor ends this worker, and then the coordinator
/// in this process. Not thread-safe. Must be destroyed on the thread that opened it.
class Session {
 public:
  /// Opens a session. Errors have exit codes; an interrupt while it waits for the log gives kInterrupted.
  static absl::StatusOr<std::unique_ptr<Session>> Open(const SessionOptions& options);
  ~Session();

  TuningClient& client() { return *client_; }
  /// True if the coordinator is in another process that had the log open already. It may end before the job does.
  bool joined() const { return joined_; }
  /// Returns the log as text, with the address of its coordinator if that is not in this process.
  const std::string& log_text() const { return log_text_; }
  /// Returns an error with exit code kDevice if the session started a worker, and it has ended and cannot be replaced.
  absl::Status CheckWorker();
  /// Sleeps for `limit`, or until the session's own worker has ended.
  void Pause(Duration limit);
  /// Returns the new notes for the user about the session's own worker.
  std::vector<std::string> WorkerNotes();
  /// Returns an error with exit code kLog if the coordinator is in this process, and has not been able to write the log
  /// for some seconds.
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

/// Opens a session, and calls `work` with it. If the coordinator is in another process (Session::joined()) and is lost,
/// opens another session and calls `work` again, which continues with the results in the log. `work` returns
/// false when it is done, and true or an Unavailable error if the coordinator is lost. Before each further
/// call of `work`, `note` is called with a line for the user. Returns the error of the last call of `work`, or of
/// Session::Open().
absl::Status RunInSession(const SessionOptions& options, const std::function<absl::StatusOr<bool>(Session&)>& work,
                          const std::function<void(std::string_view)>& note);

}  // namespace mmtune
