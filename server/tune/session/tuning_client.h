// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Tuning service as the commands call it: deadlines, retries, and errors that carry the exit code.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "grpcpp/grpcpp.h"
#include "mmtune/v1/fleet.grpc.pb.h"
#include "mmtune/v1/tuning.grpc.pb.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/base/mutex.h"
#include "proto/tls/server_endpoint.h"
#include "proto/types/ranked_record.h"

namespace mmtune {

/// A gRPC error as one of ours, in one line: UNAVAILABLE and the like get exit code kServer and name the address, bad
/// input gets kUsage, trouble with a certificate kCertificate, and what its role may not do kForbidden.
absl::Status FromServer(const grpc::Status& status, const ServerEndpoint& endpoint);

/// Thread-safe.
class TuningClient {
 public:
  /// Does not connect yet. An unreachable server is tried again for `patience` before a call fails.
  TuningClient(ServerEndpoint endpoint, Duration patience);

  const ServerEndpoint& endpoint() const { return endpoint_; }
  const std::string& address() const { return endpoint_.address; }

  struct Line {
    std::shared_ptr<grpc::Channel> channel;
    std::unique_ptr<v1::Tuning::Stub> tuning;
    std::unique_ptr<v1::Fleet::Stub> fleet;
  };
  /// The connection of now.
  std::shared_ptr<const Line> line() const;
  /// After a call on `old` that was Unauthenticated: a connection keeps the certificate that it was made with, and the
  /// next call makes one with what the files hold then. A certificate that was not renewed is refused again.
  void Redial(const std::shared_ptr<const Line>& old);

  /// kServer when nobody answers, when it is no mmtune server, or when it speaks another protocol.
  absl::StatusOr<v1::ServerInfo> Info();
  /// Idempotent: a retry does not submit twice. Returns the job's uuid.
  absl::StatusOr<std::string> Submit(const v1::JobSpec& spec);
  absl::StatusOr<v1::Job> Get(const std::string& job_uuid);
  absl::StatusOr<v1::Job> Cancel(const std::string& job_uuid);
  /// The unfinished jobs that we may cancel. kServer when the server speaks another protocol.
  absl::StatusOr<v1::ListJobsResponse> List();
  absl::StatusOr<v1::WorkerStatus> HoldWorker(const std::string& worker, v1::WorkerHold hold);
  absl::StatusOr<std::vector<RankedRecord>> Best(const v1::RecordFilter& filter, int limit);

 private:
  template <typename Stub, typename Request, typename Response>
  using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);
  /// Calls a service, again and again while nobody answers, for `patience` at most.
  template <typename Stub, typename Request, typename Response>
  absl::StatusOr<Response> Call(std::unique_ptr<Stub> Line::* stub, Method<Stub, Request, Response> method,
                                const Request& request);

  const ServerEndpoint endpoint_;
  const Duration patience_;
  mutable Mutex mutex_;
  std::shared_ptr<const Line> line_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mmtune
