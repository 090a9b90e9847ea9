// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small coordinator: what tests of the agent talk to.
#pragma once

#include <grpcpp/grpcpp.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "mmtune/v1/work_queue.grpc.pb.h"
#include "proto/base/clock.h"
#include "proto/base/folders.h"
#include "proto/types/schedule.h"
#include "proto/wire/convert.h"

namespace mmtune {

/// Serves on a UNIX socket of its own while it lives (and between Start and Stop). Thread-safe.
class FakeWorkQueue : public v1::WorkQueue::Service {
 public:
  FakeWorkQueue();
  ~FakeWorkQueue() override;

  void Start();
  void Stop();
  const std::string& address() const { return address_; }

  // What the tests script.
  void AddCandidate(const Schedule& schedule, double start_to_close_seconds = 600, const std::string& arch = "");
  /// A schedule that is only to be compiled, for a worker that asks for such.
  void AddTask(const Schedule& schedule, const std::string& arch = "");
  /// From now on a report that asks for leases is granted tasks alone.
  void GrantReportsTasksAlone();
  /// Changes the candidate added last, which must not have been leased yet.
  void ChangeLease(const std::function<void(v1::Lease&)>& change);
  void FailNext(std::string method, int times, grpc::StatusCode code);
  /// For FailNext: a Report that asks for leases.
  static constexpr char kAskingReport[] = "Report that asks";
  void SetProtocol(int protocol);
  void CancelNext(const std::string& token);
  void DrainWorkers();
  /// Like a server of before the leases in reports.
  void ForgetNext();
  /// From now on a report that asks for leases is granted one for `schedule`, and not answered until its caller is
  /// gone.
  void HoldAnswersWithLeases(const Schedule& schedule);
  void SetHeartbeatInterval(double seconds);
  void ForgetWorkers();

  // What the tests see.
  int registrations() const;
  std::vector<std::string> leased() const;                 ///< Tokens, in order.
  std::vector<v1::CandidateReport> reports() const;        ///< In order, repeated ones included.
  std::set<std::string> heartbeat_tokens() const;          ///< Ever named by a heartbeat.
  std::vector<bool> heartbeats() const;                    ///< In order: whether the worker was draining.
  std::vector<std::string> lease_request_ids() const;      ///< In order, repeated ones included.
  int asked_with_reports() const;                          ///< How many Report calls asked for leases.
  std::vector<std::string> held() const;                   ///< Tokens of the leases in answers that were held back.
  int compile_lanes() const;                               ///< From the worker's registration.
  std::set<int> max_compiles() const;                      ///< Ever asked for with leases.
  std::vector<v1::CompileReport> compile_reports() const;  ///< Acknowledged ones, in order.
  int compile_calls() const;                               ///< How many ReportCompiled calls there were.
  std::vector<std::string> tasks_given() const;            ///< Tokens, in order.
  std::vector<std::string> tasks_alone() const;  ///< Ids of the requests in reports that were granted nothing else.
  bool WaitForCompileReports(size_t count, Duration limit = std::chrono::seconds(30)) const;
  bool WaitForReports(size_t count, Duration limit = std::chrono::seconds(30)) const;
  bool WaitForLeases(size_t count, Duration limit = std::chrono::seconds(30)) const;

  grpc::Status Register(grpc::ServerContext*, const v1::RegisterRequest*, v1::RegisterResponse*) override;
  grpc::Status Lease(grpc::ServerContext*, const v1::LeaseRequest*, v1::LeaseResponse*) override;
  grpc::Status Heartbeat(grpc::ServerContext*, const v1::HeartbeatRequest*, v1::HeartbeatResponse*) override;
  grpc::Status Report(grpc::ServerContext*, const v1::ReportRequest*, v1::ReportResponse*) override;
  grpc::Status ReportCompiled(grpc::ServerContext*, const v1::ReportCompiledRequest*,
                              v1::ReportCompiledResponse*) override;

 private:
  v1::Lease MakeLease(const Schedule& schedule) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// The answer that the request had before, if any.
  bool Repeat(const v1::LeaseRequest& request, v1::LeaseResponse* response) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Grant(const v1::LeaseRequest& request, v1::LeaseResponse* response) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool HasTaskFor(const v1::LeaseRequest& request) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  grpc::Status TakeFailure(const std::string& method) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  OwnedFolder folder_;
  std::string address_;
  std::unique_ptr<grpc::Server> server_;
  mutable absl::Mutex mutex_;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  bool drain_ ABSL_GUARDED_BY(mutex_) = false;
  bool registered_ ABSL_GUARDED_BY(mutex_) = false;
  bool knows_next_ ABSL_GUARDED_BY(mutex_) = true;
  std::optional<Schedule> hold_ ABSL_GUARDED_BY(mutex_);
  int asked_with_reports_ ABSL_GUARDED_BY(mutex_) = 0;
  double heartbeat_seconds_ ABSL_GUARDED_BY(mutex_) = 0.05;
  int protocol_ ABSL_GUARDED_BY(mutex_) = kProtocol;
  int registrations_ ABSL_GUARDED_BY(mutex_) = 0;
  int next_candidate_ ABSL_GUARDED_BY(mutex_) = 1;
  int next_task_ ABSL_GUARDED_BY(mutex_) = 1;
  std::deque<v1::Lease> queue_ ABSL_GUARDED_BY(mutex_);
  std::deque<v1::CompileTask> tasks_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> compiling_ ABSL_GUARDED_BY(mutex_);  // tokens of the tasks given out and not reported
  std::vector<v1::CompileReport> compile_reports_ ABSL_GUARDED_BY(mutex_);
  int compile_calls_ ABSL_GUARDED_BY(mutex_) = 0;
  int compile_lanes_ ABSL_GUARDED_BY(mutex_) = -1;
  std::set<int> max_compiles_ ABSL_GUARDED_BY(mutex_);
  bool reports_bring_tasks_alone_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::string> tasks_given_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> tasks_alone_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, v1::LeaseResponse> answered_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, std::pair<int, grpc::StatusCode>> failures_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> leased_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> held_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> request_ids_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> cancel_ ABSL_GUARDED_BY(mutex_);
  std::set<std::string> heartbeat_tokens_ ABSL_GUARDED_BY(mutex_);
  std::vector<bool> heartbeats_ ABSL_GUARDED_BY(mutex_);
  std::vector<v1::CandidateReport> reports_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune
