// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker process `tune` starts for itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "proto/base/clock.h"
#include "proto/base/subprocess.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// mmtune-worker beside the running executable, else on PATH. kDevice when there is none.
absl::StatusOr<std::string> FindWorkerExecutable();

/// Why the worker ended, from what it wrote: its last line without the program's name, as PlainText; empty when it
/// wrote nothing.
std::string LastReason(std::string_view output);

/// The options of mmtune-worker for a device; `wait` as in SessionOptions.
std::vector<std::string> WorkerDeviceFlags(const DeviceSelector& device, std::optional<double> wait);

/// What a worker that tune started has to tell the user while it runs, from the file that it writes. Not thread-safe.
class WorkerNotes {
 public:
  explicit WorkerNotes(std::string path) : path_(std::move(path)) {}

  /// One line, PlainText, for each wait for a device (kWaitsForDevice) that was written since the last call.
  std::vector<std::string> Read();

 private:
  std::string path_;
  long read_ = 0;  ///< Bytes.
};

/// Move-only; kills the worker when destroyed. The worker also dies with the thread that started it and with its
/// server. Not thread-safe.
class LocalWorker {
 public:
  /// `folder` receives what the worker writes, its temporary files included. `wait` as in SessionOptions. Errors have
  /// exit code kDevice.
  static absl::StatusOr<LocalWorker> Start(const std::string& server, const DeviceSelector& device,
                                           std::optional<double> wait, const std::string& folder);

  /// OK while it runs. A worker that was killed is replaced, kMostRestarts times; call it from the thread that started
  /// it. Otherwise kDevice with the worker's own reason.
  absl::Status Check();
  /// Returns when it has ended, at once then, or after `limit`.
  void AwaitEnd(Duration limit) { process_.Wait(limit); }
  /// What the user is to be told since the last call.
  std::vector<std::string> Notes();
  /// Asks it to end and waits up to `grace` before it is killed. Idempotent.
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
  std::vector<std::string> told_;  ///< Not yet told.
};

}  // namespace mmtune
