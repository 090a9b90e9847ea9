// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/rpc/fleet_service.h"

#include <optional>

#include "mmtune/v1/fleet.grpc.pb.h"
#include "server/rpc/rpc.h"
#include "server/security/peer_gate.h"

namespace mmtune {
namespace {

class FleetService : public v1::Fleet::CallbackService {
 public:
  explicit FleetService(RecordWriter& writer) : writer_(writer) {}

  grpc::ServerUnaryReactor* HoldWorker(grpc::CallbackServerContext* context, const v1::HoldWorkerRequest* request,
                                       v1::WorkerStatus* response) override {
    v1::HoldWorkerRequest named = *request;
    const std::optional<Identity> caller = CallerOf(*context);
    named.set_by(caller ? caller->name : "");
    return RunAsCommand(writer_, named, response, &Coordinator::HoldWorker);
  }

 private:
  RecordWriter& writer_;
};

}  // namespace

std::unique_ptr<grpc::Service> CreateFleetService(RecordWriter& writer) {
  return std::make_unique<FleetService>(writer);
}

}  // namespace mmtune
