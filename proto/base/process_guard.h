// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions for the main function of a daemon. They end it within a time limit even if threads hang, end it cleanly
// when memory runs out, handle SIGTERM and SIGINT, and check the limits of files, threads and memory before work
// begins.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "absl/status/status.h"

namespace mmtune {

/// Ends the process with `exit_code` after `seconds` (at least 1), whatever its threads do. Only the first call has an
/// effect. Uses SIGALRM, so a deadlock cannot delay it. Async-signal-safe. Child processes started with
/// SubprocessOptions::die_with_parent end with it.
void EndWithin(unsigned seconds, int exit_code);
/// Cancels EndWithin().
void CancelEnd();

/// Makes the process end at once with `exit_code` and a line on standard error if an allocation fails or an exception
/// is not caught (for example, because a thread cannot be started). Data that was committed is kept. The string
/// `program`, which that line begins with, must live until the process ends.
void EndWhenOutOfMemory(const char* program, int exit_code);

/// Makes a write to a pipe without a reader, or beyond the file size limit (ulimit -f), return an error instead of
/// killing the process.
void MakeFailedWritesErrors();

/// Raises the limit of open files to up to 4096. Returns FailedPrecondition if the process may open fewer files, or
/// start fewer threads, than it needs: gRPC would otherwise hang.
absl::Status AllowFilesAndThreads();

/// Handles SIGTERM and SIGINT in one thread. The first signal also starts EndWithin(limit_seconds, late_exit_code), so
/// that the shutdown cannot hang.
class StopSignals {
 public:
  /// Blocks both signals for all threads started afterwards. Must be called in main before any thread is started.
  StopSignals(unsigned limit_seconds, int late_exit_code);
  ~StopSignals() { Stop(); }

  /// Starts the thread. It calls `first` at the first signal (at once if that has already come), and `second` at every
  /// later one.
  void Start(const std::function<void()>& first, std::function<void()> second);
  /// Ends the thread, so that the callbacks are not called any more. A time limit that has started stays in force.
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

/// Returns the memory that the machine can give without swapping (MemAvailable of /proc/meminfo), or nullopt if
/// unknown.
std::optional<int64_t> AvailableMemoryBytes();

/// The memory of this process's control group (cgroup v2), for example of its container.
struct GroupMemory {
  int64_t limit_bytes = 0;
  int64_t used_bytes = 0;  ///< Includes the page cache, part of which could be reclaimed.
};

/// Returns the limit and use of the control group, or nullopt if there is no limit.
std::optional<GroupMemory> MemoryOfGroup();

}  // namespace mmtune
