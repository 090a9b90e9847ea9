// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A simulation of the whole service with random faults from one seed. Workers die, fall silent, fail, repeat calls and
// report late. The coordinator is killed or suspended, and its disk fails. Clients submit and cancel jobs. Admins hold
// workers and end the holds.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/server/coordinator_harness.h"

namespace mmtune {

/// The simulation. Not thread-safe.
class SimulatedWorld {
 public:
  /// With `drops_commits` the log acknowledges commits that it does not store, which the checks must notice.
  explicit SimulatedWorld(uint64_t seed, bool drops_commits = false);

  /// Simulates one random event, and then checks all invariants.
  void Step();
  /// Ends all faults, and checks that all jobs then end.
  void Settle();

  /// Returns the broken invariants, one line each.
  const std::vector<std::string>& broken() const { return broken_; }
  // These return how often events happened: restarts of the coordinator, undone batches, and late reports.
  int restarts() const { return restarts_; }
  int undone() const { return undone_; }
  int late() const { return late_; }
  /// Returns the number of late reports whose candidates still waited.
  int in_time() const { return in_time_; }
  /// Returns how often the coordinator was suspended.
  int pauses() const { return pauses_; }
  /// Returns the number of reports that also got leases.
  int asked() const { return asked_; }
  /// Returns the number of workers that are held at the end.
  int held() const { return held_; }
  /// Returns the number of results of compile tasks.
  int compiled() const { return compiled_; }
  /// Returns the number of records of schedules that were compiled and not chosen.
  int unchosen();

 private:
  struct Worker {
    std::string id;
    bool registered = false;
    std::map<std::string, v1::Lease> held;
    std::vector<std::string> tasks;  ///< The tokens of its compile tasks.
    /// The tokens of leases that have ended, which it may report late or again.
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
  /// Sends a report, at random with a request for leases.
  absl::StatusOr<v1::ReportStatus> Send(Worker& worker, const v1::CandidateReport& report);
  void ReportOld(Worker& worker);
  void ReportTask(Worker& worker);
  void Die(Worker& worker);
  void Pause();
  void Check();
  void CheckCrash(int64_t id, const FakeLogStorage::Record& crash);
  void CheckJobsComplete();
  /// Checks the result of a finished job.
  void CheckTrials(int64_t id, const JobRow& job, const v1::JobProgress& progress);
  std::string Unfinished();
  void Broken(std::string_view what);

  std::mt19937_64 rng_;
  const uint64_t seed_;
  const bool drops_commits_;
  const bool asks_;      ///< True if reports also ask for leases.
  const bool compiles_;  ///< True if there are GPU workers, and jobs that compile ahead.
  CoordinatorHarness harness_;
  std::vector<Worker> workers_;
  std::vector<std::string> jobs_;
  std::set<std::string> cancelled_;
  /// The tokens of leases whose results were acknowledged.
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
