// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The client of the Tuning service, and the event stream of one job.
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
#include "proto/tls/server_endpoint.h"
#include "proto/types/ranked_record.h"

namespace mmtune {

/// A command tells that its job waits for a device after this long.
inline constexpr Duration kQuietWait = std::chrono::seconds(5);
/// A command ends this long after it cancelled its jobs, also if they have not ended.
inline constexpr Duration kCancelPatience = std::chrono::seconds(5);
/// The EventStream of a command's job looks for a lost coordinator for this long.
inline constexpr Duration kStreamPatience = std::chrono::seconds(5);

/// True if nobody answered a call, so that it may be repeated. A server that ends gives its open calls CANCELLED; we
/// cancel none whose answer we use.
inline bool IsAway(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::UNAVAILABLE || status.error_code() == grpc::StatusCode::CANCELLED;
}

/// Converts a gRPC error into one line with an exit code: kServer, with the address, if nobody answers; kUsage for
/// invalid input, kCertificate for a refused certificate, kForbidden for what its role may not do.
absl::Status FromServer(const grpc::Status& status, const ServerEndpoint& endpoint);

/// Calls the Tuning service with deadlines and retries; errors have exit codes. Thread-safe.
class TuningClient {
 public:
  /// Does not connect yet. An unreachable server is tried again for `patience` before a call fails. If the endpoint has
  /// others, each of them is tried in turn, for as long as they may need to take jobs over.
  TuningClient(const ServerEndpoint& endpoint, Duration patience);

  /// Returns the server that is called now.
  ServerEndpoint endpoint() const;
  std::string address() const { return endpoint().address; }
  size_t endpoint_count() const { return endpoints_.size(); }
  Duration patience() const { return patience_; }

  /// A connection to the server, and the services called on it.
  struct Line {
    std::shared_ptr<grpc::Channel> channel;
    std::unique_ptr<v1::Tuning::Stub> tuning;
    std::unique_ptr<v1::Fleet::Stub> fleet;
  };
  /// Returns the current connection.
  std::shared_ptr<const Line> line() const;
  /// Replaces the connection after a call on `old` was Unauthenticated. A connection keeps the certificate that it was
  /// made with; the next one reads the files again.
  void Redial(const std::shared_ptr<const Line>& old);
  /// Turns to the next server after nobody answered a call on `old`, or another one has the job.
  void TryNext(const std::shared_ptr<const Line>& old);

  /// Returns kServer if nobody answers, or the server is no mmtune server or has another protocol.
  absl::StatusOr<v1::ServerInfo> Info();
  /// Returns the job's uuid. A retry does not submit twice.
  absl::StatusOr<std::string> Submit(const v1::JobSpec& spec);
  /// Returns the state of a job.
  absl::StatusOr<v1::Job> Get(const std::string& job_uuid);
  /// Asks the server to end a job, and returns its state.
  absl::StatusOr<v1::Job> Cancel(const std::string& job_uuid);
  /// Returns the unfinished jobs that we may cancel, or kServer if the server has another protocol.
  absl::StatusOr<v1::ListJobsResponse> List();
  /// Says whether a worker gets leases, and returns its state. NotFound if there is no such worker.
  absl::StatusOr<v1::WorkerStatus> HoldWorker(const std::string& worker, v1::WorkerHold hold);
  /// Returns at most `limit` records of the rankings in the server's log, the best first.
  absl::StatusOr<std::vector<RankedRecord>> Best(const v1::RecordFilter& filter, int limit);

 private:
  template <typename Stub, typename Request, typename Response>
  using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);
  /// Calls a service; repeats the call for up to `patience` while nobody answers.
  template <typename Stub, typename Request, typename Response>
  absl::StatusOr<Response> Call(std::unique_ptr<Stub> Line::* stub, Method<Stub, Request, Response> method,
                                const Request& request);

  const std::vector<ServerEndpoint> endpoints_;
  const Duration patience_;
  mutable Mutex mutex_;
  size_t current_ ABSL_GUARDED_BY(mutex_) = 0;  ///< An index of endpoints_.
  std::shared_ptr<const Line> line_ ABSL_GUARDED_BY(mutex_);
};

/// Reads the events of one job in order, on a thread of its own. Resumes after the last event when the connection
/// breaks or the deadline of a read passes. Call its methods from one thread.
class EventStream {
 public:
  /// A coordinator that is out of reach for `patience` ends the stream. Each read ends after `read_deadline` and is
  /// repeated, which detects half-open connections. `client` must outlive it.
  EventStream(TuningClient& client, std::string job_uuid, Duration patience,
              Duration read_deadline = std::chrono::seconds(60));
  ~EventStream();
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  /// Returns the next event, or nullopt if none came within `timeout` or none will.
  std::optional<v1::JobEvent> Next(Duration timeout);
  /// True if every event has been returned and no more will come.
  bool ended();
  /// Returns why the stream ended: OK if the job did.
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
