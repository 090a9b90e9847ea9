// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Tuning service whose answers a test scripts, served on a socket of its own.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grpcpp/grpcpp.h"
#include "mmtune/v1/tuning.grpc.pb.h"
#include "tests/temp_folder.h"

namespace mmtune {

class FakeTuningService : public v1::Tuning::Service {
 public:
  FakeTuningService();
  ~FakeTuningService() override;

  const std::string& address() const { return address_; }

  v1::ServerInfo info;
  std::atomic<int> calls{0};
  /// GetServerInfo answers with this trouble this many times first.
  std::atomic<int> unavailable_first{0};
  grpc::Status trouble{grpc::StatusCode::UNAVAILABLE, "not yet"};
  using Watch = std::function<grpc::Status(const v1::WatchJobRequest&, grpc::ServerWriter<v1::JobEvent>*)>;
  Watch watch;
  /// The answer of GetJob and CancelJob, which are not implemented without it. SubmitJob answers its uuid.
  std::optional<v1::Job> job;
  /// The last request of SubmitJob; read it when no call is under way.
  std::vector<v1::JobSpec> submitted;
  /// The answer of GetBest.
  v1::GetBestResponse best;
  std::atomic<int> cancels{0};
  std::atomic<int> bests{0};
  std::atomic<int> lists{0};

 private:
  grpc::Status GetServerInfo(grpc::ServerContext* context, const v1::GetServerInfoRequest* request,
                             v1::ServerInfo* response) override;
  grpc::Status SubmitJob(grpc::ServerContext* context, const v1::SubmitJobRequest* request,
                         v1::SubmitJobResponse* response) override;
  grpc::Status GetJob(grpc::ServerContext* context, const v1::GetJobRequest* request, v1::Job* response) override;
  grpc::Status CancelJob(grpc::ServerContext* context, const v1::CancelJobRequest* request, v1::Job* response) override;
  grpc::Status ListJobs(grpc::ServerContext* context, const v1::ListJobsRequest* request,
                        v1::ListJobsResponse* response) override;
  grpc::Status GetBest(grpc::ServerContext* context, const v1::GetBestRequest* request,
                       v1::GetBestResponse* response) override;
  grpc::Status WatchJob(grpc::ServerContext* context, const v1::WatchJobRequest* request,
                        grpc::ServerWriter<v1::JobEvent>* writer) override;

  TempFolder folder_;
  std::string address_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace mmtune
