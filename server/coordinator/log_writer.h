// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one thread that changes the tuning log and the coordinator. It takes commands from a bounded queue, applies up to
// kMaxBatch of them in one transaction of the log (LogTransaction), commits, and only then answers them. If the log
// cannot be written, it tries again after a pause (LogOutage). If the log is lost (kLogLost below), it ends.
//
// A batch fails as a whole if the log fails in it. The constants below are marks of some errors, by which callers and
// clients distinguish them from other errors with the same code. A mark is a payload of an absl::Status, and a text in
// the details of a gRPC status.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "db/tuning_log.h"
#include "proto/base/clock.h"
#include "proto/base/mutex.h"
#include "proto/types/conditions.h"

namespace mmtune {

class Coordinator;

/// The mark of a failure of the tuning log, which undoes the whole batch. Any other error refuses only one request.
inline constexpr char kStorageFailure[] = "mmtune/storage-failure";

/// Marks an error as a failure of the tuning log.
inline absl::Status FromStorage(absl::Status status) {
  if (!status.ok()) status.SetPayload(kStorageFailure, absl::Cord());
  return status;
}

/// Marks the error of a result, if it is one, as a failure of the tuning log.
template <typename T>
absl::StatusOr<T> FromStorage(absl::StatusOr<T> result) {
  if (result.ok()) return result;
  return FromStorage(result.status());
}

/// True for an error that FromStorage marked.
inline bool IsStorageFailure(const absl::Status& status) {
  return !status.ok() && status.GetPayload(kStorageFailure).has_value();
}

/// The mark of an error that no retry resolves: the log's files are gone, or another process has taken its database.
inline constexpr char kLogLost[] = "mmtune/log-lost";

/// Marks an error as the loss of the log.
inline absl::Status MarkLogLost(absl::Status status) {
  status.SetPayload(kLogLost, absl::Cord());
  return status;
}

/// True for an error that MarkLogLost marked.
inline bool IsLogLost(const absl::Status& status) { return status.GetPayload(kLogLost).has_value(); }

/// The mark of RESOURCE_EXHAUSTED errors of a server that is busy now, so that a later retry helps.
inline constexpr char kOverload[] = "mmtune/overload";

/// The mark of errors about a job that another coordinator has. The message names the address of that coordinator,
/// where the job can be found.
inline constexpr char kElsewhere[] = "mmtune/elsewhere";

/// Marks an error as one about a job of another coordinator.
inline absl::Status MarkOtherOwnersJob(absl::Status status) {
  status.SetPayload(kElsewhere, absl::Cord());
  return status;
}

/// Returns the error of a server that is busy now.
inline absl::Status Overloaded() {
  absl::Status status = absl::ResourceExhaustedError("the server is overloaded: try again later");
  status.SetPayload(kOverload, absl::Cord());
  return status;
}

/// True for an error of Overloaded().
inline bool IsOverload(const absl::Status& status) { return !status.ok() && status.GetPayload(kOverload).has_value(); }

/// The temperature, clocks and power of a device right after a timing, as its worker reported them.
struct DeviceReading {
  std::string worker;
  std::string device;  ///< The uuid of the device.
  std::string name;    ///< The name of the device.
  HealthSample health;
};

/// The numbers of changes in one committed transaction, for metrics.
struct LogChanges {
  bool wrote = false;  ///< False if the transaction wrote nothing.
  Duration commit{};   ///< The duration of the commit.
  int64_t jobs_submitted = 0;
  std::map<JobState, int64_t> jobs_ended;
  std::map<AttemptState, int64_t> leases_ended;
  /// The numbers of canonical records (those that count for their candidates, tuning_log.h) that were stored.
  std::map<Outcome, int64_t> outcomes;
  std::vector<DeviceReading> readings;
};

/// Writes to the tuning log in transactions, and counts the changes. All errors are marked by FromStorage. Not
/// thread-safe.
class LogTransaction {
 public:
  /// `log` must outlive the object.
  explicit LogTransaction(TuningLog& log) : log_(log) {}

  absl::Status Begin();
  /// Commits, and returns the changes since Begin().
  absl::StatusOr<LogChanges> Commit();
  void Rollback();
  /// Tests, outside of a transaction, whether the log can be written.
  absl::Status TryWriting();

  // Each of these calls the method of the same name of TuningLog.
  absl::StatusOr<int64_t> InsertJob(const JobRow& job);
  absl::Status SetJobState(int64_t job_id, JobState state, std::string_view message);
  absl::StatusOr<int64_t> InsertCandidate(int64_t job_id, const Schedule& schedule);
  absl::Status SetCandidateState(int64_t candidate_id, CandidateState state);
  absl::Status InsertAttempt(const AttemptRow& attempt);
  absl::Status EndAttempt(std::string_view token, AttemptState state, std::string_view detail);
  absl::StatusOr<InsertedRecord> InsertRecord(std::string_view token, const TuningRecord& record);
  absl::Status AddWorkerNote(const WorkerNote& note);

  /// Returns a reader that also sees the writes of the current transaction.
  TuningLogReader& reader() { return log_; }
  absl::StatusOr<std::vector<WorkerNote>> WorkerNotes();
  absl::StatusOr<std::vector<JobRow>> TakeOverJobs();
  absl::StatusOr<std::optional<std::string>> OtherOwner(int64_t job_id);
  const std::string& path() const { return log_.path(); }

 private:
  TuningLog& log_;
  LogChanges changes_;
};

/// Monotonic time that excludes suspensions of the process or the host, so that no worker is considered silent for a
/// time in which the coordinator could not listen. One thread must read the clock at least once in kLongestStep. If it
/// did not, the process was stopped, the host was asleep, or a call hung: then the clock advances by kLongestStep only.
///
/// Only that thread may call Now(); one other thread may do so before that thread starts.
class SuspendAwareClock : public Clock {
 public:
  static constexpr Duration kLongestStep = std::chrono::seconds(2);

  /// `clock` must outlive the object.
  explicit SuspendAwareClock(const Clock& clock)
      : clock_(clock), read_(clock.Now()), logged_(read_ - std::chrono::hours(1)) {}

  TimePoint Now() const override;
  int64_t UnixMillis() const override { return clock_.UnixMillis(); }

 private:
  const Clock& clock_;
  mutable Mutex mutex_;
  mutable TimePoint read_ ABSL_GUARDED_BY(mutex_);       ///< The time of `clock` at the last call of Now().
  mutable Duration missed_ ABSL_GUARDED_BY(mutex_){};    ///< The sum of all pauses, which Now() leaves out.
  mutable TimePoint logged_ ABSL_GUARDED_BY(mutex_);     ///< The time of `clock` at the last log line about pauses.
  mutable Duration unlogged_ ABSL_GUARDED_BY(mutex_){};  ///< The sum of the pauses since then.
};

/// An outage of the tuning log: a time in which it cannot be written, mostly because the disk is full. It begins with
/// the first batch that fails. It ends when a batch succeeds and something is written. If nothing is written, the
/// success says little, as it is possible on a full disk, too; then the outage ends only if no batch has failed for 15
/// s. The beginning and the end are logged. Thread-safe.
class LogOutage {
 public:
  /// `clock` must outlive the object.
  explicit LogOutage(const Clock& clock) : clock_(clock) {}

  /// Notes that a batch failed.
  void Failed(const absl::Status& why);
  /// Notes that the log will never be written again.
  void Lost(const absl::Status& why);
  /// Notes that a batch succeeded. `wrote` is true if something was written.
  void Succeeded(bool wrote);
  /// True during an outage.
  bool active() const;

  /// Returns how long to wait before the next batch: zero after a success, otherwise up to 1 s, growing with the
  /// number of failures.
  Duration Pause() const;
  /// Returns why batches fail, if they have failed for at least the time `at_least` or will always fail; OK otherwise.
  absl::Status Status(Duration at_least) const;

 private:
  const Clock& clock_;
  mutable Mutex mutex_;
  absl::Status why_ ABSL_GUARDED_BY(mutex_);  ///< OK if there is no outage.
  TimePoint first_ ABSL_GUARDED_BY(mutex_);
  TimePoint last_ ABSL_GUARDED_BY(mutex_);
  int64_t failures_ ABSL_GUARDED_BY(mutex_) = 0;
  bool last_failed_ ABSL_GUARDED_BY(mutex_) = false;
  bool lost_ ABSL_GUARDED_BY(mutex_) = false;
};

/// One call of the coordinator, which changes or reads its state. Both functions run on the log writer's thread.
struct WriteCommand {
  /// Makes the call and returns its status. A storage failure undoes the whole batch.
  std::function<absl::Status(Coordinator&)> apply;
  /// Called after the batch, with OK, or with a storage failure if the batch was undone or could not begin.
  std::function<void(const absl::Status& commit)> finish;
};

/// Runs batches: applies commands to the coordinator in one transaction of the log, and answers them after its commit.
/// Not thread-safe.
class BatchRunner {
 public:
  /// Called with the changes of each committed batch that wrote something.
  using OnCommit = std::function<void(const LogChanges& changes)>;

  /// `log` and `coordinator` must outlive the runner.
  BatchRunner(LogTransaction& log, Coordinator& coordinator, OnCommit on_commit = nullptr)
      : log_(log), coordinator_(coordinator), on_commit_(std::move(on_commit)) {}

  /// Runs the coordinator's first transaction. An error leaves the log as it was.
  absl::Status Start();
  /// Applies the commands, calls Coordinator::Tick(), commits, and finishes the commands. Returns the status of the
  /// commit. After an error with IsLogLost, every later batch fails, too.
  absl::Status Run(const std::vector<WriteCommand>& batch);
  /// True if the log can be written.
  bool TryWriting() { return log_.TryWriting().ok(); }
  /// True if the state in memory differs from that of the log, because a batch failed. The next Run first loads the
  /// state again, once the log can be written.
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

/// The queue of commands, and the thread that runs them in batches.
class LogWriter {
 public:
  static constexpr size_t kMaxBatch = 256;
  static constexpr size_t kMaxQueue = 4096;

  /// All references must outlive the writer. Both functions are called on the writer's thread: `on_commit` after each
  /// commit that wrote something, and `on_log_lost` once, if the log is lost (kLogLost). From then on every command is
  /// refused.
  LogWriter(LogTransaction& log, Coordinator& coordinator, const Clock& clock,
            std::function<void(const absl::Status& why)> on_log_lost = nullptr,
            BatchRunner::OnCommit on_commit = nullptr);
  ~LogWriter();

  /// Runs the coordinator's first transaction on the caller's thread, then starts the writer's thread. After an error
  /// there is no thread.
  absl::Status Start();

  /// Queues a command. Returns Overloaded() if the queue is full, Unavailable after Stop, and the error of the lost log
  /// (kLogLost); then the command is dropped without a call of its `finish`. Thread-safe.
  absl::Status Submit(WriteCommand command);
  /// Queues a command of the server itself, even if the queue is full. Otherwise returns the errors of Submit().
  /// Thread-safe.
  absl::Status SubmitInternal(WriteCommand command);

  /// Runs the queued commands, and ends the thread. May be called more than once.
  void Stop();

  const LogOutage& outage() const { return outage_; }
  /// Returns the number of queued commands. Thread-safe.
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
