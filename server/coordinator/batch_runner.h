// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One group commit: commands are applied to the coordinator between Begin and Commit of the log, and answered after it.
#pragma once

#include <functional>
#include <vector>

#include "absl/status/status.h"
#include "db/tuning_log.h"
#include "server/coordinator/coordinator.h"

namespace mmtune {

/// One change of the state, or one reading of it. Both functions run on the thread that runs the batch.
struct WriteCommand {
  /// Returns what a call of the coordinator returned; a storage failure undoes the batch.
  std::function<absl::Status(Coordinator&)> apply;
  /// After the batch: OK, or Unavailable (a storage failure) when it was undone or never begun.
  std::function<void(const absl::Status& commit)> finish;
};

/// Not thread-safe.
class BatchRunner {
 public:
  /// Both must outlive the runner.
  BatchRunner(TuningLog& log, Coordinator& coordinator) : log_(log), coordinator_(coordinator) {}

  /// The coordinator's first transaction. An error leaves the log as it was.
  absl::Status Start();
  /// Applies the commands and a Tick, commits, and finishes the commands. Returns how that went; IsLogLost: no later
  /// batch will do better.
  absl::Status Run(const std::vector<WriteCommand>& batch);
  bool TryWriting() { return log_.TryWriting().ok(); }
  /// The state in memory differs from the log's. The next Run loads it first, once the log can be written: until then
  /// each try costs one row, however much there is to load.
  bool broken() const { return broken_; }

 private:
  absl::Status Apply(const std::vector<WriteCommand>& batch);
  absl::Status Repair();

  TuningLog& log_;
  Coordinator& coordinator_;
  bool broken_ = false;
};

}  // namespace mmtune
