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

absl::Status JobRunner::LeaveSilentClass(Entry& entry) {
  if (entry.heard || !entry.required_class.empty() || (entry.served && !entry.lost_lease)) return absl::OkStatus();
  TuningJob& job = *entry.job;
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
  entry.pump_again = false;
  RETURN_IF_ERROR(ChangeState(entry, JobState::kWaiting,
                              absl::StrCat("nothing came from ", silent.device.name, ": goes on with another device")));
  return TryBind(entry);
}

void JobRunner::OnLeaseLost(int64_t job_id) {
  if (Entry* entry = FindEntry(job_id)) entry->lost_lease = true;
}

}  // namespace mmtune
