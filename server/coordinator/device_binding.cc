// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/device_binding.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "proto/types/device_info.h"
#include "proto/types/matmul_problem.h"
#include "server/coordinator/result_validator.h"

namespace mmtune {
namespace {

/// The number of copies of the operands on the SIMT device, for the check and for the timing.
constexpr int64_t kSimtCopies = 3;

std::string Bytes(int64_t bytes) {
  char text[64];
  const double gib = static_cast<double>(bytes) / (1 << 30);
  std::snprintf(text, sizeof(text), gib >= 0.1 ? "%.1f GiB" : "%.3g GiB", gib);
  return text;
}

/// True if the job selects the worker by its labels, and the device by its class.
bool Wanted(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec) {
  return spec.policy.Wants(worker.labels, device.info);
}

bool KindMatches(const RegisteredDevice& device, DeviceKind kind, const DeviceSelector& selector) {
  return device.info.kind == kind && (selector.index < 0 || selector.index == device.index);
}

absl::Status CheckMemory(const MatmulProblem& problem, Regime regime, const DeviceInfo& device) {
  // The memory of the SIMT device is that of the host, which also holds copies. Cold timing needs two sets at least.
  const int64_t copies = (device.kind == DeviceKind::kSimt ? kSimtCopies : 1) + (regime == Regime::kCold ? 1 : 0);
  const int64_t needed = copies * problem.OperandBytes();
  if (device.memory_bytes <= 0 || needed <= device.memory_bytes) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("the operands of ", problem.Text(), " need ", Bytes(needed),
                                      copies > 1 ? " with the worker's copies" : "", ", but ", device.name, " has ",
                                      Bytes(device.memory_bytes), ": choose a smaller problem or a larger device"));
}

/// Returns the device with the job's architecture, or an error if it can never measure for the job.
absl::StatusOr<DeviceInfo> InfoFor(const RegisteredDevice& device, const JobSpec& spec) {
  ASSIGN_OR_RETURN(DeviceInfo info, TargetFor(device.info, spec.device.arch));
  RETURN_IF_ERROR(CheckMemory(spec.problem, spec.measure.regime, info));
  return info;
}

/// Returns the first device of `kind` that may measure for the job. Sets `failure` to the error of the last device that
/// never can.
std::optional<JobTarget> ChooseOfKind(DeviceKind kind, const JobSpec& spec, const DeviceClassFilter& rule,
                                      const std::vector<const RegisteredWorker*>& workers, absl::Status& failure) {
  for (const RegisteredWorker* worker : workers) {
    for (const RegisteredDevice& device : worker->devices) {
      if (!KindMatches(device, kind, spec.device) || !Wanted(*worker, device, spec)) continue;
      absl::StatusOr<DeviceInfo> info = InfoFor(device, spec);
      if (!info.ok()) {
        failure = info.status();
        continue;
      }
      std::string class_key = info->ClassKey();
      if (!rule.required.empty() && class_key != rule.required) continue;
      if (class_key == rule.avoided) continue;
      return JobTarget{*std::move(info), device.toolchain, std::move(class_key)};
    }
  }
  return std::nullopt;
}

std::optional<JobTarget> ChooseOf(const std::vector<const RegisteredWorker*>& workers, const JobSpec& spec,
                                  const DeviceClassFilter& rule, absl::Status& failure) {
  const DeviceSelector::Kind kind = spec.device.kind;
  std::optional<JobTarget> target;
  if (kind != DeviceSelector::Kind::kSimt) target = ChooseOfKind(DeviceKind::kCuda, spec, rule, workers, failure);
  if (!target && kind != DeviceSelector::Kind::kCuda) {
    target = ChooseOfKind(DeviceKind::kSimt, spec, rule, workers, failure);
  }
  return target;
}

bool AnyWanted(const std::vector<const RegisteredWorker*>& workers, const JobSpec& spec) {
  return std::any_of(workers.begin(), workers.end(), [&spec](const RegisteredWorker* worker) {
    return std::any_of(worker->devices.begin(), worker->devices.end(),
                       [&](const RegisteredDevice& device) { return Wanted(*worker, device, spec); });
  });
}

/// Returns the message of a job whose selectors no serving worker matches. It contains no number of workers, because
/// every change of a job's message is stored.
std::string UnmatchedText(const JobSpec& spec, const WorkerRegistry& workers) {
  if (AnyWanted(workers.All(), spec)) {
    return absl::StrCat("registered workers match ", spec.policy.RequirementsText(),
                        ", but none is at work: see tune workers list");
  }
  return absl::StrCat("no registered worker matches ", spec.policy.RequirementsText(),
                      ": start mmtune-worker with such labels and devices, or correct the job");
}

std::string WaitText(const JobSpec& spec, const std::string& required_class) {
  std::string text = "no worker with ";
  switch (spec.device.kind) {
    case DeviceSelector::Kind::kAuto:
      absl::StrAppend(&text, "a CUDA or SIMT device");
      break;
    case DeviceSelector::Kind::kCuda:
      absl::StrAppend(&text, spec.device.index < 0 ? "a CUDA device" : absl::StrCat("device cuda:", spec.device.index));
      break;
    case DeviceSelector::Kind::kSimt:
      absl::StrAppend(&text, "a SIMT device");
      break;
  }
  if (!required_class.empty()) absl::StrAppend(&text, " of the class it was measuring on");
  return absl::StrCat(text, " is at work: start mmtune-worker with --server");
}

}  // namespace

DeviceChoice ChooseDevice(const JobSpec& spec, const DeviceClassFilter& rule, const WorkerRegistry& workers) {
  DeviceChoice choice;
  absl::Status failure, other_failure;
  choice.target = ChooseOf(workers.Serving(), spec, rule, failure);
  if (choice.target) return choice;
  // A registered device of a worker that does not serve now may be able to.
  if (!failure.ok() && !ChooseOf(workers.All(), spec, rule, other_failure)) {
    choice.failure = failure;
    return choice;
  }
  choice.unmatched = !spec.policy.RequirementsText().empty() && !AnyWanted(workers.Serving(), spec);
  choice.waits_for = choice.unmatched ? UnmatchedText(spec, workers) : WaitText(spec, rule.required);
  return choice;
}

bool DeviceServes(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec,
                  const JobTarget& target) {
  if (!KindMatches(device, target.device.kind, spec.device) || !Wanted(worker, device, spec)) return false;
  const absl::StatusOr<DeviceInfo> info = InfoFor(device, spec);
  return info.ok() && info->ClassKey() == target.class_key;
}

DeviceChoice DeviceBinding::Choose() const {
  DeviceChoice choice = ChooseDevice(job_.spec(), {required_, left_}, workers_);
  if (choice.target || left_.empty()) return choice;
  return ChooseDevice(job_.spec(), {required_, ""}, workers_);
}

void DeviceBinding::NoteLoss(std::string_view worker) {
  lost_lease_ = true;
  lost_by_.emplace(worker);
}

bool DeviceBinding::Takes(const RegisteredWorker& worker, const RegisteredDevice& device) const {
  const JobTarget& target = *job_.target();
  return DeviceServes(worker, device, job_.spec(), target) && device.toolchain == target.toolchain;
}

int DeviceBinding::DevicesOf(const RegisteredWorker& worker) const {
  return static_cast<int>(std::count_if(worker.devices.begin(), worker.devices.end(),
                                        [&](const RegisteredDevice& device) { return Takes(worker, device); }));
}

int DeviceBinding::Lanes() const {
  int lanes = 0;
  for (const RegisteredWorker* worker : workers_.Serving()) lanes += DevicesOf(*worker);
  return std::max(lanes, 1);
}

int DeviceBinding::CompileLanes() const {
  int lanes = 0;
  for (const RegisteredWorker* worker : workers_.Serving()) {
    // The lanes of a worker are shared equally among its devices.
    lanes += worker->compile_lanes * DevicesOf(*worker) / static_cast<int>(worker->devices.size());
  }
  return lanes / Lanes();
}

bool DeviceBinding::HasOtherWorker(const std::vector<std::string>& trust_domains, std::string_view worker) const {
  if (!job_.target()) return false;
  return workers_.AnyServes([&](const RegisteredWorker& other) {
    if (other.id == worker) return false;
    const auto is_of = [&](const std::string& domain) {
      return SameTrustDomain(domain, TrustDomainName(other.id, other.peer));
    };
    if (std::any_of(trust_domains.begin(), trust_domains.end(), is_of)) return false;
    return std::any_of(other.devices.begin(), other.devices.end(),
                       [&](const RegisteredDevice& device) { return Takes(other, device); });
  });
}

bool DeviceBinding::Watch() {
  const bool served = HasOtherWorker({}) || AdoptToolchain();
  if (served == served_) return false;
  served_ = served;
  job_.set_message(served ? ""
                          : absl::StrCat("no worker with ", job_.target()->device.name, " is connected", HeldWorker()));
  return true;
}

std::string DeviceBinding::HeldWorker() const {
  for (const RegisteredWorker* worker : workers_.All()) {
    if (worker->hold == WorkerHold::kNone) continue;
    for (const RegisteredDevice& device : worker->devices) {
      if (!DeviceServes(*worker, device, job_.spec(), *job_.target())) continue;
      return absl::StrCat(" that gets leases (", worker->id, " is ", ToAbsl(WorkerHoldName(worker->hold)), ")");
    }
  }
  return "";
}

bool DeviceBinding::AdoptToolchain() {
  for (const RegisteredWorker* worker : workers_.Serving()) {
    for (const RegisteredDevice& device : worker->devices) {
      if (!DeviceServes(*worker, device, job_.spec(), *job_.target())) continue;
      job_.set_toolchain(device.toolchain);
      return true;
    }
  }
  return false;
}

bool DeviceBinding::HasReliableWorker() {
  const Toolchain* another = nullptr;
  for (const RegisteredWorker* worker : workers_.Serving()) {
    if (!worker->has_worked || lost_by_.contains(worker->id)) continue;
    for (const RegisteredDevice& device : worker->devices) {
      if (!DeviceServes(*worker, device, job_.spec(), *job_.target())) continue;
      if (device.toolchain == job_.target()->toolchain) return true;
      another = &device.toolchain;
    }
  }
  if (another != nullptr) job_.set_toolchain(*another);
  return another != nullptr;
}

bool DeviceBinding::ShouldLeave() {
  if (has_result_ || !required_.empty()) return false;
  if (HasReliableWorker()) {
    served_at_ = clock_.Now();
    lost_lease_ = false;
    return false;
  }
  // A restarted worker has the time silence() to return. A worker that lost a lease has had that time already.
  if (!lost_lease_ && clock_.Now() - served_at_ < workers_.silence()) return false;
  return ChooseDevice(job_.spec(), {"", job_.target()->class_key}, workers_).target.has_value();
}

void DeviceBinding::Leave() {
  left_ = job_.target()->class_key;
  served_ = true;
  lost_lease_ = false;
  lost_by_.clear();
  job_.StartOver();
}

}  // namespace mmtune
