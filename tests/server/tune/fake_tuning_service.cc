// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/server/tune/fake_tuning_service.h"

#include "gtest/gtest.h"
#include "proto/wire/convert.h"

namespace mmtune {

FakeTuningService::FakeTuningService() {
  info.set_protocol(kProtocol);
  address_ = "unix:" + folder_.File("s");
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address_, grpc::InsecureServerCredentials());
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
  EXPECT_NE(server_, nullptr);
}

FakeTuningService::~FakeTuningService() {
  server_->Shutdown(std::chrono::system_clock::now());
  server_.reset();
}

grpc::Status FakeTuningService::GetServerInfo(grpc::ServerContext*, const v1::GetServerInfoRequest*,
                                              v1::ServerInfo* response) {
  if (++calls <= unavailable_first) return trouble;
  *response = info;
  return grpc::Status::OK;
}

grpc::Status FakeTuningService::SubmitJob(grpc::ServerContext*, const v1::SubmitJobRequest* request,
                                          v1::SubmitJobResponse* response) {
  submitted.push_back(request->spec());
  response->set_job_uuid(job ? job->uuid() : "job");
  return grpc::Status::OK;
}

grpc::Status FakeTuningService::GetJob(grpc::ServerContext*, const v1::GetJobRequest*, v1::Job* response) {
  if (!job) return {grpc::StatusCode::UNIMPLEMENTED, "no jobs here"};
  *response = *job;
  return grpc::Status::OK;
}

grpc::Status FakeTuningService::CancelJob(grpc::ServerContext*, const v1::CancelJobRequest* request,
                                          v1::Job* response) {
  if (!job || request->job_uuid() != job->uuid()) return {grpc::StatusCode::NOT_FOUND, "no such job"};
  ++cancels;
  *response = *job;
  return grpc::Status::OK;
}

grpc::Status FakeTuningService::ListJobs(grpc::ServerContext*, const v1::ListJobsRequest*, v1::ListJobsResponse*) {
  ++lists;
  return grpc::Status::OK;
}

grpc::Status FakeTuningService::GetBest(grpc::ServerContext*, const v1::GetBestRequest*,
                                        v1::GetBestResponse* response) {
  ++bests;
  *response = best;
  for (int i = response->ranked_ns_size(); i < response->records_size(); ++i) {
    response->add_ranked_ns(response->records(i).measurement().timing().median_ns());
  }
  return grpc::Status::OK;
}

grpc::Status FakeTuningService::WatchJob(grpc::ServerContext*, const v1::WatchJobRequest* request,
                                         grpc::ServerWriter<v1::JobEvent>* writer) {
  return watch(*request, writer);
}

}  // namespace mmtune
