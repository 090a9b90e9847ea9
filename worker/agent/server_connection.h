// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The client of the WorkQueue service: a deadline for every call, the time since calls have failed, and the backoff.
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

/// True if the same request is worth another try: Unavailable, DeadlineExceeded, and Unauthenticated, because a
/// certificate may be renewed.
bool IsTransient(const absl::Status& status);

/// Exponential backoff with full jitter: uniform in [0, min(10 s, 0.2 s * 2^n)] after the n-th failure in a row, and at
/// least 20 ms. Not thread-safe.
class Backoff {
 public:
  Backoff() : random_(std::random_device{}()) {}
  Duration Next();
  void Reset() { failures_ = 0; }

 private:
  std::mt19937_64 random_;
  int failures_ = 0;
};

/// A flag that ends sleeps. Thread-safe.
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
  /// Sleeps until it is raised, at most for `duration`. Returns true if it is raised.
  bool Sleep(Duration duration) const;

 private:
  mutable absl::Mutex mutex_;
  bool raised_ ABSL_GUARDED_BY(mutex_) = false;
};

/// A connection that dials anew when certificates have changed. Thread-safe.
class ServerConnection {
 public:
  /// Does not connect before the first call.
  explicit ServerConnection(ServerEndpoint endpoint);

  /// Calls `method`, a member of the stub. Returns gRPC's status with the name of the method; a problem with a
  /// certificate, the server's or ours, is Unauthenticated, and the next call reads the files and connects anew.
  /// Returns Cancelled soon after CancelCalls(`stop`), at once if that was before.
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

  /// Raises `stop` and cancels all calls that were made with it.
  void CancelCalls(StopSignal& stop);
  /// Returns for how long every call has failed; zero if the last one succeeded.
  Duration SilentFor() const;
  /// False if the address is a UNIX socket whose file does not exist.
  bool SocketExists() const;
  /// Returns the last failure that SilentFor() counts; OK if there is none.
  absl::Status LastFailure() const;
  const std::string& address() const { return endpoint_.address; }

 private:
  /// Returns the channel, connected if that was possible within a short time.
  std::shared_ptr<grpc::Channel> Connected() const;
  std::shared_ptr<grpc::ClientContext> Begin(Duration limit, const StopSignal* stop);
  /// Ends a call that was made on `channel`, and returns its status.
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
