// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A coordinator with a fake tuning log and a fake clock. It is called like by the gRPC services, with one batch for
// each call.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/coordinator/coordinator.h"
#include "server/coordinator/log_writer.h"
#include "tests/fake_clock.h"
#include "tests/server/fake_tuning_log.h"

namespace mmtune {

/// A Lease call that keeps its answer.
class TestLeaseCall : public LeaseCall {
 public:
  bool Wanted() const override { return wanted; }
  void Answer(const absl::Status& s, v1::LeaseResponse r) override {
    ++answers;
    status = s;
    response = std::move(r);
  }
  bool answered() const { return answers > 0; }

  bool wanted = true;
  int answers = 0;
  absl::Status status;
  v1::LeaseResponse response;
};

/// The log and the clock that several coordinators share.
struct SharedLog {
  FakeClock& clock;
  FakeLogStorage& storage;
  std::function<std::unique_ptr<FakeTuningLog>()> open;  ///< Opens the log for a coordinator that starts.
  std::string token_prefix;                              ///< The beginning of the tokens of its leases.
};

/// The coordinator, its log and its clock. Methods without a comment make the request of the same name.
class CoordinatorHarness {
 public:
  explicit CoordinatorHarness(CoordinatorOptions options = {});
  /// One of several coordinators. What `shared` refers to must outlive it.
  CoordinatorHarness(CoordinatorOptions options, const SharedLog& shared);

  /// Restarts the coordinator as after SIGKILL: only committed changes survive.
  void Restart(std::optional<bool> resume_jobs = std::nullopt);
  /// Like Restart(), but the coordinator may fail to start. Returns its error; then it must not be used.
  absl::Status TryRestart(std::optional<bool> resume_jobs = std::nullopt);

  FakeClock& clock() { return clock_; }
  FakeLogStorage& storage() { return storage_; }
  FakeTuningLog& log() { return *log_; }
  /// Makes the log unreadable for plans from now on, with this error.
  void MakeUnreadable(std::string why) { unreadable_ = std::move(why); }
  JobFeeds& feeds() { return feeds_; }
  Coordinator& coordinator() { return *coordinator_; }
  const BatchRunner& runner() const { return *runner_; }

  /// Runs a batch with one call, and returns its result, or Unavailable if the batch was undone.
  template <typename Apply>
  auto Call(Apply apply) -> decltype(apply(std::declval<Coordinator&>())) {
    decltype(apply(std::declval<Coordinator&>())) result = absl::UnknownError("not applied");
    absl::Status commit = Run({{[&](Coordinator& coordinator) {
                                  result = apply(coordinator);
                                  return result.status();
                                },
                                [](const absl::Status&) {}}});
    if (!commit.ok()) return commit;
    return result;
  }
  absl::Status Run(const std::vector<WriteCommand>& batch) { return runner_->Run(batch); }
  /// Lets time pass while the coordinator runs, and then runs an empty batch.
  void Pass(Duration time);
  /// Suspends the coordinator for this time, and then runs an empty batch.
  void Pause(Duration time);

  absl::StatusOr<std::string> Submit(const v1::JobSpec& spec, const std::string& request_id = "");
  v1::Job Job(const std::string& uuid);
  absl::Status Register(const std::string& worker, const DeviceInfo& device, const Labels& labels = {},
                        int compile_lanes = 0, const std::string& process_id = "");
  /// Holds a worker as an admin does.
  absl::Status Hold(const std::string& worker, v1::WorkerHold hold);
  std::shared_ptr<TestLeaseCall> Lease(const std::string& worker, int max = 1, double wait = 0,
                                       const std::string& request_id = "", int max_compiles = 0);
  /// Makes a Lease call for one candidate. Returns the lease, or an empty one if there is none.
  v1::Lease LeaseOne(const std::string& worker);
  absl::StatusOr<v1::HeartbeatResponse> Heartbeat(const std::string& worker, std::vector<std::string> tokens);
  absl::StatusOr<v1::ReportStatus> Report(const std::string& worker, const v1::CandidateReport& report);
  /// Makes a report that also asks for leases, which `next` gets.
  absl::StatusOr<v1::ReportStatus> ReportAndAsk(const std::string& worker, const v1::CandidateReport& report, int max,
                                                const std::string& request_id, std::shared_ptr<LeaseCall> next);
  absl::Status ReportCompiled(const std::string& worker, const std::vector<v1::CompileReport>& reports);
  absl::StatusOr<v1::ReportStatus> ReportOk(const std::string& worker, const v1::Lease& lease, double ns = 1000);

  /// Registers the worker "w" with the SIMT device, and submits a job. Returns its uuid, or "" if that fails.
  std::string StartJob(const v1::JobSpec& spec);
  /// Leases and reports until the worker gets nothing more. Returns the number of leases.
  int Drain(const std::string& worker = "w");

  /// Returns all events of a job so far.
  std::vector<v1::JobEvent> Events(const std::string& uuid);

 private:
  static FakeClock AnHourIn();
  absl::StatusOr<std::unique_ptr<TuningLogReader>> OpenLog();

  CoordinatorOptions options_;
  FakeClock own_clock_ = AnHourIn();
  FakeClock& clock_ = own_clock_;
  const SuspendAwareClock attended_{clock_};
  FakeLogStorage own_storage_;
  FakeLogStorage& storage_ = own_storage_;
  std::function<std::unique_ptr<FakeTuningLog>()> open_ = [this] { return std::make_unique<FakeTuningLog>(storage_); };
  std::string token_prefix_ = "t";
  JobFeeds feeds_;
  int tokens_ = 0;
  int requests_ = 0;
  std::string unreadable_;
  std::unique_ptr<FakeTuningLog> log_;
  std::unique_ptr<LogTransaction> transaction_;
  std::unique_ptr<Coordinator> coordinator_;
  std::unique_ptr<BatchRunner> runner_;
};

DeviceInfo SimtDevice();
DeviceInfo CudaDevice();
Toolchain TestToolchain();
/// Returns a job for all twelve schedules of the family "free".
v1::JobSpec FreeJob(int64_t trials = 0);
/// Returns a job for `trials` of the 10,000 schedules of the family "wide", which measures even if the log has results.
v1::JobSpec WideJob(int64_t trials);
/// Returns a job with the model strategy for the 400 schedules of the family "spilling". Its predicted times are longer
/// for kernels that spill registers.
v1::JobSpec ModelJob(int64_t trials);
/// Returns a schedule of the family "free".
v1::Schedule FreeSchedule(int index);
v1::CandidateReport OkReport(const std::string& token, double ns = 1000);
v1::CompileReport CompiledReport(const std::string& token, int64_t spill_bytes = 0);

}  // namespace mmtune
