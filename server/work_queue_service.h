// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune.v1.WorkQueue over the record writer.
#pragma once

#include <string>
#include <string_view>

#include "mmtune/v1/work_queue.grpc.pb.h"
#include "server/record_writer.h"

namespace mmtune {

/// The host of a gRPC peer, without the port, which is another for each connection; `unix:` peers as they are.
std::string PeerHost(std::string_view peer);

class WorkQueueService : public v1::WorkQueue::CallbackService {
 public:
  /// `writer` must outlive the service.
  explicit WorkQueueService(RecordWriter& writer) : writer_(writer) {}

  grpc::ServerUnaryReactor* Register(grpc::CallbackServerContext* context, const v1::RegisterRequest* request,
                                     v1::RegisterResponse* response) override;
  grpc::ServerUnaryReactor* Lease(grpc::CallbackServerContext* context, const v1::LeaseRequest* request,
                                  v1::LeaseResponse* response) override;
  grpc::ServerUnaryReactor* FindMeasured(grpc::CallbackServerContext* context, const v1::FindMeasuredRequest* request,
                                         v1::FindMeasuredResponse* response) override;
  grpc::ServerUnaryReactor* Heartbeat(grpc::CallbackServerContext* context, const v1::HeartbeatRequest* request,
                                      v1::HeartbeatResponse* response) override;
  grpc::ServerUnaryReactor* Report(grpc::CallbackServerContext* context, const v1::ReportRequest* request,
                                   v1::ReportResponse* response) override;

 private:
  RecordWriter& writer_;
};

}  // namespace mmtune
