// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/worker_registry.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "proto/base/clock.h"
#include "proto/base/plain_text.h"
#include "proto/base/status.h"
#include "proto/types/validate.h"
#include "proto/wire/convert.h"

namespace mmtune {
namespace {

constexpr Duration kForgetAfter = std::chrono::minutes(10);
constexpr Duration kForgetHeldAfter = std::chrono::hours(24);

}  // namespace

std::string_view WorkerHoldName(WorkerHold hold) {
  return HoldName(static_cast<v1::WorkerHold>(static_cast<int>(hold)));  // both enums have the same values
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
  if (worker.told_to_end && worker.draining) {  // a drained worker has ended and was started again
    worker.told_to_end = false;
    if (worker.hold == WorkerHold::kDrained) worker.hold = WorkerHold::kCordoned;
  }
  worker.seen = clock_.Now();
  // Registering again does not count as work. Otherwise a worker that never works could serve for ever.
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

namespace {

constexpr int kMaxDevices = 256;
constexpr int kMaxLeases = 64;
constexpr int kMaxTokens = 4096;
constexpr int kMaxReports = 256;
constexpr int kMaxCompileLanes = 4096;
constexpr double kMaxWaitSeconds = 20;
constexpr size_t kMaxDetail = 1000;
constexpr size_t kMaxHost = 253;  // the longest DNS name

/// Checks a request that holds reports, each with a token.
template <typename Request>
absl::Status CheckReports(const Request& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  if (request.reports_size() > kMaxReports) {
    return InvalidArgument(
        absl::StrCat("reports holds ", request.reports_size(), ": send at most ", kMaxReports, " in one call"));
  }
  for (int i = 0; i < request.reports_size(); ++i) {
    RETURN_IF_ERROR(CheckName(absl::StrCat("reports[", i, "].token"), request.reports(i).token()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckName(std::string_view field, std::string_view value) { return CheckText(field, value, 1, kMaxName); }

absl::Status ValidateRegister(const v1::RegisterRequest& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  RETURN_IF_ERROR(CheckText("host", request.host(), 0, kMaxHost));
  RETURN_IF_ERROR(CheckText("version", request.version(), 0, kMaxName));
  RETURN_IF_ERROR(CheckText("process_id", request.process_id(), 0, kMaxName));
  if (request.devices_size() == 0) return InvalidArgument("devices is empty: a worker registers at least one");
  if (request.devices_size() > kMaxDevices) {
    return InvalidArgument(absl::StrCat("devices holds ", request.devices_size(), ": register at most ", kMaxDevices));
  }
  if (request.compile_lanes() < 0 || request.compile_lanes() > kMaxCompileLanes) {
    return InvalidArgument(
        absl::StrCat("compile_lanes is ", request.compile_lanes(), ": give 0 to ", kMaxCompileLanes));
  }
  return absl::OkStatus();
}

absl::Status ValidateProtocol(const v1::RegisterRequest& request, std::string_view server_version) {
  if (request.protocol() == kProtocol) return absl::OkStatus();
  return FailedPrecondition(absl::StrCat(
      "this server (mmtune ", ToAbsl(server_version), ") speaks protocol ", kProtocol, ", worker '",
      request.worker_id(), "' (mmtune ", request.version().empty() ? "of unknown version" : request.version(),
      ") speaks protocol ", request.protocol(), ": install the same version of mmtune on both"));
}

absl::StatusOr<RegisteredDevice> ParseDevice(const v1::DeviceInfo& device, const v1::Toolchain& toolchain) {
  RegisteredDevice parsed;
  ASSIGN_OR_RETURN(parsed.info, FromWire(device));
  ASSIGN_OR_RETURN(parsed.toolchain, FromWire(toolchain));
  RETURN_IF_ERROR(CheckDevice(parsed.info));
  RETURN_IF_ERROR(CheckToolchain(parsed.toolchain));
  return parsed;
}

absl::StatusOr<std::vector<RegisteredDevice>> ParseDevices(const v1::RegisterRequest& request) {
  std::vector<RegisteredDevice> devices;
  std::set<std::string> uuids;
  for (int i = 0; i < request.devices_size(); ++i) {
    const v1::WorkerDevice& message = request.devices(i);
    const std::string field = absl::StrCat("devices[", i, "]");
    absl::StatusOr<RegisteredDevice> device = ParseDevice(message.device(), message.toolchain());
    if (!device.ok()) return WithContext(device.status(), field);
    if (!uuids.insert(device->info.uuid).second) {
      return InvalidArgument(
          absl::StrCat(field, " repeats the device '", device->info.uuid, "': register each device once"));
    }
    device->index = message.index();
    devices.push_back(*std::move(device));
  }
  return devices;
}

absl::StatusOr<WorkerHold> ParseHold(const v1::HoldWorkerRequest& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  switch (request.hold()) {
    case v1::WORKER_HOLD_NONE:
      return WorkerHold::kNone;
    case v1::WORKER_HOLD_CORDONED:
      return WorkerHold::kCordoned;
    case v1::WORKER_HOLD_DRAINED:
      return WorkerHold::kDrained;
    default:
      return InvalidArgument(absl::StrCat("hold is ", request.hold(), ": cordon, uncordon or drain a worker"));
  }
}

absl::Status ValidateLease(const v1::LeaseRequest& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  RETURN_IF_ERROR(CheckName("request_id", request.request_id()));
  if (request.max_leases() < 1 || request.max_leases() > kMaxLeases) {
    return InvalidArgument(absl::StrCat("max_leases is ", request.max_leases(), ": ask for 1 to ", kMaxLeases));
  }
  if (request.max_compiles() < 0 || request.max_compiles() > kMaxCompileLanes) {
    return InvalidArgument(
        absl::StrCat("max_compiles is ", request.max_compiles(), ": ask for 0 to ", kMaxCompileLanes));
  }
  if (!(request.wait_seconds() >= 0)) {  // NaN too
    return InvalidArgument(absl::StrCat("wait_seconds is ", request.wait_seconds(), ": give 0 to ", kMaxWaitSeconds));
  }
  return absl::OkStatus();
}

Duration LeaseWait(const v1::LeaseRequest& request) {
  return FromSeconds(std::min(request.wait_seconds(), kMaxWaitSeconds));
}

absl::Status ValidateHeartbeat(const v1::HeartbeatRequest& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  if (request.tokens_size() <= kMaxTokens) return absl::OkStatus();
  return InvalidArgument(
      absl::StrCat("tokens holds ", request.tokens_size(), ": send at most ", kMaxTokens, " in one call"));
}

absl::Status ValidateFindMeasured(const v1::FindMeasuredRequest& request) {
  RETURN_IF_ERROR(CheckName("worker_id", request.worker_id()));
  return CheckName("timing_key", request.timing_key());
}

absl::Status ValidateReport(const v1::ReportRequest& request) { return CheckReports(request); }
absl::Status ValidateReportCompiled(const v1::ReportCompiledRequest& request) { return CheckReports(request); }

std::string LogText(std::string_view text) { return PlainText(Shortened(text, kMaxDetail)); }

}  // namespace mmtune
