// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A search of our families that has schedules compiled, through a server and into a real log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "db/log_check.h"
#include "proto/wire/convert.h"
#include "tests/ok_measurement.h"
#include "tests/server/server_fixture.h"

namespace mmtune {
namespace {

using testing::StartsWith;

class CompileServerTest : public testing::Test {
 protected:
  static DeviceInfo Gpu() {
    DeviceInfo device = *ArchitectureLimits("sm_90");
    device.kind = DeviceKind::kCuda;
    device.name = "NVIDIA H200";
    device.uuid = "GPU-1";
    device.multiprocessors = 132;
    device.memory_bytes = int64_t{139} << 30;
    return device;
  }

  template <typename Request, typename Response>
  Response Call(grpc::Status (v1::WorkQueue::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                const Request& request) {
    grpc::ClientContext context;
    ServerFixture::SetDeadline(context);
    Response response;
    const grpc::Status status = (f_.queue().*method)(&context, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  void Register() {
    v1::RegisterRequest request;
    request.set_worker_id("gpu");
    request.set_protocol(kProtocol);
    request.set_compile_lanes(4);
    *request.add_devices()->mutable_device() = ToWire(Gpu());
    Call(&v1::WorkQueue::Stub::Register, request);
  }
  v1::LeaseResponse Lease() {
    v1::LeaseRequest request;
    request.set_worker_id("gpu");
    request.set_request_id(std::to_string(++requests_));
    request.set_device_uuid(Gpu().uuid);
    request.set_max_leases(1);
    request.set_max_compiles(4);
    request.set_wait_seconds(1);
    return Call(&v1::WorkQueue::Stub::Lease, request);
  }
  void Measure(const v1::Lease& lease) {
    v1::ReportRequest request;
    request.set_worker_id("gpu");
    v1::CandidateReport* report = request.add_reports();
    report->set_token(lease.token());
    *report->mutable_device() = ToWire(Gpu());
    *report->mutable_measurement() = ToWire(OkMeasurement(100000 + 1000 * requests_));
    EXPECT_TRUE(Call(&v1::WorkQueue::Stub::Report, request).statuses(0).canonical());
  }
  /// With registers and spills as unlike as can be.
  void Compile(const v1::LeaseResponse& leased) {
    v1::ReportCompiledRequest request;
    request.set_worker_id("gpu");
    for (const v1::CompileTask& task : leased.compiles()) {
      v1::CompileReport* report = request.add_reports();
      report->set_token(task.token());
      KernelResources resources;
      resources.registers = compiled_ % 2 == 0 ? 255 : 16;
      resources.spill_bytes = compiled_ % 3 == 0 ? 1 << 24 : 0;
      resources.threads = compiled_ % 5 == 0 ? 1024 : 128;
      resources.shared_bytes = compiled_ % 7 == 0 ? 1 << 24 : 4096;
      *report->mutable_facts()->mutable_resources() = ToWire(resources);
      ++compiled_;
    }
    Call(&v1::WorkQueue::Stub::ReportCompiled, request);
  }

  ServerFixture f_;
  int requests_ = 0;
  int compiled_ = 0;
};

TEST_F(CompileServerTest, RecordsSchedulesThatWereCompiledAndNotChosen) {
  constexpr int64_t kTrials = 12;
  Register();
  v1::JobSpec spec = SmallJob(kTrials);
  *spec.mutable_problem() = ToWire(MatmulProblem{512, 512, 512});
  spec.set_strategy("model");
  std::string uuid;
  ASSERT_TRUE(f_.Submit(spec, "a", &uuid).ok());
  while (f_.GetJob(uuid).state() == v1::JOB_STATE_RUNNING || f_.GetJob(uuid).state() == v1::JOB_STATE_WAITING) {
    const v1::LeaseResponse leased = Lease();
    for (const v1::Lease& lease : leased.leases()) Measure(lease);
    if (leased.compiles_size() > 0) Compile(leased);
    ASSERT_LT(requests_, 500);
  }
  const v1::Job job = f_.GetJob(uuid);
  EXPECT_EQ(job.state(), v1::JOB_STATE_DONE) << job.message();
  EXPECT_EQ(job.progress().outcomes().at("ok"), kTrials);
  const int64_t skipped = job.progress().outcomes().at("skipped");
  EXPECT_GT(skipped, 0);
  EXPECT_LT(skipped, compiled_) << "some were chosen";

  grpc::ClientContext context;
  ServerFixture::SetDeadline(context);
  v1::QueryRecordsRequest request;
  request.mutable_filter()->set_job_uuid(uuid);
  request.mutable_filter()->set_outcome("skipped");
  request.set_page_size(1000);
  v1::QueryRecordsResponse page;
  ASSERT_TRUE(f_.tuning().QueryRecords(&context, request, &page).ok());
  EXPECT_EQ(page.records_size(), skipped);
  for (const v1::TuningRecord& record : page.records()) {
    EXPECT_TRUE(record.canonical());
    EXPECT_THAT(record.measurement().message(), StartsWith("not chosen: "));
  }
  f_.Stop();
  const absl::StatusOr<LogCheck> check = CheckTuningLog(f_.options().log_path, [](auto&&...) {});
  ASSERT_TRUE(check.ok()) << check.status();
  EXPECT_EQ(check->damaged, 0);
  EXPECT_EQ(check->records, kTrials + skipped);
}

}  // namespace
}  // namespace mmtune
