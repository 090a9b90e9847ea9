// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/server/server_fixture.h"

#include <cstdio>
#include <cstdlib>

#include "proto/wire/convert.h"
#include "tests/ok_measurement.h"

namespace mmtune {

ServerFixture::ServerFixture() {
  options_.listen = "unix:" + folder_.File("s");
  options_.log_path = folder_.File("tuning.log");
  Start();
}

ServerFixture::~ServerFixture() { Stop(); }

void ServerFixture::Start() {
  absl::StatusOr<std::unique_ptr<Server>> server = Server::Start(options_);
  if (!server.ok()) {
    std::fprintf(stderr, "%s\n", server.status().ToString().c_str());
    std::abort();
  }
  server_ = *std::move(server);
  channel_ = grpc::CreateChannel(server_->address(), grpc::InsecureChannelCredentials());
  tuning_ = v1::Tuning::NewStub(channel_);
  queue_ = v1::WorkQueue::NewStub(channel_);
}

void ServerFixture::Stop() { server_.reset(); }

void ServerFixture::SetDeadline(grpc::ClientContext& context, int seconds) {
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(seconds));
}

grpc::Status ServerFixture::Submit(const v1::JobSpec& spec, const std::string& request_id, std::string* uuid) {
  grpc::ClientContext context;
  SetDeadline(context);
  v1::SubmitJobRequest request;
  request.set_client_request_id(request_id);
  *request.mutable_spec() = spec;
  v1::SubmitJobResponse response;
  grpc::Status status = tuning_->SubmitJob(&context, request, &response);
  *uuid = response.job_uuid();
  return status;
}

v1::Job ServerFixture::GetJob(const std::string& uuid) {
  grpc::ClientContext context;
  SetDeadline(context);
  v1::GetJobRequest request;
  request.set_job_uuid(uuid);
  v1::Job job;
  grpc::Status status = tuning_->GetJob(&context, request, &job);
  if (!status.ok()) job.set_message(status.error_message());
  return job;
}

grpc::Status ServerFixture::Register(const std::string& worker, int protocol) {
  grpc::ClientContext context;
  SetDeadline(context);
  v1::RegisterRequest request;
  request.set_worker_id(worker);
  request.set_protocol(protocol);
  *request.add_devices()->mutable_device() = SmallDevice();
  v1::RegisterResponse response;
  return queue_->Register(&context, request, &response);
}

grpc::Status ServerFixture::Lease(const std::string& worker, int max, double wait, v1::LeaseResponse* response) {
  grpc::ClientContext context;
  SetDeadline(context);
  v1::LeaseRequest request;
  request.set_worker_id(worker);
  request.set_request_id(worker + "-" + std::to_string(++requests_));
  request.set_device_uuid(SmallDevice().uuid());
  request.set_max_leases(max);
  request.set_wait_seconds(wait);
  return queue_->Lease(&context, request, response);
}

grpc::Status ServerFixture::Report(const std::string& worker, const std::string& token, v1::ReportStatus* status) {
  grpc::ClientContext context;
  SetDeadline(context);
  v1::ReportRequest request;
  request.set_worker_id(worker);
  v1::CandidateReport* report = request.add_reports();
  report->set_token(token);
  *report->mutable_device() = SmallDevice();
  *report->mutable_measurement() = ToWire(OkMeasurement(1000));
  v1::ReportResponse response;
  grpc::Status called = queue_->Report(&context, request, &response);
  if (called.ok()) *status = response.statuses(0);
  return called;
}

void ServerFixture::Work(const std::string& worker, const std::string& uuid) {
  while (true) {
    const v1::JobState state = GetJob(uuid).state();
    if (state != v1::JOB_STATE_RUNNING && state != v1::JOB_STATE_WAITING) return;
    v1::LeaseResponse leases;
    if (!Lease(worker, 2, 1, &leases).ok()) return;
    for (const v1::Lease& lease : leases.leases()) {
      v1::ReportStatus status;
      if (!Report(worker, lease.token(), &status).ok()) return;
    }
  }
}

v1::JobSpec SmallJob(int64_t trials) {
  v1::JobSpec spec;
  *spec.mutable_problem() = ToWire(MatmulProblem{64, 64, 64});
  spec.set_strategy("random");
  spec.set_trials(trials);
  return spec;
}

v1::DeviceInfo SmallDevice() {
  DeviceInfo device = *ArchitectureLimits("sm_80");
  device.kind = DeviceKind::kSimt;
  device.name = "simt-cpu (test)";
  device.uuid = "simt-test";
  device.multiprocessors = 2;
  device.memory_bytes = int64_t{1} << 30;
  return ToWire(device);
}

}  // namespace mmtune
