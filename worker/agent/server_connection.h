// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The WorkQueue service as the worker calls it: a deadline on every call, an eye on how long the server is silent, and
// how long to wait before another try.
#pragma once

#include <grpcpp/grpcpp.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "mmtune/v1/work_queue.grpc.pb.h"
#include "proto/base/clock.h"
#include "proto/tls/server_endpoint.h"

namespace mmtune {

/// Worth another try with the same request: Unavailable, DeadlineExceeded, and Unauthenticated, since a certificate may
/// be renewed.
bool IsTransient(const absl::Status& status);

/// Exponential with full jitter: uniform in [0, min(10 s, 0.2 s * 2^n)] after the n-th failure in a row, and at least
/// 20 ms. Not thread-safe.
class Backoff {
 public:
  Backoff() : random_(std::random_device{}()) {}
  Duration Next();
  void Reset() { failures_ = 0; }

 private:
  std::mt19937_64 random_;
  int failures_ = 0;
};

/// A sleep that a shutdown ends. Thread-safe.
class StopSignal {
 public:
  void Raise() {
    absl::MutexLock lock(&mutex_);
    raised_ = true;
  }
  bool raised() const {
    absl::MutexLock lock(&mutex_);
    return raised_;
  }
  /// True when raised.
  bool Sleep(Duration duration) const;

 private:
  mutable absl::Mutex mutex_;
  bool raised_ ABSL_GUARDED_BY(mutex_) = false;
};

/// Thread-safe.
class ServerConnection {
 public:
  /// Dials when first used.
  explicit ServerConnection(ServerEndpoint endpoint);

  /// One call of `method`, a member of the stub. Statuses are those of gRPC, with the name of the method; trouble with
  /// a certificate, the server's or ours, is Unauthenticated, and the next call dials anew with what the files hold
  /// then. With `stop` it returns Cancelled soon after CancelCalls, at once when that was before.
  template <typename Request, typename Response>
  absl::Status Call(grpc::Status (v1::WorkQueue::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                    std::string_view name, const Request& request, Response* response, Duration limit,
                    const StopSignal* stop = nullptr) {
    const std::shared_ptr<grpc::Channel> channel = Connected();
    std::shared_ptr<grpc::ClientContext> context = Begin(limit, stop);
    v1::WorkQueue::Stub stub(channel);
    grpc::Status status = (stub.*method)(context.get(), request, response);
    return End(std::move(context), channel, name, status);
  }

  /// Raises `stop` and ends the calls made with it, those that are just being made included.
  void CancelCalls(StopSignal& stop);
  /// For how long every call has failed; zero when the last one did not.
  Duration SilentFor() const;
  /// False when the address is a UNIX socket whose file is gone.
  bool SocketExists() const;
  /// The last of the failures that SilentFor counts; OK when there is none.
  absl::Status LastFailure() const;
  const std::string& address() const { return endpoint_.address; }

 private:
  /// The channel, connected if that could be had soon.
  std::shared_ptr<grpc::Channel> Connected() const;
  std::shared_ptr<grpc::ClientContext> Begin(Duration limit, const StopSignal* stop);
  /// `channel` is the one that the call was made on.
  absl::Status End(std::shared_ptr<grpc::ClientContext> context, const std::shared_ptr<grpc::Channel>& channel,
                   std::string_view name, const grpc::Status& status);

  const ServerEndpoint endpoint_;
  mutable absl::Mutex mutex_;
  std::shared_ptr<grpc::Channel> channel_ ABSL_GUARDED_BY(mutex_);
  std::map<std::shared_ptr<grpc::ClientContext>, const StopSignal*> calls_ ABSL_GUARDED_BY(mutex_);
  TimePoint first_failure_ ABSL_GUARDED_BY(mutex_) = TimePoint::max();  // the first of the failures in a row
  absl::Status last_failure_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune
