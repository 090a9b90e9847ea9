// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The class of devices that serves a job: chosen, observed, and left when nothing ever comes from it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "proto/base/clock.h"
#include "server/coordinator/device_choice.h"
#include "server/coordinator/tuning_job.h"
#include "server/coordinator/worker_registry.h"

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

  /// Whether the worker's device may measure for the job: labels, class and toolchain agree.
  bool Takes(const RegisteredWorker& worker, const RegisteredDevice& device) const;
  /// How many devices of serving workers may measure for the job, at least 1. It has a target.
  int Lanes() const;
  /// How many candidates compile at once for each of these devices.
  int CompileLanes() const;
  /// A serving worker that is neither `worker` nor of one of `parties` could measure for the job.
  bool ServedBesides(const std::vector<std::string>& parties, std::string_view worker = "") const;
  /// Looks whether a worker serves the job. When the last one with its toolchain is gone, the job goes on with another
  /// toolchain on the same class of devices. True when being served has changed: the job's message says how.
  bool Watch();
  /// Whether the job should start over on another class of devices: there is one, nothing ever came from its own class,
  /// and for the registry's silence no worker has served it but those that lost its leases.
  bool ShouldLeave();
  /// The job starts over: forgets its device, and avoids the class.
  void Leave();

 private:
  /// How many of the worker's devices may measure for the job.
  int DevicesOf(const RegisteredWorker& worker) const;
  bool AdoptToolchain();
  /// Of a worker that would serve the job and is held: which, and how.
  std::string Held() const;
  bool ServedInEarnest();

  TuningJob& job_;
  const WorkerRegistry& workers_;
  const Clock& clock_;
  std::string required_;
  bool served_ = true;  ///< As last told to the watchers.
  // About its class; used until something was heard from it.
  bool heard_ = false;
  TimePoint served_at_;            ///< When it was last served by a worker that has lost none of its leases.
  bool lost_lease_ = false;        ///< Since then.
  std::set<std::string> lost_by_;  ///< Workers.
  std::string left_;               ///< The class from which nothing came; empty: none.
};

}  // namespace mmtune
