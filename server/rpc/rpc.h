// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for gRPC services whose calls are answered by other threads: the reply to a unary call, a call that is one
// command of the log writer (the thread that changes the tuning log, log_writer.h), and the conversion of statuses.
// Also error texts for calls that gRPC refuses by itself.
#pragma once

#include <grpcpp/grpcpp.h>
#include <grpcpp/support/server_interceptor.h>
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
#include "server/coordinator/log_writer.h"

namespace mmtune {

/// The longest text of a status, in bytes. The text travels as an HTTP/2 header of at most 8 KiB, in which a byte may
/// need three.
inline constexpr size_t kMaxStatusText = 1024;

/// Converts a status and shortens its text. A status can have a mark (log_writer.h): failure of the tuning log,
/// overload, or a job of another coordinator. The mark becomes the details of the gRPC status.
inline grpc::Status ToGrpc(const absl::Status& status) {
  if (status.ok()) return grpc::Status::OK;
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), Shortened(ToStd(status.message()), kMaxStatusText),
                      IsStorageFailure(status)                    ? kStorageFailure
                      : IsOverload(status)                        ? kOverload
                      : status.GetPayload(kElsewhere).has_value() ? kElsewhere
                                                                  : "");
}

/// Returns the host of a gRPC peer, without the port, which differs between connections. Other peers are returned as
/// they are.
inline std::string PeerHost(std::string_view peer) {
  const bool has_port = peer.starts_with("ipv4:") || peer.starts_with("ipv6:");
  return std::string(has_port ? peer.substr(0, peer.rfind(':')) : peer);
}

/// Moves the contents out of a request of the callback API, which is not read again.
template <typename Request>
Request TakeRequest(const Request* request) {
  return std::move(const_cast<Request&>(*request));  // gRPC made it for this call, and only destroys it afterwards
}

/// The reply to one unary call. The call and its answerer share it. It may outlive the call; a late answer is dropped.
/// Thread-safe.
template <typename Response>
class UnaryReply {
 public:
  /// Returns the reactor that the service's method returns, and its reply. If the client cancels, or its deadline
  /// passes, the call ends without an answer, so that the server's Shutdown does not wait for it.
  static std::pair<grpc::ServerUnaryReactor*, std::shared_ptr<UnaryReply>> Create(Response* response) {
    auto reply = std::make_shared<UnaryReply>(response);
    auto* reactor = new Reactor(reply);
    reply->reactor_ = reactor;
    return {reactor, std::move(reply)};
  }

  explicit UnaryReply(Response* response) : response_(response) {}

  /// Answers the call. Only the first answer counts.
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

  /// Returns false once the call was answered or cancelled.
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

/// Runs a unary call as one command of the log writer, and answers it after the commit. `apply(coordinator, request)`
/// returns absl::StatusOr<Response>. The command owns the request, because the client may be gone before it runs.
template <typename Request, typename Response, typename Apply>
grpc::ServerUnaryReactor* RunAsCommand(LogWriter& writer, Request request, Response* response, Apply apply) {
  struct Call {
    Request request;
    absl::StatusOr<Response> result = absl::UnknownError("the server did not apply the request");
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

/// Returns an interceptor for the calls that gRPC answers, before a service sees them, with UNIMPLEMENTED and no text.
/// A request that cannot be parsed gets INVALID_ARGUMENT with the name of its message. An unknown method gets
/// UNIMPLEMENTED with its name.
std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> ExplainRefusedCalls();

}  // namespace mmtune
