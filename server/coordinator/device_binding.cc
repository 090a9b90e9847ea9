// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/coordinator/device_binding.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "proto/base/status.h"
#include "server/coordinator/result_trust.h"

namespace mmtune {

DeviceChoice DeviceBinding::Choose() const {
  DeviceChoice choice = ChooseDevice(job_.spec(), {required_, left_}, workers_);
  if (choice.target || left_.empty()) return choice;
  return ChooseDevice(job_.spec(), {required_, ""}, workers_);
}

void DeviceBinding::Lose(std::string_view worker) {
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
    // Its other devices need theirs.
    lanes += worker->compile_lanes * DevicesOf(*worker) / static_cast<int>(worker->devices.size());
  }
  return lanes / Lanes();
}

bool DeviceBinding::ServedBesides(const std::vector<std::string>& parties, std::string_view worker) const {
  if (!job_.target()) return false;
  return workers_.AnyServes([&](const RegisteredWorker& other) {
    if (other.id == worker) return false;
    const auto is_of = [&](const std::string& party) { return SameParty(party, PartyText(other.id, other.peer)); };
    if (std::any_of(parties.begin(), parties.end(), is_of)) return false;
    return std::any_of(other.devices.begin(), other.devices.end(),
                       [&](const RegisteredDevice& device) { return Takes(other, device); });
  });
}

bool DeviceBinding::Watch() {
  const bool served = ServedBesides({}) || AdoptToolchain();
  if (served == served_) return false;
  served_ = served;
  job_.set_message(served ? "" : absl::StrCat("no worker with ", job_.target()->device.name, " is connected", Held()));
  return true;
}

std::string DeviceBinding::Held() const {
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

// Whether a worker of the job's class serves that has asked for work and has lost no lease of the job. Where none with
// the job's toolchain does, the job goes on with another toolchain.
bool DeviceBinding::ServedInEarnest() {
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
  if (heard_ || !required_.empty()) return false;
  if (ServedInEarnest()) {
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

}  // namespace mmtune
