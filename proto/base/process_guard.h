// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ways to end the process that no lock, thread or allocation can hold up.
#pragma once

#include <csignal>
#include <functional>
#include <mutex>
#include <thread>

#include "absl/status/status.h"

namespace mmtune {

/// From now on the process ends with `exit_code` after `seconds` (> 0) at the latest, whatever its threads do; its
/// children go with it (SubprocessOptions::die_with_parent). The first call counts. Uses SIGALRM. Async-signal-safe.
void EndWithin(unsigned seconds, int exit_code);
/// Takes EndWithin back.
void CancelEnd();

/// From now on an allocation that fails, and an exception that nothing catches (a thread cannot be started), end the
/// process at once, with a line on standard error and `exit_code`: what is durable stays, and nobody waits for a thread
/// that was cut off. `program` must outlive the process.
void EndWhenOutOfMemory(const char* program, int exit_code);

/// From now on a write to a pipe that nobody reads, or past the limit of a file's size (ulimit -f), is an error of the
/// write: it does not end the process without a word.
void MakeFailedWritesErrors();

/// Lets the process open as many files as it may, up to 4096. FailedPrecondition when that is fewer than it needs, or
/// when it cannot start as many threads: without them gRPC waits for ever.
absl::Status AllowFilesAndThreads();

/// SIGTERM and SIGINT of the whole process, taken by one thread. The first of them starts EndWithin.
class StopSignals {
 public:
  /// Blocks the signals for every thread started after it. Call from main, before any thread is started.
  StopSignals(unsigned limit_seconds, int late_exit_code);
  ~StopSignals() { Stop(); }

  /// `first` is called at the first signal, at once if that has come already, `second` at every later one; from the
  /// thread.
  void Start(const std::function<void()>& first, std::function<void()> second);
  /// The functions given to Start are not called any more; the limit stays.
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

}  // namespace mmtune
