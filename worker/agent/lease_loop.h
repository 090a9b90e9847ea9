// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One device's share of the agent: leases candidates, starts them, reports what became of them, and so for what it is
// only to compile; and the leases that the worker holds.
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

/// The leases that a worker holds, or the compile tasks. Thread-safe.
class LeaseBook {
 public:
  /// False when the token is held already, or the book is closed and takes no more.
  bool Add(const std::string& token, size_t device, std::shared_ptr<StopToken> stop);
  /// False when the server has cancelled it, or it is not held: that it was given up is not to be reported.
  bool IsWanted(const std::string& token) const;
  /// The lease is done with.
  void Remove(const std::string& token);

  std::vector<std::string> Tokens() const;
  /// Blocks until the device holds fewer than `most`. Returns how many more it may take, or 0 when the book is closed.
  int WaitForRoom(size_t device, int most) const;

  /// The server no longer wants these: they are stopped, and not reported.
  void Cancel(const std::vector<std::string>& tokens);
  /// From now on no lease is taken; those that are held are asked to end.
  void Close(StopToken::Level level);
  /// False when some are still held after `limit`.
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
  LeaseBook* tasks;  ///< What is only to be compiled.
  CompileReporter* compile_reporter;
  std::function<void()> on_drain;                ///< The server wants the worker to end.
  std::function<void(absl::Status)> on_refused;  ///< The server does not know the worker, or refuses the request.
  std::function<void(absl::Status)> on_busy;     ///< The device was held by another process for too long.
};

/// Everything it points at must outlive it. Runs until the book is closed; the leases and tasks it started must have
/// ended before it is destroyed.
class LeaseLoop {
 public:
  explicit LeaseLoop(LeaseLoopParts parts);
  ~LeaseLoop();
  /// Wakes it from a call or a wait between tries. The book has to be closed, too.
  void Stop();

 private:
  void Run();
  absl::Status Poll(v1::LeaseRequest& request, v1::LeaseResponse* response) const;
  /// What a cancelled poll may have been granted.
  absl::Status Collect(v1::LeaseRequest& request, v1::LeaseResponse* response) const;
  void StartLease(const v1::Lease& lease);
  absl::StatusOr<Candidate> ToCandidate(const v1::Lease& lease) const;
  /// What leases and tasks both say: what is compiled, and for what.
  absl::StatusOr<Candidate> ToCandidate(const v1::MatmulProblem& problem, const v1::Schedule& schedule,
                                        const std::string& arch) const;
  absl::StatusOr<std::optional<Measurement>> FindMeasured(const std::string& timing_key) const;
  void Ended(const std::string& token, const LogSubject& subject, const DeviceInfo& target,
             absl::StatusOr<Measurement> result);
  void Release(const v1::Lease& lease);
  void StartTask(const v1::CompileTask& task);
  void TaskEnded(const std::string& token, const LogSubject& subject, const absl::StatusOr<Measurement>& result,
                 double predicted_peak_fraction = 0);
  /// Of an evaluation that gave no measurement: what it says of the worker.
  void NoteFailure(const absl::Status& failure, const LogSubject& subject);
  v1::CandidateReport NewReport(const std::string& token, const DeviceInfo& target) const;

  const LeaseLoopParts parts_;
  StopSignal stop_;
  std::atomic<int> own_failures_{0};  // in a row
  std::thread thread_;
};

}  // namespace mmtune
