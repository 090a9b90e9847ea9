// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/server/simulated_cluster.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kMaxJobs = 4;
constexpr int kMaxSettleRounds = 600;

}  // namespace

SimulatedCluster::SimulatedCluster(uint64_t seed, SimulatedDatabase::Options options)
    : rng_(seed), seed_(seed), database_(clock_, options) {
  const size_t coordinators = 2 + seed % 2;
  for (size_t i = 0; i < coordinators; ++i) {
    const SharedLog shared{clock_, database_.storage(), [this] { return database_.Open(); }, absl::StrCat("c", i, "-")};
    processes_.push_back({std::make_unique<CoordinatorHarness>(CoordinatorOptions{}, shared)});
  }
  const int workers = 1 + Draw(3);
  for (int i = 0; i < workers; ++i) workers_.push_back({absl::StrCat("w", i), {}});
}

void SimulatedCluster::Broken(std::string_view what) {
  broken_.push_back(absl::StrCat("seed ", seed_, ": ", std::string(what)));
}

size_t SimulatedCluster::AnyRunning() {
  const size_t first = rng_() % processes_.size();
  for (size_t i = 0; i < processes_.size(); ++i) {
    const size_t index = (first + i) % processes_.size();
    if (Runs(index)) return index;
  }
  return processes_.size();
}

void SimulatedCluster::EndIfFenced(size_t index, const absl::Status& status) {
  if (!IsLogLost(status)) return;
  processes_[index].state = State::kDead;
  ++fenced_;
}

void SimulatedCluster::Revive(size_t index) {
  Process& process = processes_[index];
  if (process.state == State::kDead && process.harness->TryRestart().ok()) process.state = State::kRuns;
  if (process.state == State::kStopped) process.state = State::kRuns;
}

void SimulatedCluster::ReviveSome(size_t index) {
  // Mostly, a stopped one sleeps past its lease.
  if (processes_[index].state == State::kDead || Draw(3) == 0) Revive(index);
}

void SimulatedCluster::Step() {
  const size_t index = rng_() % processes_.size();
  Process& process = processes_[index];
  Worker& worker = workers_[rng_() % workers_.size()];
  switch (Draw(24)) {
    case 0:
    case 1:
      Submit();
      break;
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
      if (Runs(index)) Lease(worker, index);
      break;
    case 7:
    case 8:
      Beat(worker);
      break;
    case 9:
    case 10:
    case 11:
    case 12:
    case 13:
      Report(worker);
      break;
    case 14:
      if (Runs(index)) {
        process.state = State::kDead;
        ++kills_;
      }
      break;
    case 15:
      if (Runs(index)) {
        process.state = State::kStopped;
        ++stops_;
      }
      break;
    case 16:
    case 17:
      ReviveSome(index);
      break;
    case 18:
      database_.EndSessions();
      break;
    case 19:
      if (Draw(2) == 0) {
        database_.FailOver();
        ++failovers_;
      } else {
        database_.Replicate();
      }
      break;
    case 20:
      database_.LoseNextAnswer(Draw(2) == 0);
      ++lost_answers_;
      break;
    case 21:
      if (Draw(3) == 0) worker.held.clear();  // it died
      break;
    default:
      Pass(milliseconds(Draw(20000)));
      break;
  }
  Check();
}

void SimulatedCluster::Submit() {
  if (submissions_ >= kMaxJobs) return;
  v1::JobSpec spec = WideJob(3 + Draw(5));
  spec.set_strategy("random");
  spec.set_seed(rng_());
  const std::string request_id = absl::StrCat("client-", submissions_);
  std::string uuid;
  // A client sends the same request to another coordinator.
  for (int attempt = 0; attempt < 4; ++attempt) {
    const size_t index = AnyRunning();
    if (index == processes_.size()) return;
    const absl::StatusOr<std::string> got = processes_[index].harness->Submit(spec, request_id);
    EndIfFenced(index, got.status());
    if (!got.ok()) continue;
    if (uuid.empty()) ++submissions_;
    if (!uuid.empty() && *got != uuid) Broken("the same request made two jobs");
    uuid = *got;
  }
}

void SimulatedCluster::Lease(Worker& worker, size_t index) {
  CoordinatorHarness& harness = *processes_[index].harness;
  const absl::Status registered = harness.Register(worker.id, SimtDevice());
  EndIfFenced(index, registered);
  if (!registered.ok()) return;
  const std::shared_ptr<TestLeaseCall> call = harness.Lease(worker.id, 1 + Draw(2));
  EndIfFenced(index, call->status);
  if (!call->status.ok()) return;
  for (const v1::Lease& lease : call->response.leases()) worker.held[lease.token()] = index;
}

void SimulatedCluster::Beat(Worker& worker) {
  std::map<size_t, std::vector<std::string>> tokens;
  for (const auto& [token, index] : worker.held) tokens[index].push_back(token);
  for (const auto& [index, of_one] : tokens) {
    if (!Runs(index)) continue;
    const absl::StatusOr<v1::HeartbeatResponse> response = processes_[index].harness->Heartbeat(worker.id, of_one);
    EndIfFenced(index, response.status());
    if (!response.ok()) continue;
    for (const std::string& token : response->cancel_tokens()) worker.held.erase(token);
  }
}

void SimulatedCluster::Report(Worker& worker) {
  if (worker.held.empty()) return;
  auto at = worker.held.begin();
  std::advance(at, Draw(static_cast<int>(worker.held.size())));
  const std::string token = at->first;
  // First to the one that granted it, then to all.
  for (size_t i = 0; i < processes_.size(); ++i) {
    const size_t index = (at->second + i) % processes_.size();
    if (!Runs(index)) continue;
    CoordinatorHarness& harness = *processes_[index].harness;
    EndIfFenced(index, harness.Register(worker.id, SimtDevice()));
    if (!Runs(index)) continue;
    const absl::StatusOr<v1::ReportStatus> status = harness.Report(worker.id, OkReport(token, 1000 + Draw(1000)));
    EndIfFenced(index, status.status());
    if (!status.ok() || status->unknown()) continue;
    acknowledged_.insert(token);
    worker.held.erase(token);
    return;
  }
}

void SimulatedCluster::Pass(Duration time) {
  while (time > Duration::zero()) {
    const Duration step = std::min(time, SuspendAwareClock::kLongestStep);
    clock_.Advance(step);
    time -= step;
    for (size_t i = 0; i < processes_.size(); ++i) {
      if (Runs(i)) EndIfFenced(i, processes_[i].harness->Run({}));
    }
  }
}

void SimulatedCluster::Check() {
  const FakeLogStorage& storage = database_.storage();
  for (const std::string& write : database_.foreign_writes()) Broken(write);
  for (const auto& [job, owner] : storage.owners) {
    const auto [known, is_new] = owners_.try_emplace({job, owner.epoch}, owner.writer);
    if (known->second != owner.writer) Broken(absl::StrCat("job ", job, " has two owners of one epoch"));
    takeovers_ += is_new && owner.epoch > 1;
  }
  std::map<int64_t, int> canonical, live;
  for (const auto& [id, entry] : storage.records) canonical[entry.candidate_id] += entry.record.canonical;
  for (const auto& [token, attempt] : storage.attempts) {
    live[attempt.row.candidate_id] += attempt.row.state == AttemptState::kLive;
  }
  for (const auto& [id, n] : canonical) {
    if (n > 1) Broken(absl::StrCat("candidate ", id, " has ", n, " canonical records"));
  }
  for (const auto& [id, n] : live) {
    if (n > 1) Broken(absl::StrCat("candidate ", id, " has ", n, " live leases"));
    if (n > 0 && canonical[id] > 0) Broken(absl::StrCat("candidate ", id, " is leased though measured"));
  }
  for (const std::string& token : acknowledged_) {
    const auto at = storage.attempts.find(token);
    if (at == storage.attempts.end() || !at->second.record_id) Broken(absl::StrCat("acknowledged ", token, " is lost"));
  }
}

void SimulatedCluster::Settle() {
  for (int round = 0; round < kMaxSettleRounds && broken_.empty(); ++round) {
    bool all_over = true;
    for (const auto& [id, job] : database_.storage().jobs) all_over = all_over && IsFinal(job.state);
    if (all_over) return;
    for (size_t i = 0; i < processes_.size(); ++i) Revive(i);
    for (Worker& worker : workers_) {
      for (size_t i = 0; i < processes_.size(); ++i) {
        if (Runs(i)) Lease(worker, i);
      }
      for (size_t n = worker.held.size(); n > 0; --n) Report(worker);
    }
    Pass(seconds(1));
    Check();
  }
  if (broken_.empty()) Broken("a job never ended");
}

}  // namespace mmtune
