// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the class of devices that measures for a job, and observes whether workers with such devices serve the job.
// A worker serves if it has called and worked recently, and is neither draining nor held (kept from new leases).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "proto/base/clock.h"
#include "server/coordinator/job.h"
#include "server/coordinator/worker_registry.h"

namespace mmtune {

/// The device that measures for a job, if there is one. Either `target` is set, or `failure` is an error, or the job
/// waits.
struct DeviceChoice {
  std::optional<JobTarget> target;
  /// The message of a job that waits, such as "no worker with a CUDA device is at work: ..."; otherwise empty.
  std::string waits_for;
  bool unmatched =
      false;  ///< True if the job waits because no serving worker has the labels or devices that it selects.
  /// The reason why no registered device can ever measure for the job: its architecture is too old, or its memory is
  /// too small for the operands. OK if there is a target, or the job waits.
  absl::Status failure;
};

/// Restricts the classes of devices among which ChooseDevice chooses. Both are class keys; empty means no restriction.
struct DeviceClassFilter {
  std::string required;  ///< The only allowed class: that of the records that a resumed job has already.
  std::string avoided;   ///< A class that is not allowed.
};

/// Chooses the first suitable device of the workers that serve (WorkerRegistry::Serves). A job that selects no kind of
/// device gets a CUDA device, or the SIMT device if there is none.
DeviceChoice ChooseDevice(const JobSpec& spec, const DeviceClassFilter& rule, const WorkerRegistry& workers);

/// True if a worker's device may measure for a job with this target: it has the labels, kind, architecture and class
/// that the job wants, and enough memory for the operands. The toolchain may differ.
bool DeviceServes(const RegisteredWorker& worker, const RegisteredDevice& device, const JobSpec& spec,
                  const JobTarget& target);

/// Binds a job to a class of devices: chooses the class, observes whether workers with such devices serve the job, and
/// leaves the class if no result ever comes from it. Not thread-safe.
class DeviceBinding {
 public:
  /// The job, the registry and the clock must outlive the binding.
  DeviceBinding(TuningJob& job, const WorkerRegistry& workers, const Clock& clock)
      : job_(job), workers_(workers), clock_(clock) {}

  /// Restricts the job to a class of devices, because it has records of that class.
  void Require(std::string class_key) { required_ = std::move(class_key); }
  /// Returns the class to which the job is restricted; empty if it is not.
  const std::string& required() const { return required_; }

  /// Chooses a device for a job that has none. A class that the job left is chosen again only if there is no other.
  DeviceChoice Choose() const;
  /// Notes that the job starts to measure on the chosen device.
  void Start() { served_at_ = clock_.Now(); }
  /// Notes that the job got a result for its class of devices, by measuring or from the log.
  void NoteResult() { has_result_ = true; }
  /// Notes that a lease of the job expired because its worker was silent.
  void NoteLoss(std::string_view worker);

  // The next four need a job with a target.
  /// True if the worker's device may measure for the job: labels, class and toolchain agree.
  bool Takes(const RegisteredWorker& worker, const RegisteredDevice& device) const;
  /// Returns the number of devices of serving workers that may measure for the job, at least 1.
  int Lanes() const;
  /// Returns how many candidates can be compiled at once for each device that Lanes() counts; 0 if none can.
  int CompileLanes() const;
  /// Updates whether a worker serves the job. If the last worker with its toolchain is gone, the job continues with
  /// another toolchain on the same class of devices. Returns true if the job's message was changed.
  bool Watch();
  /// True if another serving worker could measure for the job: one that is not `worker` (empty: any) and is in none of
  /// these trust domains (result_validator.h). False if the job has no target.
  bool HasOtherWorker(const std::vector<std::string>& trust_domains, std::string_view worker = "") const;
  /// True if the job should start over on another class of devices: it has no result, another class is available, and
  /// its own has no reliable worker (HasReliableWorker()). A class without a reliable worker is left only after the
  /// time WorkerRegistry::silence(), or at once if a worker has lost a lease of the job.
  bool ShouldLeave();
  /// Makes the job start over without a device, and avoid its present class.
  void Leave();

 private:
  /// Returns how many devices of the worker may measure for the job.
  int DevicesOf(const RegisteredWorker& worker) const;
  /// Sets the job's toolchain to that of a serving device of its class. Returns false if there is none.
  bool AdoptToolchain();
  /// Describes a worker that would serve the job if it were not held; empty if there is none.
  std::string HeldWorker() const;
  /// True if there is a serving worker with the job's class of devices that has asked for work and has lost none of the
  /// job's leases. If no such worker has the job's toolchain, the job continues with the toolchain of one of them.
  bool HasReliableWorker();

  TuningJob& job_;
  const WorkerRegistry& workers_;
  const Clock& clock_;
  std::string required_;
  bool served_ = true;  ///< True if a worker served the job at the last Watch().
  // The next four are used until there is a result from the job's class.
  bool has_result_ = false;
  TimePoint served_at_;            ///< The last time at which HasReliableWorker() was true.
  bool lost_lease_ = false;        ///< True if a lease was lost since then.
  std::set<std::string> lost_by_;  ///< The workers that lost them.
  std::string left_;               ///< The class that the job left; empty if there is none.
};

}  // namespace mmtune
