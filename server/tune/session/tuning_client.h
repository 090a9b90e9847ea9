// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The client of the gRPC service Tuning, by which jobs are submitted (tuning.proto), and a reader of the events of one
// job.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "grpcpp/grpcpp.h"
#include "mmtune/v1/fleet.grpc.pb.h"
#include "mmtune/v1/tuning.grpc.pb.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/base/mutex.h"
#include "proto/tls/server_addresses.h"
#include "proto/tls/server_endpoint.h"
#include "proto/types/ranked_record.h"

namespace mmtune {

/// A command says that its job waits for a device once it has waited for this long.
inline constexpr Duration kQuietWait = std::chrono::seconds(5);
/// A command that has cancelled its jobs ends after at most this time, even if they have not ended.
inline constexpr Duration kCancelPatience = std::chrono::seconds(5);
/// The time for which EventStream tries to reach a lost coordinator again.
inline constexpr Duration kStreamPatience = std::chrono::seconds(5);

/// True if no server answered a call, so that the call may be repeated. CANCELLED counts, too: a server that shuts down
/// ends its open calls with it, and this client never cancels a call whose answer it uses.
inline bool IsAway(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::UNAVAILABLE || status.error_code() == grpc::StatusCode::CANCELLED;
}

/// Converts a gRPC error into an error of one line with an exit code: kServer, with the address, if no server answers;
/// kUsage for invalid input; kCertificate if a certificate is refused; kForbidden if the role of the certificate does
/// not allow the call; kLimit if a limit of the server is reached; kLog if the log cannot be written.
absl::Status FromServer(const grpc::Status& status, const ServerEndpoint& endpoint);

/// Calls the Tuning service with deadlines and retries; errors have exit codes. Thread-safe.
class TuningClient {
 public:
  /// Does not connect yet. If the server is unreachable, a call is repeated for the time `patience` before it fails. If
  /// the endpoint has several addresses, or a host name that resolves to several, they are tried one after another.
  /// That goes on for at least 40 s, even if `patience` is shorter, because it takes up to 30 s until a coordinator
  /// takes over the jobs of one that is gone. Names are resolved again each time that all addresses have been tried.
  TuningClient(const ServerEndpoint& endpoint, Duration patience, AddressResolver resolve = ResolveAddresses);

  /// Returns the endpoint that is used now.
  ServerEndpoint endpoint() const;
  std::string address() const { return endpoint().address; }
  /// Returns the address that the user gave, or the first of several: a host name where address() may be numeric.
  const std::string& given_address() const { return given_.address; }
  /// True if several coordinators may have the jobs.
  bool has_several() const { return has_several_; }
  Duration patience() const { return patience_; }

  /// A connection to the server, and the services called on it.
  struct Line {
    std::shared_ptr<grpc::Channel> channel;
    std::unique_ptr<v1::Tuning::Stub> tuning;
    std::unique_ptr<v1::Fleet::Stub> fleet;
  };
  /// Returns the current connection.
  std::shared_ptr<const Line> line() const;
  /// Replaces the connection after a call on `old` was refused as Unauthenticated. A connection keeps the certificate
  /// with which it was made; a new one reads the certificate's files again.
  void Redial(const std::shared_ptr<const Line>& old);
  /// Connects to the next server. Called if no server answered a call on `old`, or if another server has the job.
  void TryNext(const std::shared_ptr<const Line>& old);

  /// Returns the state of the server. Returns an error with exit code kServer if no server answers, or if it is not an
  /// mmtune server or has another version of the protocol.
  absl::StatusOr<v1::ServerInfo> Info();
  /// Submits a job, and returns its uuid. Retries do not submit it twice.
  absl::StatusOr<std::string> Submit(const v1::JobSpec& spec);
  /// Returns the state of a job.
  absl::StatusOr<v1::Job> Get(const std::string& job_uuid);
  /// Asks the server to end a job, and returns its state.
  absl::StatusOr<v1::Job> Cancel(const std::string& job_uuid);
  /// Returns the unfinished jobs that this client may cancel. Returns an error with exit code kServer if the server has
  /// another version of the protocol.
  absl::StatusOr<v1::ListJobsResponse> List();
  /// Sets or ends the hold of a worker (a worker that is held gets no leases), and returns its state. Returns NotFound
  /// if there is no such worker.
  absl::StatusOr<v1::WorkerStatus> HoldWorker(const std::string& worker, v1::WorkerHold hold);
  /// Returns the best records of the server's log that pass the filter, at most `limit`, the best first.
  absl::StatusOr<std::vector<RankedRecord>> Best(const v1::RecordFilter& filter, int limit);

 private:
  template <typename Stub, typename Request, typename Response>
  using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);
  /// Calls a service. Repeats the call for up to the time `patience` if no server answers.
  template <typename Stub, typename Request, typename Response>
  absl::StatusOr<Response> Call(std::unique_ptr<Stub> Line::* stub, Method<Stub, Request, Response> method,
                                const Request& request);

  size_t count() const {
    MutexLock lock(&mutex_);
    return endpoints_.size();
  }

  const ServerEndpoint given_;
  const AddressResolver resolve_;
  mutable Mutex mutex_;
  std::vector<ServerEndpoint> endpoints_ ABSL_GUARDED_BY(mutex_);
  const bool has_several_;
  const Duration patience_;
  size_t current_ ABSL_GUARDED_BY(mutex_) = 0;  ///< An index into endpoints_.
  std::shared_ptr<const Line> line_ ABSL_GUARDED_BY(mutex_);
};

/// Reads the events of one job in order, on a thread of its own. If the connection breaks or the deadline of a read
/// passes, it continues after the last event. All methods must be called from one thread.
class EventStream {
 public:
  /// The stream ends if the coordinator is unreachable for the time `patience`. Each read ends after `read_deadline`
  /// and is repeated, which detects half-open connections. `client` must outlive the object.
  EventStream(TuningClient& client, std::string job_uuid, Duration patience,
              Duration read_deadline = std::chrono::seconds(60));
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  /// Returns the next event, or nullopt if none came within `timeout` or none will.
  std::optional<v1::JobEvent> Next(Duration timeout);
  /// True if every event has been returned and no more will come.
  bool ended();
  /// Returns OK if the stream ended because the job did, otherwise the error that ended it.
  absl::Status status();

 private:
  void Run();
  grpc::Status ReadOnce(const TuningClient::Line& line, int64_t& after_seq);
  bool SleepUnlessStopped(Duration pause);
  void End(absl::Status status);

  TuningClient& client_;
  const std::string job_uuid_;
  const Duration patience_;
  const Duration read_deadline_;
  absl::Mutex mutex_;
  std::deque<v1::JobEvent> events_ ABSL_GUARDED_BY(mutex_);
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  grpc::ClientContext* context_ ABSL_GUARDED_BY(mutex_) = nullptr;
  std::thread thread_;
};

}  // namespace mmtune
