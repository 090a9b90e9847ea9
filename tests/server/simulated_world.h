// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers that die, fall silent, fail, repeat themselves and report too late; a coordinator that is killed or stopped
// for a while and whose disk breaks down; clients that submit and cancel; admins that hold workers and let them go. All
// of it drawn from one seed.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/server/coordinator_harness.h"

namespace mmtune {

class SimulatedWorld {
 public:
  /// With `lying_disk` acknowledgements come before (in truth: without) durability; the checks must notice.
  explicit SimulatedWorld(uint64_t seed, bool lying_disk = false);

  /// One thing happens; then every promise is checked.
  void Step();
  /// From here on all is well: everything must come to its end.
  void Settle();

  /// The broken invariants, one line each; empty: none.
  const std::vector<std::string>& broken() const { return broken_; }
  int restarts() const { return restarts_; }
  int undone() const { return undone_; }
  int late() const { return late_; }
  /// The number of them whose candidates still waited.
  int in_time() const { return in_time_; }
  /// How often the coordinator was stopped for a while.
  int pauses() const { return pauses_; }
  /// Reports that got leases, too.
  int asked() const { return asked_; }
  /// Workers that were held in the end.
  int held() const { return held_; }
  /// The results of compile tasks.
  int compiled() const { return compiled_; }
  /// Records of schedules that were compiled and not chosen.
  int unchosen();

 private:
  struct Worker {
    std::string id;
    bool registered = false;
    std::map<std::string, v1::Lease> held;
    std::vector<std::string> tasks;  ///< Tokens of what it has to compile.
    /// Tokens it holds on to after it should not: reported late or again.
    std::vector<std::string> old_tokens;
    std::shared_ptr<TestLeaseCall> waiting;
  };

  int Draw(int n) { return static_cast<int>(rng_() % static_cast<uint64_t>(n)); }
  Worker& AnyWorker() { return workers_[Draw(static_cast<int>(workers_.size()))]; }

  void Submit();
  void Cancel();
  void Administer();
  v1::WorkerHold HoldOf(const Worker& worker);
  absl::Status Register(const Worker& worker);
  v1::CandidateReport OkReport(const std::string& token, double ns = 1000) const;
  void Ask(Worker& worker, double wait);
  void Collect(Worker& worker);
  void Beat(Worker& worker);
  void Report(Worker& worker);
  /// Perhaps with a request for leases, as Ask.
  absl::StatusOr<v1::ReportStatus> Send(Worker& worker, const v1::CandidateReport& report);
  void ReportOld(Worker& worker);
  void ReportTask(Worker& worker);
  void Die(Worker& worker);
  void Pause();
  void Check();
  void CheckVerdict(int64_t id, const FakeLogStorage::Record& verdict);
  void CheckJobsComplete();
  /// The result of a finished job.
  void CheckTrials(int64_t id, const JobRow& job, const v1::JobProgress& progress);
  std::string Unfinished();
  void Broken(std::string_view what);

  std::mt19937_64 rng_;
  const uint64_t seed_;
  const bool lying_disk_;
  const bool asks_;      ///< Reports ask for leases.
  const bool compiles_;  ///< Searches of the model have schedules compiled, on workers with a GPU.
  CoordinatorHarness harness_;
  std::vector<Worker> workers_;
  std::vector<std::string> jobs_;
  std::set<std::string> cancelled_;
  /// Tokens whose results were acknowledged.
  std::set<std::string> acknowledged_;
  std::vector<std::string> broken_;
  int submissions_ = 0;
  int requests_ = 0;
  int restarts_ = 0;
  int undone_ = 0;
  int late_ = 0;
  int in_time_ = 0;
  int pauses_ = 0;
  int held_ = 0;
  int compiled_ = 0;
  int asked_ = 0;
};

}  // namespace mmtune
