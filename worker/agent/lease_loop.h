// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes work from the server: for each device, a LeaseLoop asks the server for work, starts it on the evaluator, and
// passes results to the reporter. There are two kinds of work: leases (each is the right to measure one candidate for a
// limited time) and compile tasks (schedules to compile only). A LeaseBook lists the leases, or the compile tasks, that
// the worker holds.
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

/// The leases, or the compile tasks, that a worker holds, by token. A worker has one book for each of the two kinds;
/// below, a lease can be a compile task, too. Thread-safe.
class LeaseBook {
 public:
  /// Adds a lease. Returns false if the book already has the token, or is closed.
  bool Add(const std::string& token, size_t device, std::shared_ptr<StopToken> stop);
  /// True if the lease is held and the server has not cancelled it. Only such a lease's result is reported.
  bool IsWanted(const std::string& token) const;
  /// Removes a lease that has ended.
  void Remove(const std::string& token);

  /// Returns the tokens of all leases, for heartbeats.
  std::vector<std::string> Tokens() const;
  /// Blocks until the device holds fewer than `most` leases. Returns how many more it may take, or 0 if the book is
  /// closed.
  int WaitForRoom(size_t device, int most) const;

  /// Stops leases that the server has cancelled. Their results are not reported.
  void Cancel(const std::vector<std::string>& tokens);
  /// Refuses further leases, and raises the stop tokens of those that are held to `level`.
  void Close(StopToken::Level level);
  /// Waits until no lease is held. Returns false if `limit` passes first.
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

/// The objects that a LeaseLoop works with. Nothing is owned.
struct LeaseLoopParts {
  std::string worker_id;
  size_t device_index = 0;  ///< Index of `device` among the evaluator's devices.
  WorkerDevice device;
  ServerConnection* server;
  Evaluator* evaluator;
  LeaseBook* book;  ///< The leases of the worker.
  Reporter* reporter;
  LeaseBook* tasks;  ///< The compile tasks of the worker.
  CompileReporter* compile_reporter;
  std::function<void()> on_drain;  ///< Called when the server asks the worker to finish and take no more work.
  std::function<void(absl::Status)> on_refused;  ///< Called when a request for work fails, before the next one.
  std::function<void(absl::Status)> on_busy;     ///< Called when another process held the device for too long.
};

/// Takes leases and starts their work for one device, on a thread of its own, until the book is closed. All parts must
/// outlive the loop. It must not be destroyed before all work that it started has ended.
class LeaseLoop {
 public:
  explicit LeaseLoop(LeaseLoopParts parts);
  ~LeaseLoop();
  /// Interrupts a call to the server, or a pause between attempts. To end the loop, close the book as well.
  void Stop();

 private:
  void Run();
  /// Asks the server for work, and waits on the server until there is some, or the time of one request has passed.
  absl::Status Poll(v1::LeaseRequest& request, v1::LeaseResponse* response) const;
  /// Fetches leases that the server may have granted to a request that was cancelled.
  absl::Status Collect(v1::LeaseRequest& request, v1::LeaseResponse* response) const;
  void StartLease(const v1::Lease& lease);
  absl::StatusOr<Candidate> ToCandidate(const v1::Lease& lease) const;
  /// Makes a candidate from the fields that leases and compile tasks share.
  absl::StatusOr<Candidate> ToCandidate(const v1::MatmulProblem& problem, const v1::Schedule& schedule,
                                        const std::string& arch) const;
  /// Asks the server for a measurement with this timing key; nullopt if it has none.
  absl::StatusOr<std::optional<Measurement>> FindMeasured(const std::string& timing_key) const;
  /// Called when the evaluation of a lease has ended. Passes its result, or its failure, to the reporter. `target` has
  /// the limits for which code was generated (Candidate::target).
  void Ended(const std::string& token, const LogSubject& subject, const DeviceInfo& target,
             absl::StatusOr<Measurement> result);
  /// Hands a lease back to the server without a result.
  void Release(const v1::Lease& lease);
  void StartTask(const v1::CompileTask& task);
  /// Called when a compile task has ended. Passes its result to the reporter of such tasks. `predicted_peak_fraction`
  /// is 0 if it is unknown (CodeFacts).
  void TaskEnded(const std::string& token, const LogSubject& subject, const absl::StatusOr<Measurement>& result,
                 double predicted_peak_fraction = 0);
  /// Counts an evaluation that ended without a measurement as a failure of the worker or of the device.
  void NoteFailure(const absl::Status& failure, const LogSubject& subject);
  v1::CandidateReport NewReport(const std::string& token, const DeviceInfo& target) const;

  const LeaseLoopParts parts_;
  StopSignal stop_;
  std::atomic<int> own_failures_{0};  // successive failures of the worker
  std::thread thread_;
};

}  // namespace mmtune
