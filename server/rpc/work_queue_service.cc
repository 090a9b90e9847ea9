// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/work_queue_service.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mmtune/v1/work_queue.grpc.pb.h"
#include "server/rpc/rpc.h"
#include "server/security/peer_gate.h"

namespace mmtune {
namespace {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;

/// A worker with a certificate is known by the name in it and, after a '/', by its own id: nobody can speak for a
/// worker of another name, hold its leases or report in its place.
template <typename Request>
Request ByCertificate(const CallbackServerContext& context, const Request* request) {
  Request named = TakeRequest(request);
  const std::optional<Identity> caller = CallerOf(context);
  if (caller && !named.worker_id().empty()) {
    named.set_worker_id(absl::StrCat(caller->name, "/", named.worker_id()));
  }
  return named;
}

/// A Lease call: unlike other calls it may be answered by a later batch than its own.
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

/// A Report call, and the Lease call in it.
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
  absl::StatusOr<v1::ReportResponse> result_ = absl::UnknownError("not applied");
};

class WorkQueueService : public v1::WorkQueue::CallbackService {
 public:
  explicit WorkQueueService(RecordWriter& writer) : writer_(writer) {}

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
  RecordWriter& writer_;
};

}  // namespace

std::unique_ptr<grpc::Service> CreateWorkQueueService(RecordWriter& writer) {
  return std::make_unique<WorkQueueService>(writer);
}

}  // namespace mmtune
