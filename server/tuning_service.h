// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmtune.v1.Tuning: changes and the state of running jobs through the record writer, records and old jobs through a
// reader of the log, events through the feeds.
#pragma once

#include <functional>

#include "mmtune/v1/tuning.grpc.pb.h"
#include "server/background.h"
#include "server/job_feed.h"
#include "server/log_queries.h"
#include "server/record_writer.h"

namespace mmtune {

class TuningService : public v1::Tuning::CallbackService {
 public:
  /// Everything must outlive the service. `queries` is only used on `reader`'s thread.
  TuningService(RecordWriter& writer, JobFeeds& feeds, Background& reader, LogQueries& queries)
      : writer_(writer), feeds_(feeds), reader_(reader), queries_(queries) {}

  grpc::ServerUnaryReactor* SubmitJob(grpc::CallbackServerContext* context, const v1::SubmitJobRequest* request,
                                      v1::SubmitJobResponse* response) override;
  grpc::ServerUnaryReactor* GetJob(grpc::CallbackServerContext* context, const v1::GetJobRequest* request,
                                   v1::Job* response) override;
  grpc::ServerWriteReactor<v1::JobEvent>* WatchJob(grpc::CallbackServerContext* context,
                                                   const v1::WatchJobRequest* request) override;
  grpc::ServerUnaryReactor* CancelJob(grpc::CallbackServerContext* context, const v1::CancelJobRequest* request,
                                      v1::Job* response) override;
  grpc::ServerUnaryReactor* QueryRecords(grpc::CallbackServerContext* context, const v1::QueryRecordsRequest* request,
                                         v1::QueryRecordsResponse* response) override;
  grpc::ServerUnaryReactor* GetBest(grpc::CallbackServerContext* context, const v1::GetBestRequest* request,
                                    v1::GetBestResponse* response) override;
  grpc::ServerUnaryReactor* GetServerInfo(grpc::CallbackServerContext* context, const v1::GetServerInfoRequest* request,
                                          v1::ServerInfo* response) override;

 private:
  /// Asks the coordinator, and the log when the coordinator does not know the job (any more).
  using AskCoordinator = std::function<absl::StatusOr<v1::Job>(Coordinator&)>;
  grpc::ServerUnaryReactor* AnswerWithJob(const std::string& uuid, v1::Job* response, AskCoordinator ask);

  RecordWriter& writer_;
  JobFeeds& feeds_;
  Background& reader_;
  LogQueries& queries_;
};

}  // namespace mmtune
