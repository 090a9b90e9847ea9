// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/server/simulated_world.h"

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr size_t kMaxJobs = 3;
constexpr int kMaxSettleRounds = 2000;
constexpr int kLongestWait = 22;  // rounds of a second

std::string Key(const v1::LeaseStatus& lease) {
  return absl::StrCat(lease.job_uuid(), " ", lease.schedule(), " ", lease.attempt());
}

std::set<std::string> TokensOf(const v1::LeaseResponse& response) {
  std::set<std::string> tokens;
  for (const v1::Lease& lease : response.leases()) tokens.insert(lease.token());
  for (const v1::CompileTask& task : response.compiles()) tokens.insert(task.token());
  return tokens;
}

}  // namespace

SimulatedWorld::SimulatedWorld(uint64_t seed, bool drops_commits)
    : rng_(seed), seed_(seed), drops_commits_(drops_commits), asks_(seed % 2 == 0), compiles_(seed % 5 == 0) {
  const int workers = 1 + Draw(4);
  for (int i = 0; i < workers; ++i) workers_.push_back({absl::StrCat("w", i), false, {}, {}, {}, nullptr});
}

void SimulatedWorld::Broken(std::string_view what) {
  broken_.push_back(absl::StrCat("seed ", seed_, ": ", std::string(what)));
}

void SimulatedWorld::Step() {
  if (drops_commits_ && Draw(25) == 0) harness_.log().DropCommits();
  if (Draw(25) == 0) harness_.log().FailAfter(1 + Draw(12));
  Worker& worker = AnyWorker();
  switch (Draw(compiles_ ? 20 : 17)) {
    case 0:
      Submit();
      break;
    case 1:
      if (Draw(8) == 0) Cancel();
      break;
    case 2:
    case 3:
      worker.registered = Register(worker).ok() || worker.registered;
      break;
    case 4:
    case 5:
    case 6:
      Ask(worker, Draw(2) * 20.0);
      break;
    case 7:
    case 8:
      Beat(worker);
      break;
    case 9:
    case 10:
    case 11:
      Report(worker);
      break;
    case 12:
      ReportOld(worker);
      break;
    case 13:
      if (Draw(4) == 0) {
        Pause();
      } else {
        harness_.Pass(milliseconds(Draw(20000)));
      }
      break;
    case 14:
      if (Draw(3) == 0) Die(worker);
      break;
    case 15:
      if (Draw(4) == 0) {
        ++restarts_;
        harness_.Restart();
        for (Worker& w : workers_) w.waiting = nullptr;  // their connections broke
      }
      break;
    case 16:
      Administer();
      break;
    default:
      ReportTask(worker);
      break;
  }
  for (Worker& w : workers_) Collect(w);
  Check();
}

void SimulatedWorld::Submit() {
  if (jobs_.size() >= kMaxJobs) return;
  v1::JobSpec spec = FreeJob(Draw(3) * 5);
  static constexpr const char* kStrategies[] = {"exhaustive", "random", "evolutionary"};
  spec.set_strategy(kStrategies[Draw(3)]);
  spec.set_seed(rng_());
  spec.set_remeasure(Draw(2) == 0);
  spec.set_weight(Draw(4));
  spec.set_priority(Draw(3) - 1);
  if (compiles_ && Draw(3) > 0) {
    spec.set_strategy("model");
    spec.set_families(0, "spilling");
    spec.set_trials(4 + Draw(6));
  }
  if (Draw(4) == 0) {
    for (int i = 0; i < 4; ++i) *spec.add_schedules() = FreeSchedule(Draw(12));
    spec.add_schedules()->set_family("unknown");  // rejected without a worker
  }
  const std::string request_id = absl::StrCat("client-", submissions_);
  absl::StatusOr<std::string> uuid = harness_.Submit(spec, request_id);
  if (!uuid.ok()) {
    ++undone_;
    uuid = harness_.Submit(spec, request_id);  // as a client would
  }
  if (!uuid.ok()) return;
  ++submissions_;
  jobs_.push_back(*uuid);
  absl::StatusOr<std::string> again = harness_.Submit(spec, request_id);
  if (again.ok() && *again != *uuid) Broken("the same request made two jobs");
}

void SimulatedWorld::Cancel() {
  if (jobs_.empty()) return;
  const std::string& uuid = jobs_[Draw(static_cast<int>(jobs_.size()))];
  v1::CancelJobRequest request;
  request.set_job_uuid(uuid);
  absl::StatusOr<v1::Job> job = harness_.Call([&](Coordinator& coordinator) { return coordinator.CancelJob(request); });
  if (job.ok() && job->state() == v1::JOB_STATE_CANCELLED) cancelled_.insert(uuid);
}

void SimulatedWorld::Administer() {
  static constexpr v1::WorkerHold kHolds[] = {v1::WORKER_HOLD_NONE, v1::WORKER_HOLD_NONE, v1::WORKER_HOLD_CORDONED,
                                              v1::WORKER_HOLD_DRAINED};
  harness_.Hold(AnyWorker().id, kHolds[Draw(4)]).IgnoreError();
}

v1::WorkerHold SimulatedWorld::HoldOf(const Worker& worker) {
  const v1::ServerInfo info = harness_.coordinator().GetServerInfo();
  for (const v1::WorkerStatus& status : info.workers()) {
    if (status.worker_id() == worker.id) return status.hold();
  }
  return v1::WORKER_HOLD_NONE;
}

absl::Status SimulatedWorld::Register(const Worker& worker) {
  if (!compiles_) return harness_.Register(worker.id, SimtDevice());
  return harness_.Register(worker.id, CudaDevice(), {}, /*compile_lanes=*/3);
}

v1::CandidateReport SimulatedWorld::OkReport(const std::string& token, double ns) const {
  v1::CandidateReport report = mmtune::OkReport(token, ns);
  if (compiles_) *report.mutable_device() = ToWire(CudaDevice());
  return report;
}

void SimulatedWorld::Ask(Worker& worker, double wait) {
  if (worker.waiting != nullptr) return;
  const std::string request_id = absl::StrCat("r", ++requests_);
  const int most = compiles_ ? Draw(5) : 0;
  worker.waiting = harness_.Lease(worker.id, 1 + Draw(3), wait, request_id, most);
  const bool got = worker.waiting->response.leases_size() + worker.waiting->response.compiles_size() > 0;
  if (Draw(4) == 0 && got && HoldOf(worker) != v1::WORKER_HOLD_NONE) Broken("a worker that is held got work");
  if (worker.waiting->response.compiles_size() > most) Broken("a worker got more to compile than it takes");
  if (Draw(10) == 0 && worker.waiting->answered() && worker.waiting->status.ok()) {
    // The answer is lost on the way: asked again with the same key, it must be the same.
    const std::set<std::string> first = TokensOf(worker.waiting->response);
    worker.waiting = harness_.Lease(worker.id, 3, wait, request_id, most);
    const std::set<std::string> second = TokensOf(worker.waiting->response);
    if (worker.waiting->answered() && worker.waiting->status.ok() && !first.empty() && first != second) {
      Broken("a repeated Lease call got other work");
    }
  }
}

void SimulatedWorld::Collect(Worker& worker) {
  if (worker.waiting == nullptr || !worker.waiting->answered()) return;
  if (worker.waiting->answers > 1) Broken("a Lease call was answered twice");
  if (absl::IsNotFound(worker.waiting->status)) worker.registered = false;
  for (const v1::Lease& lease : worker.waiting->response.leases()) worker.held[lease.token()] = lease;
  for (const v1::CompileTask& task : worker.waiting->response.compiles()) worker.tasks.push_back(task.token());
  worker.waiting = nullptr;
}

void SimulatedWorld::Beat(Worker& worker) {
  std::vector<std::string> tokens;
  for (const auto& [token, lease] : worker.held) tokens.push_back(token);
  absl::StatusOr<v1::HeartbeatResponse> response = harness_.Heartbeat(worker.id, tokens);
  if (!response.ok()) return;
  if (response->unknown_worker()) worker.registered = false;
  for (const std::string& token : response->cancel_tokens()) {
    worker.held.erase(token);
    worker.old_tokens.push_back(token);
  }
}

void SimulatedWorld::Report(Worker& worker) {
  if (worker.held.empty()) return;
  auto at = worker.held.begin();
  std::advance(at, Draw(static_cast<int>(worker.held.size())));
  const std::string token = at->first;
  v1::CandidateReport report = OkReport(token, 1000 + Draw(1000));
  const int kind = Draw(20);
  if (kind == 0) report.set_infrastructure_error("out of disk");
  if (kind == 1) report.set_released(true);
  if (kind == 2) report.mutable_measurement()->mutable_timing()->set_median_ns(-1);
  if (kind == 3) report.mutable_measurement()->mutable_resources()->set_registers(-7);
  if (kind == 4) report.mutable_measurement()->set_outcome("compile_failed");
  if (kind == 5) *report.mutable_measurement() = OkReport(token, 1e-300).measurement();  // suspect
  const absl::StatusOr<v1::ReportStatus> status = Send(worker, report);
  if (!status.ok()) {
    ++undone_;
    return;  // it will be reported again
  }
  if (status->unknown()) Broken("a token given out is unknown");
  if (kind > 3) acknowledged_.insert(token);
  worker.held.erase(token);
  worker.old_tokens.push_back(token);
}

absl::StatusOr<v1::ReportStatus> SimulatedWorld::Send(Worker& worker, const v1::CandidateReport& report) {
  if (!asks_ || worker.waiting != nullptr) return harness_.Report(worker.id, report);
  auto next = std::make_shared<TestLeaseCall>();
  const std::string request_id = absl::StrCat("r", ++requests_);
  absl::StatusOr<v1::ReportStatus> status = harness_.ReportAndAsk(worker.id, report, 1 + Draw(3), request_id, next);
  if (status.ok() && !next->answered()) Broken("the leases that a report asked for were never answered");
  if (next->answered()) worker.waiting = next;
  asked_ += !next->response.leases().empty();
  return status;
}

void SimulatedWorld::ReportOld(Worker& worker) {
  if (worker.old_tokens.empty()) return;
  const std::string token = worker.old_tokens[Draw(static_cast<int>(worker.old_tokens.size()))];
  // A worker that died and came back may still be in time.
  auto attempt = harness_.storage().attempts.find(token);
  if (attempt == harness_.storage().attempts.end()) return Broken(absl::StrCat("lease ", token, " is lost"));
  const std::optional<int64_t> before = attempt->second.record_id;
  const bool fenced = attempt->second.row.state != AttemptState::kLive;
  const bool done = harness_.storage().candidates.at(attempt->second.row.candidate_id).state == CandidateState::kDone;
  const bool expired = attempt->second.row.state == AttemptState::kExpired;
  absl::StatusOr<v1::ReportStatus> status = harness_.Report(worker.id, OkReport(token));
  if (!status.ok()) return;
  late_ += fenced;
  if (status->unknown()) Broken("an old token is unknown");
  if (acknowledged_.contains(token) && !status->duplicate()) Broken("a repeated report was not recognised");
  const std::optional<int64_t> after = harness_.storage().attempts.find(token)->second.record_id;
  if (acknowledged_.contains(token) && after != before) Broken("a repeated report was stored again");
  if (fenced && !status->duplicate() && status->canonical()) {
    if (done || !expired) Broken("a late report became canonical");
    ++in_time_;
  }
  acknowledged_.insert(token);
}

void SimulatedWorld::ReportTask(Worker& worker) {
  if (worker.tasks.empty()) return;
  const auto at = worker.tasks.begin() + Draw(static_cast<int>(worker.tasks.size()));
  v1::CompileReport report = CompiledReport(*at, Draw(4) == 0 ? Draw(100) : 0);
  const int kind = Draw(12);
  if (kind == 0) report.set_released(true);
  if (kind == 1) report.set_compile_failed("no");
  if (kind == 2) report.clear_result();
  if (kind == 3) report.mutable_facts()->mutable_resources()->set_threads(-1);
  if (kind == 4) report.mutable_facts()->mutable_resources()->set_registers(-1);  // the compiler does not tell
  if (!harness_.ReportCompiled(worker.id, {report}).ok()) return;                 // nothing is lost with it
  compiled_ += kind == 1 || kind > 3;
  if (Draw(4) > 0) worker.tasks.erase(at);  // else it comes again
}

void SimulatedWorld::Die(Worker& worker) {
  // What it held is forgotten, except that its last report may still be on the way.
  for (const auto& [token, lease] : worker.held) worker.old_tokens.push_back(token);
  worker.held.clear();
  if (worker.waiting != nullptr) worker.waiting->wanted = false;
  worker.waiting = nullptr;
  worker.registered = false;
}

void SimulatedWorld::Check() {
  const FakeLogStorage& storage = harness_.storage();
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
  for (const auto& [id, candidate] : storage.candidates) {
    if ((candidate.state == CandidateState::kLeased) != (live[id] > 0)) {
      Broken(absl::StrCat("candidate ", id, " says otherwise than its attempts whether it is leased"));
    }
    if (candidate.state != CandidateState::kDone && canonical[id] > 0) {
      Broken(absl::StrCat("candidate ", id, " is measured, yet not done"));
    }
  }
  for (const auto& [id, entry] : storage.records) {
    if (entry.record.canonical && entry.record.measurement.outcome == Outcome::kCrashed) CheckCrash(id, entry);
  }
  for (const std::string& token : acknowledged_) {
    auto at = storage.attempts.find(token);
    if (at == storage.attempts.end() || !at->second.record_id) Broken(absl::StrCat("acknowledged ", token, " is lost"));
  }
}

void SimulatedWorld::CheckCrash(int64_t id, const FakeLogStorage::Record& crash) {
  for (const auto& [token, attempt] : harness_.storage().attempts) {
    if (attempt.row.candidate_id != crash.candidate_id || attempt.row.state != AttemptState::kExpired) continue;
    if (!attempt.record_id || *attempt.record_id > id) continue;
    if (harness_.storage().records.at(*attempt.record_id).record.measurement.outcome == Outcome::kOk) {
      Broken(absl::StrCat("candidate ", crash.candidate_id, " crashed, although lease ", token, " had reported ok"));
    }
  }
}

void SimulatedWorld::Pause() {
  std::set<std::string> safe;  // no lease of these is about to run out
  const v1::ServerInfo before = harness_.coordinator().GetServerInfo();
  for (const v1::LeaseStatus& lease : before.leases()) {
    if (lease.ttl_seconds() > Seconds(SuspendAwareClock::kLongestStep)) safe.insert(Key(lease));
  }
  harness_.Pause(milliseconds(3000 + Draw(100000)));
  if (harness_.runner().broken()) return;
  const v1::ServerInfo after = harness_.coordinator().GetServerInfo();
  for (const v1::LeaseStatus& lease : after.leases()) safe.erase(Key(lease));
  if (!safe.empty()) Broken("a lease ran out while the coordinator was paused");
  ++pauses_;
}

void SimulatedWorld::Settle() {
  harness_.log().FailAfter(0);
  for (int round = 0; round < kMaxSettleRounds; ++round) {
    bool all_over = true;
    for (const auto& [id, job] : harness_.storage().jobs) all_over = all_over && IsFinal(job.state);
    if (all_over) break;
    if (round + 1 == kMaxSettleRounds) Broken(absl::StrCat("a job never ended: ", Unfinished()));
    for (Worker& worker : workers_) {
      if (round == kLongestWait && worker.waiting != nullptr) Broken("a Lease call was never answered");
      if (!worker.registered) worker.registered = Register(worker).ok();
      if (round == 0) held_ += HoldOf(worker) != v1::WORKER_HOLD_NONE;
      harness_.Hold(worker.id, v1::WORKER_HOLD_NONE).IgnoreError();
      Ask(worker, 0);
      Collect(worker);
      while (!worker.held.empty()) {
        const std::string token = worker.held.begin()->first;
        absl::StatusOr<v1::ReportStatus> status = harness_.Report(worker.id, OkReport(token));
        if (status.ok()) acknowledged_.insert(token);
        worker.held.erase(token);
      }
      // Some compile nothing any more.
      for (size_t i = 0; &worker != &workers_.back() && i < worker.tasks.size(); ++i) {
        compiled_ += harness_.ReportCompiled(worker.id, {CompiledReport(worker.tasks[i])}).ok();
      }
      worker.tasks.clear();
    }
    harness_.Pass(seconds(1));
    Check();
  }
  CheckJobsComplete();
}

int SimulatedWorld::unchosen() {
  int unchosen = 0;
  for (const auto& [id, entry] : harness_.storage().records) {
    unchosen += entry.record.measurement.outcome == Outcome::kSkipped;
  }
  return unchosen;
}

void SimulatedWorld::CheckTrials(int64_t id, const JobRow& job, const v1::JobProgress& progress) {
  int64_t unchosen = 0;
  std::set<int64_t> settled;
  for (const auto& [record_id, entry] : harness_.storage().records) {
    if (entry.record.job_uuid != job.uuid || !entry.record.canonical) continue;
    if (!settled.insert(entry.candidate_id).second) Broken("a schedule of a job has two records");
    unchosen += entry.record.measurement.outcome == Outcome::kSkipped;
  }
  v1::JobSpec spec;
  spec.ParseFromString(job.spec);
  if (spec.strategy() != "model" || spec.schedules_size() > 0) return;
  const auto skipped = progress.outcomes().find("skipped");
  if ((skipped == progress.outcomes().end() ? 0 : skipped->second) != unchosen)
    Broken("what was not chosen is not counted");
  // Fewer than all of the space: it never ends before.
  if (progress.done() - unchosen != spec.trials()) {
    Broken(absl::StrCat("job ", id, " made ", progress.done() - unchosen, " trials, not ", spec.trials()));
  }
}

std::string SimulatedWorld::Unfinished() {
  std::string text;
  for (const auto& [id, row] : harness_.storage().jobs) {
    if (IsFinal(row.state)) continue;
    v1::Job job = harness_.Job(row.uuid);
    job.clear_device();
    absl::StrAppend(&text, job.ShortDebugString(), "; ");
  }
  return text;
}

void SimulatedWorld::CheckJobsComplete() {
  const FakeLogStorage& storage = harness_.storage();
  for (const auto& [id, job] : storage.jobs) {
    if (cancelled_.contains(job.uuid) && job.state != JobState::kCancelled) Broken("a cancelled job went on");
    if (job.state != JobState::kDone) continue;
    const v1::JobProgress progress = harness_.Job(job.uuid).progress();
    int64_t counted = 0;
    for (const auto& [outcome, n] : progress.outcomes()) counted += n;
    if (progress.done() != progress.proposed() || counted != progress.done()) {
      Broken(absl::StrCat("a done job's counts do not add up: ", progress.ShortDebugString()));
    }
    if (progress.done() > 0) CheckTrials(id, job, progress);  // else it is not in memory any more
    for (const auto& [candidate_id, candidate] : storage.candidates) {
      if (candidate.job_id == id && candidate.state == CandidateState::kLeased)
        Broken("done, yet a candidate is leased");
    }
  }
  for (const auto& [token, attempt] : storage.attempts) {
    if (attempt.row.state == AttemptState::kLive) Broken(absl::StrCat("lease ", token, " outlived every job"));
  }
}

}  // namespace mmtune
