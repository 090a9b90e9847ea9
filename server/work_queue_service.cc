// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/work_queue_service.h"

#include <memory>
#include <utility>

#include "server/rpc.h"
#include "server/write_call.h"

namespace mmtune {
namespace {

/// A Lease call: unlike the others it may be answered by a batch later than its own.
class WaitingLease : public LeaseCall {
 public:
  WaitingLease(const v1::LeaseRequest& request, std::shared_ptr<UnaryReply<v1::LeaseResponse>> reply)
      : request_(request), reply_(std::move(reply)) {}

  const v1::LeaseRequest& request() const { return request_; }
  bool Wanted() const override { return reply_->Wanted(); }
  void Answer(const absl::Status& status, v1::LeaseResponse response) override {
    reply_->Finish(status, std::move(response));
  }

 private:
  const v1::LeaseRequest request_;
  const std::shared_ptr<UnaryReply<v1::LeaseResponse>> reply_;
};

}  // namespace

std::string PeerHost(std::string_view peer) {
  const bool has_port = peer.starts_with("ipv4:") || peer.starts_with("ipv6:");
  return std::string(has_port ? peer.substr(0, peer.rfind(':')) : peer);
}

grpc::ServerUnaryReactor* WorkQueueService::Register(grpc::CallbackServerContext* context,
                                                     const v1::RegisterRequest* request,
                                                     v1::RegisterResponse* response) {
  return RunAsCommand(writer_, *request, response,
                      [peer = PeerHost(context->peer())](Coordinator& coordinator, const v1::RegisterRequest& r) {
                        return coordinator.Register(r, peer);
                      });
}

grpc::ServerUnaryReactor* WorkQueueService::Lease(grpc::CallbackServerContext*, const v1::LeaseRequest* request,
                                                  v1::LeaseResponse* response) {
  auto [reactor, reply] = UnaryReply<v1::LeaseResponse>::Create(response);
  auto call = std::make_shared<WaitingLease>(*request, reply);
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

grpc::ServerUnaryReactor* WorkQueueService::Heartbeat(grpc::CallbackServerContext*, const v1::HeartbeatRequest* request,
                                                      v1::HeartbeatResponse* response) {
  return RunAsCommand(writer_, *request, response,
                      [](Coordinator& coordinator, const v1::HeartbeatRequest& r) { return coordinator.Heartbeat(r); });
}

grpc::ServerUnaryReactor* WorkQueueService::FindMeasured(grpc::CallbackServerContext*,
                                                         const v1::FindMeasuredRequest* request,
                                                         v1::FindMeasuredResponse* response) {
  return RunAsCommand(writer_, *request, response, [](Coordinator& coordinator, const v1::FindMeasuredRequest& r) {
    return coordinator.FindMeasured(r);
  });
}

grpc::ServerUnaryReactor* WorkQueueService::Report(grpc::CallbackServerContext*, const v1::ReportRequest* request,
                                                   v1::ReportResponse* response) {
  return RunAsCommand(writer_, *request, response,
                      [](Coordinator& coordinator, const v1::ReportRequest& r) { return coordinator.Report(r); });
}

}  // namespace mmtune
