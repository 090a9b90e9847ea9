// A job and the devices that serve it, or do not any more.
#include "absl/strings/str_cat.h"
#include "proto/base/log.h"
#include "proto/base/status.h"
#include "server/device_choice.h"
#include "server/job_runner.h"
#include "server/storage_status.h"

namespace mmtune {

void JobRunner::CheckServed(Entry& entry) {
  bool served = OthersServe(entry.job->id(), /*worker=*/"");
  if (!served) served = AdoptToolchain(entry);
  if (served == entry.served) return;
  entry.served = served;
  entry.job->set_message(served ? ""
                                : absl::StrCat("no worker with ", entry.job->target()->device.name, " is connected"));
  HoldEvent(entry, entry.job->ToEvent());
}

bool JobRunner::AdoptToolchain(Entry& entry) {
  TuningJob& job = *entry.job;
  for (const RegisteredWorker* worker : deps_.workers.Serving()) {
    for (const RegisteredDevice& device : worker->devices) {
      if (!DeviceServes(device, job.spec(), *job.target())) continue;
      job.set_toolchain(device.toolchain);
      return true;
    }
  }
  return false;
}

bool JobRunner::ServedInEarnest(Entry& entry) {
  TuningJob& job = *entry.job;
  const Toolchain* another = nullptr;
  for (const RegisteredWorker* worker : deps_.workers.Serving()) {
    if (!worker->has_worked || entry.lost_by.contains(worker->id)) continue;
    for (const RegisteredDevice& device : worker->devices) {
      if (!DeviceServes(device, job.spec(), *job.target())) continue;
      if (device.toolchain == job.target()->toolchain) return true;
      another = &device.toolchain;
    }
  }
  if (another != nullptr) job.set_toolchain(*another);
  return another != nullptr;
}

absl::Status JobRunner::LeaveSilentClass(Entry& entry) {
  if (entry.heard || !entry.required_class.empty()) return absl::OkStatus();
  TuningJob& job = *entry.job;
  if (ServedInEarnest(entry)) {
    entry.served_at = deps_.clock.Now();
    entry.lost_lease = false;
    return absl::OkStatus();
  }
  // A worker that starts again has the time of a lease for it; whoever lost one has had it.
  if (!entry.lost_lease && deps_.clock.Now() - entry.served_at < deps_.workers.silence()) return absl::OkStatus();
  const JobTarget silent = *job.target();
  if (!ChooseDevice(job.spec(), {"", silent.class_key}, deps_.workers).target) return absl::OkStatus();
  LogWarning("job leaves its device", {{"job", job.uuid()}, {"device", silent.device.name}});
  for (const LiveLease& lease : deps_.leases.DropJob(job.id())) {
    RETURN_IF_ERROR(
        FromStorage(deps_.log.EndAttempt(lease.token, AttemptState::kReleased, "its job left the class of devices")));
  }
  job.StartOver();
  entry.left_class = silent.class_key;
  entry.resumed = true;  // its candidates are in the log
  entry.served = true;
  entry.lost_lease = false;
  entry.lost_by.clear();
  entry.pump_again = false;
  RETURN_IF_ERROR(ChangeState(entry, JobState::kWaiting,
                              absl::StrCat("nothing came from ", silent.device.name, ": goes on with another device")));
  return TryBind(entry);
}

void JobRunner::OnWorkerSilent(const LiveLease& lease) {
  Entry* entry = FindEntry(lease.job_id);
  if (entry == nullptr) return;
  entry->lost_lease = true;
  entry->lost_by.insert(lease.worker);
}

}  // namespace mmtune
