// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker processes that `tune` starts: one that serves a coordinator, or one that answers a single request, such as
// to verify or profile a kernel, and ends.
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

/// Creates a private folder for a socket and the files of a worker, in $XDG_RUNTIME_DIR, $TMPDIR or /tmp. Its path is
/// short enough for a UNIX socket. Also removes such folders of this user that were left by processes that were killed.
/// If the folder can be created in none of the three, returns the error of the last one.
absl::StatusOr<OwnedFolder> CreateRunFolder();

/// Returns the path of mmtune-worker, which is beside the running executable or, if it is not there, on $PATH. Returns
/// an error with exit code kDevice if there is none.
absl::StatusOr<std::string> FindWorkerExecutable();

/// Returns the reason why a worker ended: the last line of its output without the program's name, converted by
/// PlainText() so that it is safe to print.
std::string LastReason(std::string_view output);

/// Returns the options of mmtune-worker for a device. `wait` is the number of seconds to wait for a busy device;
/// nullopt means no limit.
std::vector<std::string> WorkerDeviceFlags(const DeviceSelector& device, std::optional<double> wait);

/// The first words of each note that WorkerNotes::Read() returns.
inline constexpr char kWaitNote[] = "waiting for the device";

/// Reads notes for the user from the output file of a running worker. Not thread-safe.
class WorkerNotes {
 public:
  explicit WorkerNotes(std::string path) : path_(std::move(path)) {}

  /// Returns a line for each time that the worker began to wait for its device (log event kWaitsForDevice) since the
  /// last call of Read().
  std::vector<std::string> Read();

 private:
  std::string path_;
  long read_ = 0;  ///< The number of bytes of the file that were read.
};

/// A worker process that `tune` starts for itself. The process is killed when the object is destroyed or the thread
/// that started it ends; it also ends with its server. Move-only. Not thread-safe.
class LocalWorker {
 public:
  /// Starts a worker for the coordinator `server`. The worker writes its files to `folder`. `wait` has the meaning of
  /// WorkerDeviceFlags(). Errors have exit code kDevice.
  static absl::StatusOr<LocalWorker> Start(const std::string& server, const DeviceSelector& device,
                                           std::optional<double> wait, const std::string& folder);

  /// Returns OK while the worker runs. If it was killed, starts another one, up to kMostRestarts times, and returns OK.
  /// Otherwise returns an error with exit code kDevice and the reason that the worker gave. Must be called on the
  /// thread that started the worker.
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
  uintmax_t began_ = 0;  ///< The size of the output file, in bytes, when the last worker process was started.
  int restarts_ = 0;
  std::vector<std::string> told_;  ///< Notes that Notes() has not returned yet.
};

/// Runs mmtune-worker with these flags and --answer FILE, and prints its notes. Returns the text that it wrote to FILE,
/// or nullopt after an interrupt. Errors have exit code kUsage, kDevice or, for all others, kNoResult.
absl::StatusOr<std::optional<std::string>> AskWorker(std::vector<std::string> flags, const Console& console);

}  // namespace mmtune
