// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worker's client of the gRPC service WorkQueue (work_queue.proto): every call has a deadline and can be cancelled,
// the time of failures is recorded, and the connection is made anew when certificates have changed. This file also has
// the pause between retries (Backoff) and a flag that ends pauses (StopSignal).
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
#include "proto/tls/server_addresses.h"
#include "proto/tls/server_endpoint.h"

namespace mmtune {

/// True if the same request may succeed later: Unavailable, DeadlineExceeded, and Unauthenticated, because a
/// certificate may be renewed.
bool IsTransient(const absl::Status& status);

/// Exponential backoff with jitter: after the n-th failure in a row, from 1 on, the pause is uniform in [20 ms, d] with
/// d = 0.2 s * 2^(n-1), but at most 10 s. Not thread-safe.
class Backoff {
 public:
  Backoff() : random_(std::random_device{}()) {}
  /// Counts a failure, and returns the pause before the next attempt.
  Duration Next();
  /// Must be called after a success.
  void Reset() { failures_ = 0; }

 private:
  std::mt19937_64 random_;
  int failures_ = 0;
};

/// A flag that ends sleeps. It is raised once and stays raised. Thread-safe.
class StopSignal {
 public:
  /// Raises the flag, which wakes all sleepers.
  void Raise() {
    absl::MutexLock lock(&mutex_);
    raised_ = true;
  }
  bool raised() const {
    absl::MutexLock lock(&mutex_);
    return raised_;
  }
  /// Sleeps for `duration`, or until the flag is raised. Returns true if it is raised.
  bool Sleep(Duration duration) const;

 private:
  mutable absl::Mutex mutex_;
  bool raised_ ABSL_GUARDED_BY(mutex_) = false;
};

/// A connection to the server. Thread-safe.
class ServerConnection {
 public:
  /// Connects at the first call.
  explicit ServerConnection(ServerEndpoint endpoint);
  /// Connects to one of several coordinators behind a host name: the one with this index. While it does not answer, the
  /// name is resolved again for each call.
  ServerConnection(ServerEndpoint endpoint, std::shared_ptr<ServerAddresses> addresses, size_t index);

  /// Calls `method`, a member of the stub, and waits for the answer for at most `limit`. `stop` may be null. Returns
  /// the status of gRPC with `name`, the name of the method, added. A problem with a certificate, the server's or ours,
  /// is Unauthenticated; the next call then reads the files again and reconnects. Returns Cancelled soon after
  /// CancelCalls(`stop`), or at once if that was called before.
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

  /// Raises `stop`, and cancels all calls that were made with it.
  void CancelCalls(StopSignal& stop);
  /// Returns for how long every call has failed; zero if the last one succeeded.
  Duration SilentFor() const;
  /// False if the server's address is a UNIX socket that does not exist; true for all other addresses.
  bool SocketExists() const;
  /// Returns the last failure since the last success; OK if there is none.
  absl::Status LastFailure() const;
  const std::string& address() const { return endpoint_.address; }

 private:
  /// Returns the channel after waiting a short time for it to be connected.
  std::shared_ptr<grpc::Channel> Connected() const;
  std::shared_ptr<grpc::ClientContext> Begin(Duration limit, const StopSignal* stop);
  /// Ends a call that was made on `channel`, and returns its status.
  absl::Status End(std::shared_ptr<grpc::ClientContext> context, const std::shared_ptr<grpc::Channel>& channel,
                   std::string_view name, const grpc::Status& status);

  /// Connects to another address of the host name, if `channel` is lost and the name no longer has its address.
  void FollowName(const std::shared_ptr<grpc::Channel>& channel);

  const ServerEndpoint endpoint_;
  const std::shared_ptr<ServerAddresses> addresses_;
  const size_t index_ = 0;
  mutable absl::Mutex mutex_;
  ServerEndpoint dialled_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<grpc::Channel> channel_ ABSL_GUARDED_BY(mutex_);
  std::map<std::shared_ptr<grpc::ClientContext>, const StopSignal*> calls_ ABSL_GUARDED_BY(mutex_);
  TimePoint first_failure_ ABSL_GUARDED_BY(mutex_) = TimePoint::max();  // since the last success
  absl::Status last_failure_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune
