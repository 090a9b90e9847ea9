// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/worker/agent/fake_work_queue.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "proto/base/clock.h"
#include "proto/wire/convert.h"

namespace mmtune {

FakeWorkQueue::FakeWorkQueue()
    : folder_(OwnedFolder::Temporary("mmtune-test-").value()),
      address_(absl::StrCat("unix:", folder_.path(), "/server")) {
  Start();
}

FakeWorkQueue::~FakeWorkQueue() { Stop(); }

void FakeWorkQueue::Start() {
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = false;
  }
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address_, grpc::InsecureServerCredentials());
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
}

void FakeWorkQueue::Stop() {
  if (server_ == nullptr) return;
  {
    absl::MutexLock lock(&mutex_);
    stopping_ = true;
  }
  server_->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(1));
  server_.reset();
}

void FakeWorkQueue::AddCandidate(const Schedule& schedule, double start_to_close_seconds, const std::string& arch) {
  absl::MutexLock lock(&mutex_);
  v1::Lease& lease = queue_.emplace_back(MakeLease(schedule));
  lease.set_arch(arch);
  lease.set_start_to_close_seconds(start_to_close_seconds);
}

v1::Lease FakeWorkQueue::MakeLease(const Schedule& schedule) {
  v1::Lease lease;
  lease.set_candidate_id(next_candidate_++);
  lease.set_token(absl::StrCat("token-", lease.candidate_id()));
  lease.set_job_uuid("job");
  lease.set_attempt(1);
  *lease.mutable_problem() = ToWire(MatmulProblem{8, 8, 8, DataType::kF32});
  *lease.mutable_schedule() = ToWire(schedule);
  lease.set_ttl_seconds(30);
  lease.set_start_to_close_seconds(600);
  return lease;
}

void FakeWorkQueue::AddTask(const Schedule& schedule, const std::string& arch) {
  absl::MutexLock lock(&mutex_);
  v1::CompileTask& task = tasks_.emplace_back();
  task.set_token(absl::StrCat("task-", next_task_++));
  task.set_job_uuid("job");
  *task.mutable_problem() = ToWire(MatmulProblem{8, 8, 8, DataType::kF32});
  *task.mutable_schedule() = ToWire(schedule);
  task.set_arch(arch);
}

void FakeWorkQueue::GrantReportsTasksAlone() {
  absl::MutexLock lock(&mutex_);
  reports_bring_tasks_alone_ = true;
}

void FakeWorkQueue::ChangeLease(const std::function<void(v1::Lease&)>& change) {
  absl::MutexLock lock(&mutex_);
  change(queue_.back());
}

void FakeWorkQueue::FailNext(std::string method, int times, grpc::StatusCode code) {
  absl::MutexLock lock(&mutex_);
  failures_[std::move(method)] = {times, code};
}

void FakeWorkQueue::SetProtocol(int protocol) {
  absl::MutexLock lock(&mutex_);
  protocol_ = protocol;
}

void FakeWorkQueue::CancelNext(const std::string& token) {
  absl::MutexLock lock(&mutex_);
  cancel_.push_back(token);
}

void FakeWorkQueue::DrainWorkers() {
  absl::MutexLock lock(&mutex_);
  drain_ = true;
}

void FakeWorkQueue::ForgetNext() {
  absl::MutexLock lock(&mutex_);
  knows_next_ = false;
}

void FakeWorkQueue::HoldAnswersWithLeases(const Schedule& schedule) {
  absl::MutexLock lock(&mutex_);
  hold_ = schedule;
}

void FakeWorkQueue::SetHeartbeatInterval(double seconds) {
  absl::MutexLock lock(&mutex_);
  heartbeat_seconds_ = seconds;
}

std::vector<bool> FakeWorkQueue::heartbeats() const {
  absl::MutexLock lock(&mutex_);
  return heartbeats_;
}

void FakeWorkQueue::ForgetWorkers() {
  absl::MutexLock lock(&mutex_);
  registered_ = false;
}

int FakeWorkQueue::registrations() const {
  absl::MutexLock lock(&mutex_);
  return registrations_;
}

std::vector<std::string> FakeWorkQueue::leased() const {
  absl::MutexLock lock(&mutex_);
  return leased_;
}

std::vector<v1::CandidateReport> FakeWorkQueue::reports() const {
  absl::MutexLock lock(&mutex_);
  return reports_;
}

std::set<std::string> FakeWorkQueue::heartbeat_tokens() const {
  absl::MutexLock lock(&mutex_);
  return heartbeat_tokens_;
}

int FakeWorkQueue::asked_with_reports() const {
  absl::MutexLock lock(&mutex_);
  return asked_with_reports_;
}

std::vector<std::string> FakeWorkQueue::held() const {
  absl::MutexLock lock(&mutex_);
  return held_;
}

int FakeWorkQueue::compile_lanes() const {
  absl::MutexLock lock(&mutex_);
  return compile_lanes_;
}

std::set<int> FakeWorkQueue::max_compiles() const {
  absl::MutexLock lock(&mutex_);
  return max_compiles_;
}

std::vector<v1::CompileReport> FakeWorkQueue::compile_reports() const {
  absl::MutexLock lock(&mutex_);
  return compile_reports_;
}

int FakeWorkQueue::compile_calls() const {
  absl::MutexLock lock(&mutex_);
  return compile_calls_;
}

std::vector<std::string> FakeWorkQueue::tasks_given() const {
  absl::MutexLock lock(&mutex_);
  return tasks_given_;
}

std::vector<std::string> FakeWorkQueue::tasks_alone() const {
  absl::MutexLock lock(&mutex_);
  return tasks_alone_;
}

std::vector<std::string> FakeWorkQueue::lease_request_ids() const {
  absl::MutexLock lock(&mutex_);
  return request_ids_;
}

bool FakeWorkQueue::WaitForReports(size_t count, Duration limit) const {
  absl::MutexLock lock(&mutex_);
  auto enough = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return reports_.size() >= count; };
  return mutex_.AwaitWithTimeout(absl::Condition(&enough), absl::FromChrono(limit));
}

bool FakeWorkQueue::WaitForCompileReports(size_t count, Duration limit) const {
  absl::MutexLock lock(&mutex_);
  auto enough = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return compile_reports_.size() >= count; };
  return mutex_.AwaitWithTimeout(absl::Condition(&enough), absl::FromChrono(limit));
}

bool FakeWorkQueue::WaitForLeases(size_t count, Duration limit) const {
  absl::MutexLock lock(&mutex_);
  auto enough = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return leased_.size() >= count; };
  return mutex_.AwaitWithTimeout(absl::Condition(&enough), absl::FromChrono(limit));
}

grpc::Status FakeWorkQueue::TakeFailure(const std::string& method) {
  auto it = failures_.find(method);
  if (it == failures_.end() || it->second.first == 0) return grpc::Status::OK;
  --it->second.first;
  return grpc::Status(it->second.second, "scripted");
}

grpc::Status FakeWorkQueue::Register(grpc::ServerContext*, const v1::RegisterRequest* request,
                                     v1::RegisterResponse* response) {
  absl::MutexLock lock(&mutex_);
  if (grpc::Status failure = TakeFailure("Register"); !failure.ok()) return failure;
  ++registrations_;
  registered_ = true;
  compile_lanes_ = request->compile_lanes();
  response->set_protocol(protocol_);
  response->set_heartbeat_seconds(heartbeat_seconds_);
  response->set_lease_ttl_seconds(30);
  return grpc::Status::OK;
}

bool FakeWorkQueue::Repeat(const v1::LeaseRequest& request, v1::LeaseResponse* response) {
  request_ids_.push_back(request.request_id());
  max_compiles_.insert(request.max_compiles());
  const auto answered = answered_.find(request.request_id());
  if (answered == answered_.end()) return false;
  *response = answered->second;
  return true;
}

bool FakeWorkQueue::HasTaskFor(const v1::LeaseRequest& request) const {
  return !tasks_.empty() && static_cast<int>(compiling_.size()) < request.max_compiles();
}

void FakeWorkQueue::Grant(const v1::LeaseRequest& request, v1::LeaseResponse* response) {
  while (!queue_.empty() && response->leases_size() < request.max_leases()) {
    leased_.push_back(queue_.front().token());
    *response->add_leases() = queue_.front();
    queue_.pop_front();
  }
  while (HasTaskFor(request)) {
    tasks_given_.push_back(tasks_.front().token());
    compiling_.insert(tasks_.front().token());
    *response->add_compiles() = tasks_.front();
    tasks_.pop_front();
  }
  response->set_drain(drain_);
  if (!response->leases().empty() || !response->compiles().empty()) answered_[request.request_id()] = *response;
}

grpc::Status FakeWorkQueue::Lease(grpc::ServerContext* context, const v1::LeaseRequest* request,
                                  v1::LeaseResponse* response) {
  absl::MutexLock lock(&mutex_);
  if (Repeat(*request, response)) return grpc::Status::OK;
  if (!registered_) return grpc::Status(grpc::StatusCode::NOT_FOUND, "unknown worker");
  auto answer = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return stopping_ || drain_ || !queue_.empty() || HasTaskFor(*request) || context->IsCancelled();
  };
  const TimePoint deadline = Clock::Real().Now() + FromSeconds(request->wait_seconds());
  while (!mutex_.AwaitWithTimeout(absl::Condition(&answer), absl::Milliseconds(20))) {
    if (Clock::Real().Now() >= deadline) break;
  }
  Grant(*request, response);
  return TakeFailure("Lease");  // after the fact: a lost reply
}

grpc::Status FakeWorkQueue::Heartbeat(grpc::ServerContext*, const v1::HeartbeatRequest* request,
                                      v1::HeartbeatResponse* response) {
  absl::MutexLock lock(&mutex_);
  if (grpc::Status failure = TakeFailure("Heartbeat"); !failure.ok()) return failure;
  heartbeats_.push_back(request->draining());
  heartbeat_tokens_.insert(request->tokens().begin(), request->tokens().end());
  for (const std::string& token : cancel_) response->add_cancel_tokens(token);
  response->set_drain(drain_);
  response->set_unknown_worker(!registered_);
  return grpc::Status::OK;
}

grpc::Status FakeWorkQueue::Report(grpc::ServerContext* context, const v1::ReportRequest* request,
                                   v1::ReportResponse* response) {
  absl::MutexLock lock(&mutex_);
  for (const v1::CandidateReport& report : request->reports()) {
    reports_.push_back(report);
    response->add_statuses()->set_token(report.token());
  }
  if (request->has_next() && knows_next_) {
    ++asked_with_reports_;
    if (hold_) queue_.push_front(MakeLease(*hold_));
    v1::LeaseRequest next = request->next();
    if (reports_bring_tasks_alone_) next.set_max_leases(0);
    if (!Repeat(next, response->mutable_next())) Grant(next, response->mutable_next());
    if (response->next().leases().empty() && !response->next().compiles().empty()) {
      tasks_alone_.push_back(next.request_id());
    }
    if (hold_) {
      for (const v1::Lease& lease : response->next().leases()) held_.push_back(lease.token());
      const auto ended = [&]() ABSL_NO_THREAD_SAFETY_ANALYSIS { return stopping_ || context->IsCancelled(); };
      while (!mutex_.AwaitWithTimeout(absl::Condition(&ended), absl::Milliseconds(5))) continue;
    }
  }
  // After the fact: a lost acknowledgement.
  if (request->has_next()) {
    if (grpc::Status failure = TakeFailure(kAskingReport); !failure.ok()) return failure;
  }
  return TakeFailure("Report");
}

grpc::Status FakeWorkQueue::ReportCompiled(grpc::ServerContext*, const v1::ReportCompiledRequest* request,
                                           v1::ReportCompiledResponse*) {
  absl::MutexLock lock(&mutex_);
  ++compile_calls_;
  if (grpc::Status failure = TakeFailure("ReportCompiled"); !failure.ok()) return failure;
  for (const v1::CompileReport& report : request->reports()) {
    compiling_.erase(report.token());
    compile_reports_.push_back(report);
  }
  return grpc::Status::OK;
}

}  // namespace mmtune
