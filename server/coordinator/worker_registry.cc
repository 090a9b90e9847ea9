// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/worker_registry.h"

#include <algorithm>
#include <set>
#include <utility>

namespace mmtune {
namespace {

constexpr Duration kForgetAfter = std::chrono::minutes(10);
constexpr Duration kForgetHeldAfter = std::chrono::hours(24);

}  // namespace

std::string_view WorkerHoldName(WorkerHold hold) {
  switch (hold) {
    case WorkerHold::kNone:
      return "none";
    case WorkerHold::kCordoned:
      return "cordoned";
    case WorkerHold::kDrained:
      return "drained";
    case WorkerHold::kQuarantined:
      return "quarantined";
  }
  return "none";
}

void WorkerRegistry::Register(std::string_view id, std::string_view host, std::vector<RegisteredDevice> devices,
                              std::string_view peer, Labels labels, int compile_lanes, std::string_view process_id) {
  auto at = workers_.find(id);
  const bool is_new = at == workers_.end();
  if (is_new) {
    Prune();
    if (!peer.empty()) MakeRoom(peer, kMaxPerPeer);
    MakeRoom("", kMaxWorkers);
    at = workers_.try_emplace(std::string(id)).first;
    at->second.id = id;
    at->second.order = next_order_++;
    const auto faulty = faults_.find(id);
    if (faulty != faults_.end() && faulty->second.quarantine) {
      at->second.hold = WorkerHold::kQuarantined;
      at->second.hold_reason = *faulty->second.quarantine;
    }
  }
  RegisteredWorker& worker = at->second;
  worker.host = host;
  worker.process_id = process_id;
  worker.peer = peer;
  worker.devices = std::move(devices);
  worker.labels = std::move(labels);
  worker.compile_lanes = compile_lanes;
  if (worker.told_to_end && worker.draining) {  // it ended as it was told to, and was started again
    worker.told_to_end = false;
    if (worker.hold == WorkerHold::kDrained) worker.hold = WorkerHold::kCordoned;
  }
  worker.seen = clock_.Now();
  // Registering again does not count as work: a worker that never worked could serve for ever that way.
  if (is_new || worker.has_worked) worker.worked = worker.seen;
  worker.draining = false;
  ++arrivals_;
}

void WorkerRegistry::MakeRoom(std::string_view peer, size_t most) {
  size_t count = 0;
  auto oldest = workers_.end();
  for (auto at = workers_.begin(); at != workers_.end(); ++at) {
    if (!peer.empty() && at->second.peer != peer) continue;
    ++count;
    const auto rank = [](const RegisteredWorker& worker) {
      return std::pair(worker.hold != WorkerHold::kNone, worker.seen);
    };
    if (oldest == workers_.end() || rank(at->second) < rank(oldest->second)) oldest = at;
  }
  if (count >= most) workers_.erase(oldest);
}

RegisteredWorker* WorkerRegistry::Touch(std::string_view id, bool works) {
  auto at = workers_.find(id);
  if (at == workers_.end()) return nullptr;
  RegisteredWorker& worker = at->second;
  const bool served = Serves(worker);
  worker.seen = clock_.Now();
  if (works) {
    worker.worked = worker.seen;
    worker.has_worked = true;
  }
  if (!served && Serves(worker)) ++arrivals_;
  return &worker;
}

void WorkerRegistry::SetDraining(RegisteredWorker& worker, bool draining) {
  const bool served = Serves(worker);
  worker.draining = draining;
  if (!served && Serves(worker)) ++arrivals_;
}

const RegisteredWorker* WorkerRegistry::Hold(std::string_view id, WorkerHold hold, std::string reason) {
  auto at = workers_.find(id);
  if (at == workers_.end()) return nullptr;
  RegisteredWorker& worker = at->second;
  const bool served = Serves(worker);
  if (hold != WorkerHold::kQuarantined) worker.told_to_end = hold == WorkerHold::kDrained;
  if (worker.hold != WorkerHold::kQuarantined || hold == WorkerHold::kNone) {
    worker.hold = hold;
    worker.hold_reason = std::move(reason);
  }
  if (!served && Serves(worker)) ++arrivals_;
  return &worker;
}

std::string WorkerRegistry::TrustDomainOf(std::string_view id) const {
  const RegisteredWorker* worker = Find(id);
  return TrustDomainName(id, worker == nullptr ? "" : worker->peer);
}

size_t WorkerRegistry::MarkFaulty(std::string_view id, const FaultReporter& reporter, TimePoint when) {
  auto& reporters = faults_[std::string(id)].reporters;
  TimePoint& last = reporters.try_emplace({reporter.worker, reporter.trust_domain}, when).first->second;
  last = std::max(last, when);
  std::erase_if(reporters, [this](const auto& entry) { return clock_.Now() - entry.second > kFaultLifetime; });
  std::set<std::string_view> ids;
  std::vector<std::string_view> domains;
  for (const auto& [by, at] : reporters) {
    ids.insert(by.first);
    domains.push_back(by.second);
  }
  return std::min(ids.size(), CountTrustDomains(domains));
}

void WorkerRegistry::Quarantine(std::string_view id, const std::string& reason) {
  faults_[std::string(id)].quarantine = reason;
  Hold(id, WorkerHold::kQuarantined, reason);
}

bool WorkerRegistry::IsQuarantined(std::string_view id) const {
  const auto faulty = faults_.find(id);
  return faulty != faults_.end() && faulty->second.quarantine.has_value();
}

void WorkerRegistry::ClearFaults(std::string_view id) {
  const auto faulty = faults_.find(id);
  if (faulty != faults_.end()) faults_.erase(faulty);
}

const RegisteredWorker* WorkerRegistry::Find(std::string_view id) const {
  auto at = workers_.find(id);
  return at == workers_.end() ? nullptr : &at->second;
}

const RegisteredDevice* WorkerRegistry::FindDevice(const RegisteredWorker& worker, std::string_view device_uuid) {
  for (const RegisteredDevice& device : worker.devices) {
    if (device.info.uuid == device_uuid) return &device;
  }
  return nullptr;
}

bool WorkerRegistry::IsLive(const RegisteredWorker& worker) const {
  return !worker.draining && clock_.Now() - worker.seen <= silence_;
}

bool WorkerRegistry::Serves(const RegisteredWorker& worker) const {
  return IsLive(worker) && worker.hold == WorkerHold::kNone && clock_.Now() - worker.worked <= silence_;
}

std::vector<const RegisteredWorker*> WorkerRegistry::All() const {
  std::vector<const RegisteredWorker*> all;
  for (const auto& [id, worker] : workers_) all.push_back(&worker);
  std::sort(all.begin(), all.end(),
            [](const RegisteredWorker* a, const RegisteredWorker* b) { return a->order < b->order; });
  return all;
}

bool WorkerRegistry::AnyServes(absl::FunctionRef<bool(const RegisteredWorker&)> matches) const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [&](const auto& entry) { return Serves(entry.second) && matches(entry.second); });
}

std::vector<const RegisteredWorker*> WorkerRegistry::Serving() const {
  std::vector<const RegisteredWorker*> serving = All();
  std::erase_if(serving, [this](const RegisteredWorker* worker) { return !Serves(*worker); });
  return serving;
}

void WorkerRegistry::Prune() {
  const TimePoint now = clock_.Now();
  std::erase_if(faults_, [now](const auto& entry) {
    const WorkerFaults& faults = entry.second;
    return !faults.quarantine && std::none_of(faults.reporters.begin(), faults.reporters.end(),
                                              [now](auto& by) { return now - by.second <= kFaultLifetime; });
  });
  std::erase_if(workers_, [this, now](const auto& entry) {
    const RegisteredWorker& worker = entry.second;
    const Duration unheld = worker.has_worked ? kForgetAfter : silence_;
    return now - worker.seen > (worker.hold == WorkerHold::kNone ? unheld : kForgetHeldAfter);
  });
}

}  // namespace mmtune
