// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loop of one device that leases candidates and compile tasks, starts and reports them; and the book of all leases
// that the worker holds.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "mmtune/v1/work_queue.pb.h"
#include "worker/agent/reporter.h"
#include "worker/agent/server_connection.h"
#include "worker/children/evaluator.h"

namespace mmtune {

/// The leases, or the compile tasks, that a worker holds. Thread-safe.
class LeaseBook {
 public:
  /// Adds a lease. Returns false if the token is held already, or the book is closed.
  bool Add(const std::string& token, size_t device, std::shared_ptr<StopToken> stop);
  /// False if the server has cancelled the lease, or it is not held; then its end is not reported.
  bool IsWanted(const std::string& token) const;
  /// Removes a lease that has ended.
  void Remove(const std::string& token);

  std::vector<std::string> Tokens() const;
  /// Blocks until the device holds fewer than `most`. Returns how many more it may take, or 0 when the book is closed.
  int WaitForRoom(size_t device, int most) const;

  /// Stops leases that the server has cancelled; they are not reported.
  void Cancel(const std::vector<std::string>& tokens);
  /// Closes the book for new leases, and asks those held to end.
  void Close(StopToken::Level level);
  /// Waits until no lease is held. Returns false after `limit`.
  bool WaitEmpty(Duration limit) const;

 private:
  struct Entry {
    size_t device;
    std::shared_ptr<StopToken> stop;
    bool cancelled = false;
  };
  int CountLocked(size_t device) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable absl::Mutex mutex_;
  std::map<std::string, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

struct LeaseLoopParts {
  std::string worker_id;
  size_t device_index = 0;
  WorkerDevice device;
  ServerConnection* server;
  Evaluator* evaluator;
  LeaseBook* book;
  Reporter* reporter;
  LeaseBook* tasks;  ///< Compile tasks.
  CompileReporter* compile_reporter;
  std::function<void()> on_drain;                ///< Called when the server asks the worker to drain.
  std::function<void(absl::Status)> on_refused;  ///< Called when the server refuses the request.
  std::function<void(absl::Status)> on_busy;     ///< Called when another process held the device for too long.
};

/// Runs until the book is closed. All parts must outlive it, and the leases and tasks that it started must have ended
/// before it is destroyed.
class LeaseLoop {
 public:
  explicit LeaseLoop(LeaseLoopParts parts);
  ~LeaseLoop();
  /// Interrupts a call or a wait between tries. The book has to be closed as well.
  void Stop();

 private:
  void Run();
  absl::Status Poll(v1::LeaseRequest& request, v1::LeaseResponse* response) const;
  /// Fetches the leases that a cancelled poll may have been granted.
  absl::Status Collect(v1::LeaseRequest& request, v1::LeaseResponse* response) const;
  void StartLease(const v1::Lease& lease);
  absl::StatusOr<Candidate> ToCandidate(const v1::Lease& lease) const;
  /// Makes a candidate of the fields that leases and tasks share.
  absl::StatusOr<Candidate> ToCandidate(const v1::MatmulProblem& problem, const v1::Schedule& schedule,
                                        const std::string& arch) const;
  absl::StatusOr<std::optional<Measurement>> FindMeasured(const std::string& timing_key) const;
  void Ended(const std::string& token, const LogSubject& subject, const DeviceInfo& target,
             absl::StatusOr<Measurement> result);
  void Release(const v1::Lease& lease);
  void StartTask(const v1::CompileTask& task);
  void TaskEnded(const std::string& token, const LogSubject& subject, const absl::StatusOr<Measurement>& result,
                 double predicted_peak_fraction = 0);
  /// Counts an evaluation that ended without a measurement against the worker or the device.
  void NoteFailure(const absl::Status& failure, const LogSubject& subject);
  v1::CandidateReport NewReport(const std::string& token, const DeviceInfo& target) const;

  const LeaseLoopParts parts_;
  StopSignal stop_;
  std::atomic<int> own_failures_{0};  // in a row
  std::thread thread_;
};

}  // namespace mmtune
