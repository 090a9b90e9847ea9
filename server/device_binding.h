// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A job and the class of devices that serves it: chosen, watched, and left when nothing ever comes from it.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "proto/base/clock.h"
#include "server/device_choice.h"
#include "server/tuning_job.h"
#include "server/worker_registry.h"

namespace mmtune {

/// Not thread-safe.
class DeviceBinding {
 public:
  /// All are used, not owned, and must outlive it.
  DeviceBinding(TuningJob& job, const WorkerRegistry& workers, const Clock& clock)
      : job_(job), workers_(workers), clock_(clock) {}

  /// From now on only devices of this class will do: the job has records of it.
  void Require(std::string class_key) { required_ = std::move(class_key); }
  /// Empty: any will do.
  const std::string& required() const { return required_; }

  /// A device for a job that has none. A class that was left is taken again only when there is no other.
  DeviceChoice Choose() const;
  /// The job starts on the device chosen.
  void Start() { served_at_ = clock_.Now(); }
  /// A device of its class, or the log, has given it a result.
  void Hear() { heard_ = true; }
  /// A lease of the job was lost with its worker.
  void Lose(std::string_view worker);

  /// The device may measure for the job: class and toolchain agree.
  bool Takes(const RegisteredDevice& device) const;
  /// A serving worker other than `worker` could measure for the job.
  bool ServedBesides(std::string_view worker) const;
  /// Whether a worker serves the job; where the last with its toolchain is gone, it goes on with another's on the same
  /// class of devices. True when that has changed: the job's message says how.
  bool Watch();
  /// Nothing ever came from the job's class of devices, no worker but such as lost its leases has served it for the
  /// time of a lease, and there is another class to start over on.
  bool ShouldLeave();
  /// The job starts over: forgets its device, and avoids the class.
  void Leave();

 private:
  bool AdoptToolchain();
  bool ServedInEarnest();

  TuningJob& job_;
  const WorkerRegistry& workers_;
  const Clock& clock_;
  std::string required_;
  bool served_ = true;  ///< As last told to the watchers.
  // Of its class; looked at while nothing was heard.
  bool heard_ = false;
  TimePoint served_at_;            ///< When last a worker that has lost no lease of it served it.
  bool lost_lease_ = false;        ///< Since then.
  std::set<std::string> lost_by_;  ///< Workers.
  std::string left_;               ///< Nothing came from this class.
};

}  // namespace mmtune
