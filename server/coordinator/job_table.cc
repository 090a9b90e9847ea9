// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/job_table.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "server/coordinator/result_validator.h"

namespace mmtune {
namespace {

/// The sets of operands on the SIMT device: for the check and for the timing.
constexpr int64_t kSimtCopies = 3;

std::string Bytes(int64_t bytes) {
  char text[64];
  const double gib = static_cast<double>(bytes) / (1 << 30);
  std::snprintf(text, sizeof(text), gib >= 0.1 ? "%.1f GiB" : "%.3g GiB", gib);
  return text;
}

/// True if the job selects the worker and its device's class.
bool Wanted(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec) {
  return spec.policy.Wants(worker.labels, device.info);
}

bool KindMatches(const RegisteredDevice& device, DeviceKind kind, const DeviceSelector& selector) {
  return device.info.kind == kind && (selector.index < 0 || selector.index == device.index);
}

absl::Status CheckMemory(const MatmulProblem& problem, Regime regime, const DeviceInfo& device) {
  // The SIMT device's memory is the host's, which also holds the worker's copies. Cold operands are two sets at least.
  const int64_t copies = (device.kind == DeviceKind::kSimt ? kSimtCopies : 1) + (regime == Regime::kCold ? 1 : 0);
  const int64_t needed = copies * problem.OperandBytes();
  if (device.memory_bytes <= 0 || needed <= device.memory_bytes) return absl::OkStatus();
  return InvalidArgument(absl::StrCat("the operands of ", problem.Text(), " need ", Bytes(needed),
                                      copies > 1 ? " with the worker's copies" : "", ", but ", device.name, " has ",
                                      Bytes(device.memory_bytes), ": choose a smaller problem or a larger device"));
}

/// Returns the device as it measures for the job, or why it never can.
absl::StatusOr<DeviceInfo> InfoFor(const RegisteredDevice& device, const JobSpec& spec) {
  ASSIGN_OR_RETURN(DeviceInfo info, TargetFor(device.info, spec.device.arch));
  RETURN_IF_ERROR(CheckMemory(spec.problem, spec.measure.regime, info));
  return info;
}

/// Returns the first device of `kind` of these workers that may measure for the job. The reason of the last one that
/// never can goes to `failure`.
std::optional<JobTarget> ChooseOfKind(DeviceKind kind, const JobSpec& spec, const ClassRule& rule,
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
                                  const ClassRule& rule, absl::Status& failure) {
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

/// Returns the message of a job whose selectors no serving worker matches. It gives no number of workers, because a
/// job's message is stored whenever it changes.
std::string UnmatchedText(const JobSpec& spec, const WorkerRegistry& workers) {
  if (AnyWanted(workers.All(), spec)) {
    return absl::StrCat("registered workers match ", spec.policy.WantsText(),
                        ", but none is at work: see tune workers list");
  }
  return absl::StrCat("no registered worker matches ", spec.policy.WantsText(),
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

DeviceChoice ChooseDevice(const JobSpec& spec, const ClassRule& rule, const WorkerRegistry& workers) {
  DeviceChoice choice;
  absl::Status failure, other_failure;
  choice.target = ChooseOf(workers.Serving(), spec, rule, failure);
  if (choice.target) return choice;
  // A device that is registered and not at work now may be able to.
  if (!failure.ok() && !ChooseOf(workers.All(), spec, rule, other_failure)) {
    choice.failure = failure;
    return choice;
  }
  choice.unmatched = !spec.policy.WantsText().empty() && !AnyWanted(workers.Serving(), spec);
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
    // A share of the worker's lanes, because its other devices need theirs.
    lanes += worker->compile_lanes * DevicesOf(*worker) / static_cast<int>(worker->devices.size());
  }
  return lanes / Lanes();
}

bool DeviceBinding::ServedBesides(const std::vector<std::string>& trust_domains, std::string_view worker) const {
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
  const bool served = ServedBesides({}) || AdoptToolchain();
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

bool DeviceBinding::ServedReliably() {
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
  if (ServedReliably()) {
    served_at_ = clock_.Now();
    lost_lease_ = false;
    return false;
  }
  // A worker that restarts has the registry's silence to come back; one that lost a lease has had that time.
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

namespace {

constexpr size_t kFinishedKept = 64;
/// This many finished jobs keep all their events for late watchers; the others keep only the last one.
constexpr size_t kMaxFinishedFeeds = 4;

int64_t FirstSeq(const Clock& clock) { return std::max<int64_t>(1, clock.UnixMillis() << 20); }

}  // namespace

ActiveJob& JobTable::Add(JobRow row, v1::JobSpec message, JobSpec spec) {
  const int64_t id = row.id;
  ids_[row.uuid] = id;
  feeds_.Open(row.uuid, FirstSeq(clock_));
  return jobs_.try_emplace(id, std::move(row), std::move(message), std::move(spec), workers_, clock_).first->second;
}

bool JobTable::full() const { return jobs_.size() >= kMaxUnfinished + kFinishedKept; }

ActiveJob* JobTable::Find(int64_t id) {
  auto at = jobs_.find(id);
  return at == jobs_.end() ? nullptr : &at->second;
}

ActiveJob* JobTable::Find(std::string_view uuid) {
  auto at = ids_.find(uuid);
  return at == ids_.end() ? nullptr : Find(at->second);
}

const TuningJob* JobTable::FindJob(int64_t id) const {
  const ActiveJob* active = Find(id);
  return active == nullptr ? nullptr : &active->job;
}

bool JobTable::OthersServe(int64_t job_id, const std::vector<std::string>& trust_domains,
                           std::string_view worker) const {
  const ActiveJob* active = Find(job_id);
  return active != nullptr && active->binding.ServedBesides(trust_domains, worker);
}

void JobTable::Retire(int64_t id) {
  finished_.emplace_back(id, jobs_.at(id).job.uuid());
  if (finished_.size() > kMaxFinishedFeeds) {
    auto feed = feeds_.Find(finished_[finished_.size() - 1 - kMaxFinishedFeeds].second);
    if (feed != nullptr) feed->Shorten();
  }
  if (finished_.size() <= kFinishedKept) return;
  const auto [old_id, old_uuid] = finished_.front();
  finished_.pop_front();
  jobs_.erase(old_id);
  ids_.erase(old_uuid);
  feeds_.Drop(old_uuid);
}

JobTable::Finished JobTable::Reset() {
  ids_.clear();
  return {std::exchange(jobs_, {}), std::exchange(finished_, {})};
}

void JobTable::KeepFinished(Finished before, const std::set<std::string>& ended) {
  for (const auto& [id, uuid] : before.order) {
    if (!before.jobs.contains(id) || !ended.contains(uuid) || jobs_.contains(id)) continue;
    jobs_.insert(before.jobs.extract(id));
    ids_[uuid] = id;
    finished_.emplace_back(id, uuid);
  }
}

}  // namespace mmtune
