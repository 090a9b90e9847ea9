// The worker process `tune` starts for itself.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "proto/base/clock.h"
#include "proto/base/subprocess.h"
#include "proto/types/device_info.h"

namespace mmtune {

/// mmtune-worker beside the running executable, else on PATH. kDevice when there is none.
absl::StatusOr<std::string> FindWorkerExecutable();

/// The worker's reason for ending, from what it wrote: its last line without the program's name, PlainText; empty when
/// it wrote nothing.
std::string LastReason(std::string_view output);

/// Move-only; kills the worker when destroyed. The worker also dies with the thread that started it and with its
/// server. Not thread-safe.
class LocalWorker {
 public:
  /// `folder` receives what the worker writes, its temporary files included. Errors have exit code kDevice.
  static absl::StatusOr<LocalWorker> Start(const std::string& server, const DeviceSelector& device,
                                           const std::string& folder);

  /// OK while it runs; afterwards kDevice with the worker's own reason.
  absl::Status Check();
  /// Asks it to end and waits up to `grace` before it is killed. Idempotent.
  void Stop(Duration grace);

 private:
  LocalWorker(Subprocess process, std::string output_path)
      : process_(std::move(process)), output_path_(std::move(output_path)) {}

  Subprocess process_;
  std::string output_path_;
};

}  // namespace mmtune
