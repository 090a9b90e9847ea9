// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/tuning_service.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mmtune/v1/tuning.grpc.pb.h"
#include "proto/base/status.h"
#include "server/coordinator/job_state.h"
#include "server/coordinator/work_requests.h"
#include "server/rpc/rpc.h"
#include "server/rpc/watch_stream.h"
#include "server/security/peer_gate.h"

namespace mmtune {
namespace {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

/// Runs a question to the log on the reader's thread.
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
  TuningService(RecordWriter& writer, JobFeeds& feeds, Background& reader, LogQueries& queries, const PeerGate* gate)
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
      if (gate_ != nullptr) gate_->AddExpiry(&*info);
      return info;
    });
  }

  grpc::ServerWriteReactor<v1::JobEvent>* WatchJob(CallbackServerContext*,
                                                   const v1::WatchJobRequest* request) override {
    auto [reactor, stream] = WatchStream::Create();
    absl::Status valid = CheckName("job_uuid", request->job_uuid());
    if (valid.ok() && request->after_seq() < 0) valid = InvalidArgument("after_seq is negative");
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
        return stream->Finish(Unavailable("the job is being taken up or let go of: watch again"));
      }
      // Ended before this server started, or long ago: how it ended is all there is to tell.
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
    ASSIGN_OR_RETURN(const v1::Job job, coordinator.GetJob(get));
    if (job.spec().owner() == caller->name) return coordinator.CancelJob(request);
    return absl::PermissionDeniedError(absl::StrCat("job ", request.job_uuid(), " is ",
                                                    job.spec().owner().empty() ? "nobody's" : job.spec().owner(),
                                                    ", not ", caller->name, "'s: its owner or an admin may cancel it"));
  }

  /// Asks the coordinator, and the log when the coordinator does not know the job (any more).
  ServerUnaryReactor* AnswerWithJob(const std::string& uuid, v1::Job* response,
                                    std::function<absl::StatusOr<v1::Job>(Coordinator&)> ask) {
    auto [reactor, reply] = UnaryReply<v1::Job>::Create(response);
    if (absl::Status named = CheckName("job_uuid", uuid); !named.ok()) {
      reply->Finish(named);
      return reactor;
    }
    auto result = std::make_shared<absl::StatusOr<v1::Job>>(absl::UnknownError("not applied"));
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

  RecordWriter& writer_;
  JobFeeds& feeds_;
  Background& reader_;
  LogQueries& queries_;
  const PeerGate* const gate_;
};

}  // namespace

std::unique_ptr<grpc::Service> CreateTuningService(RecordWriter& writer, JobFeeds& feeds, Background& reader,
                                                   LogQueries& queries, const PeerGate* gate) {
  return std::make_unique<TuningService>(writer, feeds, reader, queries, gate);
}

}  // namespace mmtune
