// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/server/coordinator_harness.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "proto/wire/convert.h"
#include "tests/ok_measurement.h"
#include "tests/search/fake_family.h"

namespace mmtune {
namespace {

const KernelFamily& DirectFamily() {
  static const auto* family = new FakeFamily("direct", {{"t", {1, 2}}}, {}, /*searched=*/false);
  return *family;
}

/// 10,000 points, no rule.
const KernelFamily& WideFamily() {
  static const auto* family = [] {
    std::vector<int64_t> values(100);
    std::iota(values.begin(), values.end(), 1);
    return new FakeFamily("wide", {{"a", values}, {"b", values}}, {}, /*searched=*/false);
  }();
  return *family;
}

class SpillingFamily : public FakeFamily {
 public:
  SpillingFamily() : FakeFamily("spilling", {{"a", Values()}, {"b", Values()}}, {}, /*searched=*/false) {}

  std::optional<PredictedTime> Predict(const MatmulProblem&, const Schedule& schedule,
                                       const DeviceInfo&) const override {
    PredictedTime time;
    time.total = 1e-6 * static_cast<double>(40 + 2 * schedule.params.at("a") + schedule.params.at("b"));
    return time;
  }
  std::optional<PredictedTime> PredictCompiled(const MatmulProblem& problem, const Schedule& schedule,
                                               const DeviceInfo& device, const CodeFacts& facts) const override {
    std::optional<PredictedTime> time = Predict(problem, schedule, device);
    time->total *= 1 + static_cast<double>(facts.resources.spill_bytes) / 100;
    return time;
  }

 private:
  static std::vector<int64_t> Values() {
    std::vector<int64_t> values(20);
    std::iota(values.begin(), values.end(), 1);
    return values;
  }
};

const KernelFamily& Spilling() {
  static const auto* family = new SpillingFamily();
  return *family;
}

}  // namespace

CoordinatorHarness::CoordinatorHarness(CoordinatorOptions options) : options_(std::move(options)) {
  options_.version = "test";
  // What goes wrong in these tests goes wrong on purpose.
  SetLogLevel(static_cast<LogLevel>(static_cast<int>(LogLevel::kError) + 1));
  Restart();
}

CoordinatorHarness::CoordinatorHarness(CoordinatorOptions options, const SharedLog& shared)
    : options_(std::move(options)),
      clock_(shared.clock),
      storage_(shared.storage),
      open_(shared.open),
      token_prefix_(shared.token_prefix) {
  options_.version = "test";
  SetLogLevel(static_cast<LogLevel>(static_cast<int>(LogLevel::kError) + 1));
  Restart();
}

FakeClock CoordinatorHarness::AnHourIn() {
  FakeClock clock;
  clock.Advance(std::chrono::hours(1));
  return clock;
}

void CoordinatorHarness::Restart(std::optional<bool> resume_jobs) {
  if (!TryRestart(resume_jobs).ok()) std::abort();
}

absl::Status CoordinatorHarness::TryRestart(std::optional<bool> resume_jobs) {
  runner_.reset();
  coordinator_.reset();
  feeds_.Clear();
  log_ = open_();
  if (resume_jobs) options_.resume_jobs = *resume_jobs;
  transaction_ = std::make_unique<LogTransaction>(*log_);
  Collaborators outside{*transaction_,
                        attended_,
                        feeds_,
                        [this] { return absl::StrCat(token_prefix_, ++tokens_); },
                        [](PlanMaker make, PlanTaker take) { return take(make()); },
                        {&DirectFamily(), &FreeFamily(), &TiledFamily(), &WideFamily(), &Spilling()},
                        [this] { return OpenLog(); }};
  coordinator_ = std::make_unique<Coordinator>(options_, std::move(outside));
  runner_ = std::make_unique<BatchRunner>(*transaction_, *coordinator_);
  return runner_->Start();
}

absl::StatusOr<std::unique_ptr<TuningLogReader>> CoordinatorHarness::OpenLog() {
  if (!unreadable_.empty()) return Internal(unreadable_);
  return std::make_unique<FakeTuningLog>(storage_);
}

void CoordinatorHarness::Pass(Duration time) {
  while (time > Duration::zero()) {
    const Duration step = std::min(time, SuspendAwareClock::kLongestStep);
    clock_.Advance(step);
    attended_.Now();
    time -= step;
  }
  Run({}).IgnoreError();
}

void CoordinatorHarness::Pause(Duration time) {
  clock_.Advance(time);
  Run({}).IgnoreError();
}

absl::StatusOr<std::string> CoordinatorHarness::Submit(const v1::JobSpec& spec, const std::string& request_id) {
  v1::SubmitJobRequest request;
  request.set_client_request_id(request_id.empty() ? absl::StrCat("submit-", ++requests_) : request_id);
  *request.mutable_spec() = spec;
  absl::StatusOr<v1::SubmitJobResponse> response =
      Call([&](Coordinator& coordinator) { return coordinator.SubmitJob(request); });
  if (!response.ok()) return response.status();
  return response->job_uuid();
}

v1::Job CoordinatorHarness::Job(const std::string& uuid) {
  v1::GetJobRequest request;
  request.set_job_uuid(uuid);
  return coordinator_->GetJob(request).value_or(v1::Job());
}

absl::Status CoordinatorHarness::Register(const std::string& worker, const DeviceInfo& device, const Labels& labels,
                                          int compile_lanes, const std::string& process_id) {
  v1::RegisterRequest request;
  request.set_process_id(process_id);
  request.set_worker_id(worker);
  request.set_host("host");
  request.set_protocol(kProtocol);
  v1::WorkerDevice* entry = request.add_devices();
  *entry->mutable_device() = ToWire(device);
  *entry->mutable_toolchain() = ToWire(TestToolchain());
  request.mutable_labels()->insert(labels.begin(), labels.end());
  request.set_compile_lanes(compile_lanes);
  return Call([&](Coordinator& coordinator) { return coordinator.Register(request); }).status();
}

absl::Status CoordinatorHarness::Hold(const std::string& worker, v1::WorkerHold hold) {
  v1::HoldWorkerRequest request;
  request.set_worker_id(worker);
  request.set_hold(hold);
  return Call([&](Coordinator& coordinator) { return coordinator.HoldWorker(request); }).status();
}

std::shared_ptr<TestLeaseCall> CoordinatorHarness::Lease(const std::string& worker, int max, double wait,
                                                         const std::string& request_id, int max_compiles) {
  v1::LeaseRequest request;
  request.set_worker_id(worker);
  request.set_request_id(request_id.empty() ? absl::StrCat("lease-", ++requests_) : request_id);
  request.set_device_uuid("device-0");
  request.set_max_leases(max);
  request.set_wait_seconds(wait);
  request.set_max_compiles(max_compiles);
  auto call = std::make_shared<TestLeaseCall>();
  Run({{[&](Coordinator& coordinator) { return coordinator.Lease(request, call); },
        [&](const absl::Status& commit) {
          if (!commit.ok() && !call->answered()) call->Answer(commit, {});
        }}})
      .IgnoreError();
  return call;
}

v1::Lease CoordinatorHarness::LeaseOne(const std::string& worker) {
  std::shared_ptr<TestLeaseCall> call = Lease(worker);
  return call->response.leases_size() == 1 ? call->response.leases(0) : v1::Lease();
}

absl::StatusOr<v1::HeartbeatResponse> CoordinatorHarness::Heartbeat(const std::string& worker,
                                                                    std::vector<std::string> tokens) {
  v1::HeartbeatRequest request;
  request.set_worker_id(worker);
  for (std::string& token : tokens) request.add_tokens(std::move(token));
  return Call([&](Coordinator& coordinator) { return coordinator.Heartbeat(request); });
}

absl::StatusOr<v1::ReportStatus> CoordinatorHarness::Report(const std::string& worker,
                                                            const v1::CandidateReport& report) {
  v1::ReportRequest request;
  request.set_worker_id(worker);
  *request.add_reports() = report;
  absl::StatusOr<v1::ReportResponse> response =
      Call([&](Coordinator& coordinator) { return coordinator.Report(request); });
  if (!response.ok()) return response.status();
  return response->statuses(0);
}

absl::Status CoordinatorHarness::ReportCompiled(const std::string& worker,
                                                const std::vector<v1::CompileReport>& reports) {
  v1::ReportCompiledRequest request;
  request.set_worker_id(worker);
  for (const v1::CompileReport& report : reports) *request.add_reports() = report;
  return Call([&](Coordinator& coordinator) { return coordinator.ReportCompiled(request); }).status();
}

absl::StatusOr<v1::ReportStatus> CoordinatorHarness::ReportAndAsk(const std::string& worker,
                                                                  const v1::CandidateReport& report, int max,
                                                                  const std::string& request_id,
                                                                  std::shared_ptr<LeaseCall> next) {
  v1::ReportRequest request;
  request.set_worker_id(worker);
  *request.add_reports() = report;
  request.mutable_next()->set_worker_id("of whom the report is counts");
  request.mutable_next()->set_request_id(request_id);
  request.mutable_next()->set_device_uuid("device-0");
  request.mutable_next()->set_max_leases(max);
  request.mutable_next()->set_wait_seconds(20);  // which it does not
  absl::StatusOr<v1::ReportResponse> response =
      Call([&](Coordinator& coordinator) { return coordinator.Report(request, next); });
  if (!response.ok()) return response.status();
  return response->statuses(0);
}

absl::StatusOr<v1::ReportStatus> CoordinatorHarness::ReportOk(const std::string& worker, const v1::Lease& lease,
                                                              double ns) {
  return Report(worker, OkReport(lease.token(), ns));
}

std::string CoordinatorHarness::StartJob(const v1::JobSpec& spec) {
  if (!Register("w", SimtDevice()).ok()) return "";
  return Submit(spec).value_or("");
}

int CoordinatorHarness::Drain(const std::string& worker) {
  int n = 0;
  for (v1::Lease lease = LeaseOne(worker); !lease.token().empty(); lease = LeaseOne(worker)) {
    if (!ReportOk(worker, lease, 1000 + n).ok()) return -1;
    ++n;
  }
  return n;
}

std::vector<v1::JobEvent> CoordinatorHarness::Events(const std::string& uuid) {
  std::vector<v1::JobEvent> events;
  std::shared_ptr<JobFeed> feed = feeds_.Find(uuid);
  int64_t seq = 0;
  while (feed != nullptr) {
    JobFeed::Read read = feed->ReadAfter(seq);
    if (read.event == nullptr) break;
    seq = read.event->seq();
    events.push_back(*read.event);
  }
  return events;
}

DeviceInfo SimtDevice() {
  DeviceInfo device = *ArchitectureLimits("sm_80");
  device.kind = DeviceKind::kSimt;
  device.name = "simt-cpu";
  device.uuid = "device-0";
  device.multiprocessors = 2;
  device.memory_bytes = int64_t{8} << 30;
  return device;
}

DeviceInfo CudaDevice() {
  DeviceInfo device = *ArchitectureLimits("sm_90");
  device.kind = DeviceKind::kCuda;
  device.name = "NVIDIA H200";
  device.uuid = "device-0";
  device.multiprocessors = 132;
  device.memory_bytes = int64_t{139} << 30;
  return device;
}

Toolchain TestToolchain() { return {"0.1.0", "22.1.8", "none", "free=1"}; }

v1::JobSpec FreeJob(int64_t trials) {
  v1::JobSpec spec;
  *spec.mutable_problem() = ToWire(MatmulProblem{64, 32, 16});
  spec.set_strategy("exhaustive");
  spec.add_families("free");
  spec.set_trials(trials);
  return spec;
}

v1::JobSpec WideJob(int64_t trials) {
  v1::JobSpec spec = FreeJob(trials);
  spec.set_families(0, "wide");
  spec.set_remeasure(true);
  return spec;
}

v1::JobSpec ModelJob(int64_t trials) {
  v1::JobSpec spec = FreeJob(trials);
  spec.set_families(0, "spilling");
  spec.set_strategy("model");
  return spec;
}

v1::Schedule FreeSchedule(int index) {
  static constexpr int kX[] = {1, 2, 3};
  static constexpr int kY[] = {5, 7, 9, 11};
  return ToWire(Schedule{"free", {{"x", kX[index / 4]}, {"y", kY[index % 4]}}});
}

v1::CandidateReport OkReport(const std::string& token, double ns) {
  v1::CandidateReport report;
  report.set_token(token);
  *report.mutable_measurement() = ToWire(OkMeasurement(ns));
  *report.mutable_device() = ToWire(SimtDevice());
  *report.mutable_toolchain() = ToWire(TestToolchain());
  return report;
}

v1::CompileReport CompiledReport(const std::string& token, int64_t spill_bytes) {
  KernelResources resources;
  resources.registers = 100;
  resources.spill_bytes = spill_bytes;
  resources.shared_bytes = 1024;
  resources.threads = 128;
  PhaseTimes phases;
  phases.llvm_ms = 3;
  v1::CompileReport report;
  report.set_token(token);
  *report.mutable_facts()->mutable_resources() = ToWire(resources);
  *report.mutable_facts()->mutable_phases() = ToWire(phases);
  report.mutable_facts()->set_code_digest("digest");
  return report;
}

}  // namespace mmtune
