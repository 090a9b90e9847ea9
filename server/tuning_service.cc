// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tuning_service.h"

#include <memory>
#include <utility>

#include "proto/base/status.h"
#include "server/job_state.h"
#include "server/rpc.h"
#include "server/watch_stream.h"
#include "server/work_requests.h"
#include "server/write_call.h"

namespace mmtune {
namespace {

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

}  // namespace

grpc::ServerUnaryReactor* TuningService::SubmitJob(grpc::CallbackServerContext*, const v1::SubmitJobRequest* request,
                                                   v1::SubmitJobResponse* response) {
  return RunAsCommand(writer_, *request, response,
                      [](Coordinator& coordinator, const v1::SubmitJobRequest& r) { return coordinator.SubmitJob(r); });
}

grpc::ServerUnaryReactor* TuningService::GetJob(grpc::CallbackServerContext*, const v1::GetJobRequest* request,
                                                v1::Job* response) {
  return AnswerWithJob(request->job_uuid(), response,
                       [request = *request](Coordinator& coordinator) { return coordinator.GetJob(request); });
}

grpc::ServerUnaryReactor* TuningService::CancelJob(grpc::CallbackServerContext*, const v1::CancelJobRequest* request,
                                                   v1::Job* response) {
  return AnswerWithJob(request->job_uuid(), response,
                       [request = *request](Coordinator& coordinator) { return coordinator.CancelJob(request); });
}

grpc::ServerUnaryReactor* TuningService::AnswerWithJob(const std::string& uuid, v1::Job* response, AskCoordinator ask) {
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

grpc::ServerWriteReactor<v1::JobEvent>* TuningService::WatchJob(grpc::CallbackServerContext*,
                                                                const v1::WatchJobRequest* request) {
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

grpc::ServerUnaryReactor* TuningService::QueryRecords(grpc::CallbackServerContext*,
                                                      const v1::QueryRecordsRequest* request,
                                                      v1::QueryRecordsResponse* response) {
  return RunAsQuery(reader_, *request, response,
                    [this](const v1::QueryRecordsRequest& r) { return queries_.QueryRecords(r); });
}

grpc::ServerUnaryReactor* TuningService::GetBest(grpc::CallbackServerContext*, const v1::GetBestRequest* request,
                                                 v1::GetBestResponse* response) {
  return RunAsQuery(reader_, *request, response, [this](const v1::GetBestRequest& r) { return queries_.GetBest(r); });
}

grpc::ServerUnaryReactor* TuningService::GetServerInfo(grpc::CallbackServerContext*,
                                                       const v1::GetServerInfoRequest* request,
                                                       v1::ServerInfo* response) {
  return RunAsCommand(writer_, *request, response, [](Coordinator& coordinator, const v1::GetServerInfoRequest&) {
    return absl::StatusOr<v1::ServerInfo>(coordinator.GetServerInfo());
  });
}

}  // namespace mmtune
