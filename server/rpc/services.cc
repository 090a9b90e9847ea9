// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/services.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mmtune/v1/fleet.grpc.pb.h"
#include "mmtune/v1/tuning.grpc.pb.h"
#include "mmtune/v1/work_queue.grpc.pb.h"
#include "proto/base/status.h"
#include "server/coordinator/coordinator.h"
#include "server/coordinator/job.h"
#include "server/coordinator/log_writer.h"
#include "server/coordinator/worker_registry.h"
#include "server/rpc/rpc.h"
#include "server/rpc/watch_stream.h"
#include "server/security/peer_gate.h"

namespace mmtune {

Background::Background(size_t max_queue) : max_queue_(max_queue), thread_([this] { Loop(); }) {}

Background::~Background() { Stop(); }

absl::Status Background::Run(std::function<void()> task) {
  MutexLock lock(&mutex_);
  if (stopping_) return Unavailable("the server is shutting down");
  if (queue_.size() >= max_queue_) return Overloaded();
  queue_.push_back(std::move(task));
  return absl::OkStatus();
}

void Background::Stop() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

void Background::Loop() {
  while (true) {
    std::function<void()> task;
    {
      MutexLock lock(&mutex_);
      auto ready = [this]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) { return stopping_ || !queue_.empty(); };
      mutex_.Await(ready);
      if (queue_.empty()) return;
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    task();
  }
}

namespace {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

/// Runs a query of the log on the reader's thread.
template <typename Request, typename Response, typename Ask>
grpc::ServerUnaryReactor* RunAsQuery(Background& reader, const Request& request, Response* response, Ask ask) {
  auto [reactor, reply] = UnaryReply<Response>::Create(response);
  absl::Status queued = reader.Run([reply = reply, request, ask] {
    if (reply->Wanted()) reply->Finish(ask(request));
  });
  if (!queued.ok()) reply->Finish(queued);
  return reactor;
}

class TuningService : public v1::Tuning::CallbackService {
 public:
  TuningService(LogWriter& writer, JobFeeds& feeds, Background& reader, LogQueries& queries, const PeerGate* gate)
      : writer_(writer), feeds_(feeds), reader_(reader), queries_(queries), gate_(gate) {}

  ServerUnaryReactor* SubmitJob(CallbackServerContext* context, const v1::SubmitJobRequest* request,
                                v1::SubmitJobResponse* response) override {
    v1::SubmitJobRequest owned = *request;
    const std::optional<Identity> caller = CallerOf(*context);
    owned.mutable_spec()->set_owner(caller ? caller->name : "");
    return RunAsCommand(writer_, owned, response, &Coordinator::SubmitJob);
  }
  ServerUnaryReactor* GetJob(CallbackServerContext*, const v1::GetJobRequest* request, v1::Job* response) override {
    return AnswerWithJob(request->job_uuid(), response,
                         [request = *request](Coordinator& coordinator) { return coordinator.GetJob(request); });
  }
  ServerUnaryReactor* CancelJob(CallbackServerContext* context, const v1::CancelJobRequest* request,
                                v1::Job* response) override {
    return AnswerWithJob(request->job_uuid(), response,
                         [request = *request, caller = CallerOf(*context)](Coordinator& coordinator) {
                           return CancelFor(caller, request, coordinator);
                         });
  }
  ServerUnaryReactor* ListJobs(CallbackServerContext* context, const v1::ListJobsRequest*,
                               v1::ListJobsResponse* response) override {
    v1::ListJobsRequest owned;
    const std::optional<Identity> caller = CallerOf(*context);
    if (caller && caller->role != Role::kAdmin) owned.set_owner(caller->name);
    return RunAsCommand(writer_, owned, response, &Coordinator::ListJobs);
  }
  ServerUnaryReactor* QueryRecords(CallbackServerContext*, const v1::QueryRecordsRequest* request,
                                   v1::QueryRecordsResponse* response) override {
    return RunAsQuery(reader_, *request, response,
                      [this](const v1::QueryRecordsRequest& r) { return queries_.QueryRecords(r); });
  }
  ServerUnaryReactor* GetBest(CallbackServerContext*, const v1::GetBestRequest* request,
                              v1::GetBestResponse* response) override {
    return RunAsQuery(reader_, *request, response, [this](const v1::GetBestRequest& r) { return queries_.GetBest(r); });
  }
  ServerUnaryReactor* GetServerInfo(CallbackServerContext*, const v1::GetServerInfoRequest* request,
                                    v1::ServerInfo* response) override {
    return RunAsCommand(writer_, *request, response, [this](Coordinator& coordinator, const v1::GetServerInfoRequest&) {
      absl::StatusOr<v1::ServerInfo> info = coordinator.GetServerInfo();
      // A client that is about to join waits for the log then, which it opens itself.
      if (coordinator.EndsWorkers()) return absl::StatusOr<v1::ServerInfo>(Unavailable("the server is shutting down"));
      if (gate_ != nullptr) gate_->AddExpiry(&*info);
      return info;
    });
  }

  grpc::ServerWriteReactor<v1::JobEvent>* WatchJob(CallbackServerContext*,
                                                   const v1::WatchJobRequest* request) override {
    auto [reactor, stream] = WatchStream::Create();
    absl::Status valid = CheckName("job_uuid", request->job_uuid());
    if (valid.ok() && request->after_seq() < 0) {
      valid = InvalidArgument(absl::StrCat("after_seq is ", request->after_seq(), ": give 0 or more"));
    }
    if (!valid.ok()) {
      stream->Finish(valid);
      return reactor;
    }
    if (std::shared_ptr<JobFeed> feed = feeds_.Find(request->job_uuid())) {
      stream->Follow(std::move(feed), request->after_seq());
      return reactor;
    }
    absl::Status queued = reader_.Run([this, uuid = request->job_uuid(), stream = stream] {
      absl::StatusOr<v1::Job> job = queries_.GetJob(uuid);
      if (!job.ok()) return stream->Finish(job.status());
      if (!IsFinal(job->state())) {
        return stream->Finish(Unavailable("the job is being loaded or removed just now: watch again"));
      }
      // The job ended before this server started, or long ago, so that only its end is known.
      v1::JobEvent event;
      event.set_seq(1);
      event.set_state(job->state());
      event.set_message(job->message());
      *event.mutable_progress() = job->progress();
      auto feed = std::make_shared<JobFeed>(1);
      feed->Append(std::move(event), /*last=*/true);
      stream->Follow(std::move(feed), 0);
    });
    if (!queued.ok()) stream->Finish(queued);
    return reactor;
  }

 private:
  /// Only its owner and an admin may cancel a job.
  static absl::StatusOr<v1::Job> CancelFor(const std::optional<Identity>& caller, const v1::CancelJobRequest& request,
                                           Coordinator& coordinator) {
    if (!caller || caller->role == Role::kAdmin) return coordinator.CancelJob(request);
    v1::GetJobRequest get;
    get.set_job_uuid(request.job_uuid());
    const absl::StatusOr<v1::Job> job = coordinator.GetJob(get);
    if (!job.ok()) return coordinator.CancelJob(request);  // says why it is not here
    if (job->spec().owner() == caller->name) return coordinator.CancelJob(request);
    return absl::PermissionDeniedError(absl::StrCat(
        "job ", request.job_uuid(), " belongs to ", job->spec().owner().empty() ? "nobody" : job->spec().owner(),
        ", not to ", caller->name, ": only its owner or an admin may cancel it"));
  }

  /// Asks the coordinator, and then the log if the coordinator does not have the job.
  ServerUnaryReactor* AnswerWithJob(const std::string& uuid, v1::Job* response,
                                    std::function<absl::StatusOr<v1::Job>(Coordinator&)> ask) {
    auto [reactor, reply] = UnaryReply<v1::Job>::Create(response);
    if (absl::Status named = CheckName("job_uuid", uuid); !named.ok()) {
      reply->Finish(named);
      return reactor;
    }
    auto result = std::make_shared<absl::StatusOr<v1::Job>>(absl::UnknownError("the server did not apply the request"));
    WriteCommand command;
    command.apply = [result, ask](Coordinator& coordinator) {
      *result = ask(coordinator);
      return result->status();
    };
    command.finish = [this, uuid, result, reply = reply](const absl::Status& commit) {
      if (!commit.ok()) return reply->Finish(commit);
      if (!absl::IsNotFound(result->status())) return reply->Finish(std::move(*result));
      absl::Status queued = reader_.Run([this, uuid, reply] { reply->Finish(queries_.GetJob(uuid)); });
      if (!queued.ok()) reply->Finish(queued);
    };
    if (absl::Status queued = writer_.Submit(std::move(command)); !queued.ok()) reply->Finish(queued);
    return reactor;
  }

  LogWriter& writer_;
  JobFeeds& feeds_;
  Background& reader_;
  LogQueries& queries_;
  const PeerGate* const gate_;
};

}  // namespace

std::unique_ptr<grpc::Service> CreateTuningService(LogWriter& writer, JobFeeds& feeds, Background& reader,
                                                   LogQueries& queries, const PeerGate* gate) {
  return std::make_unique<TuningService>(writer, feeds, reader, queries, gate);
}

namespace {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

/// Returns the request with the worker's id as "NAME/ID" if the caller has a certificate for NAME, so that no caller
/// can act for a worker with another certificate.
template <typename Request>
Request ByCertificate(const CallbackServerContext& context, const Request* request) {
  Request named = TakeRequest(request);
  const std::optional<Identity> caller = CallerOf(context);
  if (caller && !named.worker_id().empty()) {
    named.set_worker_id(absl::StrCat(caller->name, "/", named.worker_id()));
  }
  return named;
}

/// A Lease call. Unlike other calls, it may be answered in a later batch.
class WaitingLease : public LeaseCall {
 public:
  WaitingLease(v1::LeaseRequest request, std::shared_ptr<UnaryReply<v1::LeaseResponse>> reply)
      : request_(std::move(request)), reply_(std::move(reply)) {}

  const v1::LeaseRequest& request() const { return request_; }
  bool Wanted() const override { return reply_->Wanted(); }
  void Answer(const absl::Status& status, v1::LeaseResponse response) override {
    reply_->Finish(status, std::move(response));
  }

 private:
  const v1::LeaseRequest request_;
  const std::shared_ptr<UnaryReply<v1::LeaseResponse>> reply_;
};

/// A Report call, with the Lease call that it may contain.
class ReportCall : public LeaseCall {
 public:
  ReportCall(v1::ReportRequest request, std::shared_ptr<UnaryReply<v1::ReportResponse>> reply)
      : request_(std::move(request)), reply_(std::move(reply)) {}

  static absl::Status Apply(const std::shared_ptr<ReportCall>& call, Coordinator& coordinator) {
    call->result_ = coordinator.Report(call->request_, call);
    return call->result_.status();
  }
  bool Wanted() const override { return reply_->Wanted(); }
  void Answer(const absl::Status& status, v1::LeaseResponse leases) override {
    if (status.ok()) *result_->mutable_next() = std::move(leases);
  }
  void Finish(const absl::Status& commit) { commit.ok() ? reply_->Finish(std::move(result_)) : reply_->Finish(commit); }

 private:
  const v1::ReportRequest request_;
  const std::shared_ptr<UnaryReply<v1::ReportResponse>> reply_;
  absl::StatusOr<v1::ReportResponse> result_ = absl::UnknownError("the server did not apply the request");
};

class WorkQueueService : public v1::WorkQueue::CallbackService {
 public:
  explicit WorkQueueService(LogWriter& writer) : writer_(writer) {}

  ServerUnaryReactor* Register(CallbackServerContext* context, const v1::RegisterRequest* request,
                               v1::RegisterResponse* response) override {
    return RunAsCommand(writer_, ByCertificate(*context, request), response,
                        [peer = PeerHost(context->peer())](Coordinator& coordinator, const v1::RegisterRequest& r) {
                          return coordinator.Register(r, peer);
                        });
  }

  ServerUnaryReactor* Lease(CallbackServerContext* context, const v1::LeaseRequest* request,
                            v1::LeaseResponse* response) override {
    auto [reactor, reply] = UnaryReply<v1::LeaseResponse>::Create(response);
    auto call = std::make_shared<WaitingLease>(ByCertificate(*context, request), reply);
    WriteCommand command;
    command.apply = [call](Coordinator& coordinator) {
      if (!call->Wanted()) return absl::OkStatus();
      return coordinator.Lease(call->request(), call);
    };
    command.finish = [call](const absl::Status& commit) {
      if (!commit.ok()) call->Answer(commit, {});
    };
    if (absl::Status queued = writer_.Submit(std::move(command)); !queued.ok()) reply->Finish(queued);
    return reactor;
  }

  ServerUnaryReactor* Heartbeat(CallbackServerContext* context, const v1::HeartbeatRequest* request,
                                v1::HeartbeatResponse* response) override {
    return RunAsCommand(writer_, ByCertificate(*context, request), response, &Coordinator::Heartbeat);
  }
  ServerUnaryReactor* ReportCompiled(CallbackServerContext* context, const v1::ReportCompiledRequest* request,
                                     v1::ReportCompiledResponse* response) override {
    return RunAsCommand(writer_, ByCertificate(*context, request), response, &Coordinator::ReportCompiled);
  }
  ServerUnaryReactor* FindMeasured(CallbackServerContext* context, const v1::FindMeasuredRequest* request,
                                   v1::FindMeasuredResponse* response) override {
    return RunAsCommand(writer_, ByCertificate(*context, request), response, &Coordinator::FindMeasured);
  }
  ServerUnaryReactor* Report(CallbackServerContext* context, const v1::ReportRequest* request,
                             v1::ReportResponse* response) override {
    auto [reactor, reply] = UnaryReply<v1::ReportResponse>::Create(response);
    auto call = std::make_shared<ReportCall>(ByCertificate(*context, request), reply);
    WriteCommand command;
    command.apply = [call](Coordinator& coordinator) { return ReportCall::Apply(call, coordinator); };
    command.finish = [call](const absl::Status& commit) { call->Finish(commit); };
    if (absl::Status queued = writer_.Submit(std::move(command)); !queued.ok()) reply->Finish(queued);
    return reactor;
  }

 private:
  LogWriter& writer_;
};

}  // namespace

std::unique_ptr<grpc::Service> CreateWorkQueueService(LogWriter& writer) {
  return std::make_unique<WorkQueueService>(writer);
}

namespace {

class FleetService : public v1::Fleet::CallbackService {
 public:
  explicit FleetService(LogWriter& writer) : writer_(writer) {}

  grpc::ServerUnaryReactor* HoldWorker(grpc::CallbackServerContext* context, const v1::HoldWorkerRequest* request,
                                       v1::WorkerStatus* response) override {
    v1::HoldWorkerRequest named = *request;
    const std::optional<Identity> caller = CallerOf(*context);
    named.set_by(caller ? caller->name : "");
    return RunAsCommand(writer_, named, response, &Coordinator::HoldWorker);
  }

 private:
  LogWriter& writer_;
};

}  // namespace

std::unique_ptr<grpc::Service> CreateFleetService(LogWriter& writer) { return std::make_unique<FleetService>(writer); }

}  // namespace mmtune
