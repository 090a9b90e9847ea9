// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answering gRPC calls from other threads.
#pragma once

#include <grpcpp/grpcpp.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "proto/base/mutex.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "server/coordinator/overload.h"
#include "server/coordinator/record_writer.h"
#include "server/coordinator/storage_status.h"

namespace mmtune {

/// The longest text of a status: it travels as a header, encoded in up to three times the bytes, and a header has 8 KiB
/// at most.
inline constexpr size_t kMaxStatusText = 1024;

/// A storage failure is marked in the details of the status.
inline grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), Shortened(ToStd(status.message()), kMaxStatusText),
                      IsStorageFailure(status) ? kStorageFailure
                      : IsOverload(status)     ? kOverload
                                               : "");
}

/// The host of a gRPC peer without the port, which differs from connection to connection; `unix:` peers as they are.
inline std::string PeerHost(std::string_view peer) {
  const bool has_port = peer.starts_with("ipv4:") || peer.starts_with("ipv6:");
  return std::string(has_port ? peer.substr(0, peer.rfind(':')) : peer);
}

/// A request as the callback API passes it, which nobody reads any more: its contents without a copy.
template <typename Request>
Request TakeRequest(const Request* request) {
  return std::move(const_cast<Request&>(*request));  // gRPC made it for this call, and only destroys it after us
}

/// The answer to one unary call. Shared between the call and whoever answers it, and may outlive the call, so that a
/// late answer is dropped and does not touch freed memory. Thread-safe.
template <typename Response>
class UnaryReply {
 public:
  /// The reactor to return from the service's method, and the reply to it. Finishes by itself when the client cancels
  /// or its deadline passes: without that a server's Shutdown would wait for it.
  static std::pair<grpc::ServerUnaryReactor*, std::shared_ptr<UnaryReply>> Create(Response* response) {
    auto reply = std::make_shared<UnaryReply>(response);
    auto* reactor = new Reactor(reply);
    reply->reactor_ = reactor;
    return {reactor, std::move(reply)};
  }

  explicit UnaryReply(Response* response) : response_(response) {}

  /// Only the first call counts.
  void Finish(const absl::Status& status, Response response = {}) {
    Reactor* reactor = nullptr;
    {
      MutexLock lock(&mutex_);
      reactor = std::exchange(reactor_, nullptr);
      if (reactor == nullptr) return;
      if (status.ok()) *response_ = std::move(response);
    }
    reactor->Finish(ToGrpc(status));
  }

  void Finish(absl::StatusOr<Response> result) {
    if (result.ok()) {
      Finish(absl::OkStatus(), *std::move(result));
    } else {
      Finish(result.status());
    }
  }

  /// False once answered, by whomever.
  bool Wanted() const {
    MutexLock lock(&mutex_);
    return reactor_ != nullptr;
  }

 private:
  class Reactor : public grpc::ServerUnaryReactor {
   public:
    explicit Reactor(std::shared_ptr<UnaryReply> reply) : reply_(std::move(reply)) {}
    void OnCancel() override { reply_->Finish(absl::CancelledError("the client went away")); }
    void OnDone() override { delete this; }

   private:
    const std::shared_ptr<UnaryReply> reply_;
  };

  mutable Mutex mutex_;
  Reactor* reactor_ ABSL_GUARDED_BY(mutex_) = nullptr;
  Response* const response_;
};

/// A unary call that is one command of the record writer: applied in a batch, answered after its commit.
/// `apply(coordinator, request)` returns absl::StatusOr<Response>. The request is the command's own: the client may be
/// gone before its turn comes.
template <typename Request, typename Response, typename Apply>
grpc::ServerUnaryReactor* RunAsCommand(RecordWriter& writer, Request request, Response* response, Apply apply) {
  struct Call {
    Request request;
    absl::StatusOr<Response> result = absl::UnknownError("not applied");
    std::shared_ptr<UnaryReply<Response>> reply;
  };
  auto call = std::make_shared<Call>();
  call->request = std::move(request);
  auto [reactor, reply] = UnaryReply<Response>::Create(response);
  call->reply = reply;
  WriteCommand command;
  command.apply = [call, apply](Coordinator& coordinator) {
    call->result = std::invoke(apply, coordinator, call->request);
    return call->result.status();
  };
  command.finish = [call](const absl::Status& commit) {
    commit.ok() ? call->reply->Finish(std::move(call->result)) : call->reply->Finish(commit);
  };
  if (absl::Status queued = writer.Submit(std::move(command)); !queued.ok()) reply->Finish(queued);
  return reactor;
}

}  // namespace mmtune
