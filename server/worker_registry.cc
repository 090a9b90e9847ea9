#include "server/worker_registry.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"

namespace mmtune {
namespace {

constexpr size_t kMaxWorkers = 4096;
constexpr Duration kForgetAfter = std::chrono::minutes(10);

}  // namespace

absl::Status WorkerRegistry::Register(std::string_view id, std::string_view host,
                                      std::vector<RegisteredDevice> devices) {
  auto at = workers_.find(id);
  if (at == workers_.end()) {
    Prune();
    if (workers_.size() >= kMaxWorkers) {
      return ResourceExhausted(absl::StrCat(kMaxWorkers, " workers are registered already"));
    }
    at = workers_.try_emplace(std::string(id)).first;
    at->second.id = id;
    at->second.order = next_order_++;
  }
  RegisteredWorker& worker = at->second;
  worker.host = host;
  worker.devices = std::move(devices);
  worker.seen = clock_.Now();
  worker.draining = false;
  ++arrivals_;
  return absl::OkStatus();
}

RegisteredWorker* WorkerRegistry::Touch(std::string_view id) {
  auto at = workers_.find(id);
  if (at == workers_.end()) return nullptr;
  const bool was_live = IsLive(at->second);
  at->second.seen = clock_.Now();
  if (!was_live && IsLive(at->second)) ++arrivals_;
  return &at->second;
}

void WorkerRegistry::SetDraining(RegisteredWorker& worker, bool draining) {
  const bool was_live = IsLive(worker);
  worker.draining = draining;
  if (!was_live && IsLive(worker)) ++arrivals_;
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

std::vector<const RegisteredWorker*> WorkerRegistry::All() const {
  std::vector<const RegisteredWorker*> all;
  for (const auto& [id, worker] : workers_) all.push_back(&worker);
  std::sort(all.begin(), all.end(),
            [](const RegisteredWorker* a, const RegisteredWorker* b) { return a->order < b->order; });
  return all;
}

std::vector<const RegisteredWorker*> WorkerRegistry::Live() const {
  std::vector<const RegisteredWorker*> live = All();
  std::erase_if(live, [this](const RegisteredWorker* worker) { return !IsLive(*worker); });
  return live;
}

void WorkerRegistry::Prune() {
  const TimePoint now = clock_.Now();
  std::erase_if(workers_, [now](const auto& entry) { return now - entry.second.seen > kForgetAfter; });
}

}  // namespace mmtune
