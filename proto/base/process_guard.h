// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits of this process (memory, files, threads), and ways to end it that no lock, thread or allocation delays.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "absl/status/status.h"

namespace mmtune {

/// Ends the process with `exit_code` after `seconds` (> 0), whatever its threads do; its children end with it
/// (SubprocessOptions::die_with_parent). Only the first call has an effect. Uses SIGALRM. Async-signal-safe.
void EndWithin(unsigned seconds, int exit_code);
/// Cancels EndWithin.
void CancelEnd();

/// From now on, ends the process at once, with a line on standard error and `exit_code`, when an allocation fails or
/// nothing catches an exception (a thread cannot be started). Durable data stays. `program` must outlive the process.
void EndWhenOutOfMemory(const char* program, int exit_code);

/// From now on, a write to a pipe that nobody reads, or past the limit of a file's size (ulimit -f), returns an error
/// instead of ending the process.
void MakeFailedWritesErrors();

/// Raises the limit of open files, up to 4096. FailedPrecondition when the process may open fewer files than it needs,
/// or cannot start as many threads: without them gRPC waits for ever.
absl::Status AllowFilesAndThreads();

/// Receives SIGTERM and SIGINT of the whole process in one thread. The first signal starts EndWithin.
class StopSignals {
 public:
  /// Blocks the signals for every thread started after it. Call from main, before any thread is started.
  StopSignals(unsigned limit_seconds, int late_exit_code);
  ~StopSignals() { Stop(); }

  /// Calls `first` at the first signal, at once if that has come already, and `second` at every later one, from the
  /// thread.
  void Start(const std::function<void()>& first, std::function<void()> second);
  /// Ends the calls of the functions given to Start; the time limit stays.
  void Stop();

 private:
  void Run();

  sigset_t signals_;
  const unsigned limit_seconds_;
  const int late_exit_code_;
  std::mutex mutex_;
  int seen_ = 0;
  std::function<void()> first_, second_;
  std::thread thread_;
};

/// Returns the memory that the machine can give without swapping (MemAvailable of /proc/meminfo); nullopt if unknown.
std::optional<int64_t> AvailableMemoryBytes();

/// Memory of the control group (cgroup v2) of this process.
struct GroupMemory {
  int64_t limit_bytes = 0;
  int64_t used_bytes = 0;  ///< Includes cached files, some of which would be given back.
};

/// Returns nullopt where there is no limit.
std::optional<GroupMemory> MemoryOfGroup();

}  // namespace mmtune
