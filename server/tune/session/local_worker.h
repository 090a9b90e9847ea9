// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker processes that `tune` starts: one that serves a coordinator, or one that answers a single question.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/clock.h"
#include "proto/base/folders.h"
#include "proto/base/subprocess.h"
#include "proto/types/device_info.h"
#include "server/tune/session/console.h"

namespace mmtune {

/// Creates a private folder for a socket and the files of a worker, below $XDG_RUNTIME_DIR, $TMPDIR or /tmp, short
/// enough for a socket's path. Removes such folders of this user whose owners were killed.
absl::StatusOr<OwnedFolder> CreateRunFolder();

/// Finds mmtune-worker beside the running executable, else on PATH. Returns an error with exit code kDevice if there is
/// none.
absl::StatusOr<std::string> FindWorkerExecutable();

/// Returns why the worker ended: the last line of its output without the program's name, as PlainText.
std::string LastReason(std::string_view output);

/// Returns the options of mmtune-worker for a device. `wait` is the number of seconds to wait for a busy device;
/// nullopt means no limit.
std::vector<std::string> WorkerDeviceFlags(const DeviceSelector& device, std::optional<double> wait);

/// The beginning of a note that says that the worker waits for its device.
inline constexpr char kWaitNote[] = "waiting for the device";

/// Reads notes for the user from the output file of a running worker. Not thread-safe.
class WorkerNotes {
 public:
  explicit WorkerNotes(std::string path) : path_(std::move(path)) {}

  /// Returns one line, PlainText, for each wait for a device (kWaitsForDevice) since the last call.
  std::vector<std::string> Read();

 private:
  std::string path_;
  long read_ = 0;  ///< Bytes.
};

/// A worker process that `tune` starts for itself. Killed when this is destroyed, when the thread that started it ends,
/// or with its server. Move-only. Not thread-safe.
class LocalWorker {
 public:
  /// Starts a worker for the coordinator `server`. `folder` receives the files of the worker. `wait` is that of
  /// WorkerDeviceFlags(). Errors have exit code kDevice.
  static absl::StatusOr<LocalWorker> Start(const std::string& server, const DeviceSelector& device,
                                           std::optional<double> wait, const std::string& folder);

  /// Returns OK while it runs. Replaces a worker that was killed, up to kMostRestarts times. Otherwise returns an error
  /// with exit code kDevice and the worker's own reason. Call it from the thread that started the worker.
  absl::Status Check();
  /// Returns when the worker has ended, or after `limit`.
  void AwaitEnd(Duration limit) { process_.Wait(limit); }
  /// Returns the new notes for the user.
  std::vector<std::string> Notes();
  /// Asks the worker to end, and kills it after `grace`. Idempotent.
  void Stop(Duration grace);

  static constexpr int kMostRestarts = 3;

 private:
  LocalWorker(SubprocessOptions options, Subprocess process)
      : options_(std::move(options)), process_(std::move(process)), notes_(options_.output_path) {}

  SubprocessOptions options_;
  Subprocess process_;
  WorkerNotes notes_;
  uintmax_t began_ = 0;  ///< Bytes in the file when the last one was started.
  int restarts_ = 0;
  std::vector<std::string> told_;  ///< Notes not yet returned.
};

/// Runs mmtune-worker with these flags and --answer FILE, and prints its notes. Returns the text of the answer, or
/// nullopt after an interrupt. Errors have exit code kUsage, kDevice, or kNoResult for any other.
absl::StatusOr<std::optional<std::string>> AskWorker(std::vector<std::string> flags, const Console& console);

}  // namespace mmtune
