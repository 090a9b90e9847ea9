// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one thread that changes anything. It takes commands from a bounded queue, applies up to kMaxBatch of them in one
// transaction of the tuning log, commits, and only then answers them. If the log cannot be written, it retries after a
// pause; if the log's files were deleted or replaced, it ends.
#pragma once

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "proto/base/clock.h"
#include "proto/base/mutex.h"
#include "server/coordinator/coordinator.h"
#include "server/coordinator/log_transaction.h"

namespace mmtune {

/// Monotonic time without suspensions of the process or the host: nobody is judged by a silence during which the
/// coordinator could not listen. If the thread that reads the clock did not read it for longer than kLongestStep, the
/// process was stopped, the host was asleep or a call hung, and only one such step counts.
///
/// One thread reads it, at least once in kLongestStep; another one may do so before that thread starts.
class SuspendAwareClock : public Clock {
 public:
  static constexpr Duration kLongestStep = std::chrono::seconds(2);

  /// `clock` must outlive it.
  explicit SuspendAwareClock(const Clock& clock)
      : clock_(clock), read_(clock.Now()), logged_(read_ - std::chrono::hours(1)) {}

  TimePoint Now() const override;
  int64_t UnixMillis() const override { return clock_.UnixMillis(); }

 private:
  const Clock& clock_;
  mutable Mutex mutex_;
  mutable TimePoint read_ ABSL_GUARDED_BY(mutex_);  ///< The last time of the other clock.
  mutable Duration missed_ ABSL_GUARDED_BY(mutex_){};
  mutable TimePoint logged_ ABSL_GUARDED_BY(mutex_);     ///< When pauses were last logged, by the other clock.
  mutable Duration unlogged_ ABSL_GUARDED_BY(mutex_){};  ///< The pauses since then.
};

/// The state of a tuning log that cannot be written, mostly because of a full disk. An outage begins with the first
/// batch that fails. It ends when something was written, or when no batch has failed for 15 s (a batch that writes
/// nothing succeeds on a full disk, too). Both are logged once. Thread-safe.
class LogOutage {
 public:
  /// `clock` must outlive it.
  explicit LogOutage(const Clock& clock) : clock_(clock) {}

  /// Notes that a batch failed.
  void Failed(const absl::Status& why);
  /// Notes that the log will never be written again.
  void Lost(const absl::Status& why);
  /// Notes that a batch succeeded; `wrote`: the log can certainly be written.
  void Succeeded(bool wrote);
  bool active() const;

  /// Returns how long to leave the log alone: zero after a success, else growing with the failures, up to 1 s.
  Duration Pause() const;
  /// Returns why batches fail, if they have failed for `at_least` or will for ever; OK otherwise.
  absl::Status Status(Duration at_least) const;

 private:
  const Clock& clock_;
  mutable Mutex mutex_;
  absl::Status why_ ABSL_GUARDED_BY(mutex_);  ///< OK: no outage.
  TimePoint first_ ABSL_GUARDED_BY(mutex_);
  TimePoint last_ ABSL_GUARDED_BY(mutex_);
  int64_t failures_ ABSL_GUARDED_BY(mutex_) = 0;
  bool last_failed_ ABSL_GUARDED_BY(mutex_) = false;
  bool lost_ ABSL_GUARDED_BY(mutex_) = false;
};

/// One change of the state, or one read of it. Both functions run on the thread that runs the batch.
struct WriteCommand {
  /// Returns the status of a call of the coordinator; a storage failure undoes the batch.
  std::function<absl::Status(Coordinator&)> apply;
  /// Called after the batch with OK, or with a storage failure if the batch was undone or never begun.
  std::function<void(const absl::Status& commit)> finish;
};

/// Runs batches: commands are applied to the coordinator in one transaction, and answered after it. Not thread-safe.
class BatchRunner {
 public:
  /// Called with the changes of each committed batch that wrote something.
  using OnCommit = std::function<void(const LogChanges& changes)>;

  /// `log` and `coordinator` must outlive the runner.
  BatchRunner(LogTransaction& log, Coordinator& coordinator, OnCommit on_commit = nullptr)
      : log_(log), coordinator_(coordinator), on_commit_(std::move(on_commit)) {}

  /// Runs the coordinator's first transaction. An error leaves the log as it was.
  absl::Status Start();
  /// Applies the commands and a Tick, commits, and finishes the commands. Returns the status of the commit; IsLogLost:
  /// no later batch will succeed.
  absl::Status Run(const std::vector<WriteCommand>& batch);
  bool TryWriting() { return log_.TryWriting().ok(); }
  /// True if the state in memory differs from the log's. The next Run loads it first, once the log can be written:
  /// until then each try costs one row, however much there is to load.
  bool broken() const { return broken_; }

 private:
  absl::Status Apply(const std::vector<WriteCommand>& batch);
  absl::Status Repair();
  absl::Status Commit();

  LogTransaction& log_;
  Coordinator& coordinator_;
  const OnCommit on_commit_;
  bool broken_ = false;
};

class LogWriter {
 public:
  static constexpr size_t kMaxBatch = 256;
  static constexpr size_t kMaxQueue = 4096;

  /// All references must outlive the writer. Both functions are called on the writer's thread: `on_commit` as by
  /// BatchRunner; `on_log_lost` once, if the log's files were deleted or replaced: every call is refused from then on.
  LogWriter(LogTransaction& log, Coordinator& coordinator, const Clock& clock,
            std::function<void(const absl::Status& why)> on_log_lost = nullptr,
            BatchRunner::OnCommit on_commit = nullptr);
  ~LogWriter();

  /// Runs the coordinator's first transaction on the caller's thread, then starts the writer's thread.
  absl::Status Start();

  /// Queues a command. ResourceExhausted if the queue is full, Unavailable after Stop; the command is then dropped
  /// without calling `finish`. Thread-safe.
  absl::Status Submit(WriteCommand command);
  /// Queues a command of the server itself, however many wait.
  absl::Status SubmitInternal(WriteCommand command);

  /// Finishes what is queued, and ends the thread. Idempotent.
  void Stop();

  const LogOutage& outage() const { return outage_; }
  /// Returns the number of commands that wait for a batch. Thread-safe.
  size_t queued() const;

 private:
  absl::Status Enqueue(WriteCommand command, size_t limit);
  void Run();
  void EndWithLog(const absl::Status& why);
  std::vector<WriteCommand> NextBatch();

  Coordinator& coordinator_;
  const Clock& clock_;
  const std::function<void(const absl::Status& why)> on_log_lost_;
  LogOutage outage_;
  BatchRunner runner_;  ///< Used by the writer's thread once that runs.

  mutable Mutex mutex_;
  std::deque<WriteCommand> queue_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace mmtune
