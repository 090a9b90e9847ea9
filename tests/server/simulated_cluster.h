// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A simulation of several coordinators on one database, from one seed. Coordinators are killed, stopped for longer than
// their lease, and started again. The database loses sessions and answers, and fails over. Workers serve all
// coordinators, die and report late; clients repeat a submission at another coordinator.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/server/coordinator_harness.h"
#include "tests/server/simulated_database.h"

namespace mmtune {

/// The simulation. Not thread-safe.
class SimulatedCluster {
 public:
  explicit SimulatedCluster(uint64_t seed, SimulatedDatabase::Options options = {});

  /// Simulates one random event, and then checks all invariants.
  void Step();
  /// Ends all faults, and checks that all jobs then end.
  void Settle();

  /// Returns the broken invariants, one line each.
  const std::vector<std::string>& broken() const { return broken_; }
  double simulated_seconds() const { return Seconds(clock_.Now() - TimePoint{}); }
  // These return how often events happened.
  int kills() const { return kills_; }
  int stops() const { return stops_; }
  int failovers() const { return failovers_; }
  int lost_answers() const { return lost_answers_; }
  int takeovers() const { return takeovers_; }
  int reports() const { return static_cast<int>(acknowledged_.size()); }
  /// Returns how many coordinators found that another has their jobs, and ended.
  int fenced() const { return fenced_; }

 private:
  enum class State { kRuns, kStopped, kDead };
  struct Process {
    std::unique_ptr<CoordinatorHarness> harness;
    State state = State::kRuns;
  };
  struct Worker {
    std::string id;
    std::map<std::string, size_t> held;  ///< The coordinator that granted each lease.
  };

  int Draw(int n) { return static_cast<int>(rng_() % static_cast<uint64_t>(n)); }
  bool Runs(size_t index) const { return processes_[index].state == State::kRuns; }
  /// Returns a coordinator that runs; the number of coordinators if none does.
  size_t AnyRunning();
  /// Ends the process of a coordinator that has lost its log.
  void EndIfFenced(size_t index, const absl::Status& status);
  void Revive(size_t index);
  void ReviveSome(size_t index);
  void Submit();
  void Lease(Worker& worker, size_t index);
  void Beat(Worker& worker);
  void Report(Worker& worker);
  void Pass(Duration time);
  void Check();
  void Broken(std::string_view what);

  std::mt19937_64 rng_;
  const uint64_t seed_;
  FakeClock clock_;
  SimulatedDatabase database_;
  std::vector<Process> processes_;
  std::vector<Worker> workers_;
  std::set<std::string> acknowledged_;                     ///< The tokens of leases whose results were acknowledged.
  std::map<std::pair<int64_t, int64_t>, int64_t> owners_;  ///< By job and epoch.
  std::vector<std::string> broken_;
  int submissions_ = 0;
  int kills_ = 0, stops_ = 0, failovers_ = 0, lost_answers_ = 0, takeovers_ = 0, fenced_ = 0;
};

}  // namespace mmtune
