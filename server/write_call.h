// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A unary call that is one command of the record writer: applied in a batch, answered after its commit.
#pragma once

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "server/record_writer.h"
#include "server/rpc.h"

namespace mmtune {

/// `apply(coordinator, request)` returns absl::StatusOr<Response>. The request is copied: the client may be gone before
/// its turn comes.
template <typename Request, typename Response, typename Apply>
grpc::ServerUnaryReactor* RunAsCommand(RecordWriter& writer, const Request& request, Response* response, Apply apply) {
  struct Call {
    Request request;
    absl::StatusOr<Response> result = absl::UnknownError("not applied");
    std::shared_ptr<UnaryReply<Response>> reply;
  };
  auto call = std::make_shared<Call>();
  call->request = request;
  auto [reactor, reply] = UnaryReply<Response>::Create(response);
  call->reply = reply;
  WriteCommand command;
  command.apply = [call, apply](Coordinator& coordinator) {
    call->result = apply(coordinator, call->request);
    return call->result.status();
  };
  command.finish = [call](const absl::Status& commit) {
    if (commit.ok()) {
      call->reply->Finish(std::move(call->result));
    } else {
      call->reply->Finish(commit);
    }
  };
  if (absl::Status queued = writer.Submit(std::move(command)); !queued.ok()) reply->Finish(queued);
  return reactor;
}

}  // namespace mmtune
