// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The workers that have registered, their devices, and which of them are alive. In memory only: a worker that the
// coordinator does not know registers again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "mmtune/v1/tuning.pb.h"
#include "proto/base/clock.h"
#include "proto/types/device_info.h"
#include "proto/types/measurement.h"
#include "proto/types/scheduling_policy.h"
#include "server/coordinator/result_validator.h"

namespace mmtune {

struct RegisteredDevice {
  DeviceInfo info;
  Toolchain toolchain;
  int index = 0;  ///< Among the worker's devices of this kind.
};

/// Why a registered worker gets no new leases; it keeps those it has.
enum class WorkerHold {
  kNone,
  kCordoned,     ///< By an admin.
  kDrained,      ///< By an admin: it is also told to end. When it comes back, it is cordoned.
  kQuarantined,  ///< By the server: its results are not believed.
};

/// Returns "none", "cordoned", "drained" or "quarantined".
std::string_view WorkerHoldName(WorkerHold hold);
/// The same for the enum on the wire; "unknown" for a hold of a newer server.
inline std::string_view HoldName(v1::WorkerHold hold) {
  switch (hold) {
    case v1::WORKER_HOLD_NONE:
      return "none";
    case v1::WORKER_HOLD_CORDONED:
      return "cordoned";
    case v1::WORKER_HOLD_DRAINED:
      return "drained";
    case v1::WORKER_HOLD_QUARANTINED:
      return "quarantined";
    default:
      return "unknown";
  }
}

/// The states of a worker as tables and metrics name them.
inline constexpr std::string_view kWorkerStates[] = {"ready",    "draining", "silent",
                                                     "cordoned", "drained",  "quarantined"};
/// Returns one of kWorkerStates, or "unknown".
inline std::string_view WorkerStateName(const v1::WorkerStatus& worker) {
  if (worker.hold() != v1::WORKER_HOLD_NONE) return HoldName(worker.hold());
  if (worker.draining()) return "draining";
  return worker.live() ? "ready" : "silent";
}

struct RegisteredWorker {
  std::string id;
  std::string host;
  std::string process_id;  ///< Its present process; empty: not known.
  std::string peer;        ///< The host it registered from; empty: not known.
  std::vector<RegisteredDevice> devices;
  Labels labels;
  int compile_lanes = 0;  ///< The number of candidates that compile there at once; 0: not known.
  TimePoint seen;         ///< When it was last heard from.
  TimePoint worked;       ///< When it last asked for work, held a lease or reported; at first, when it registered.
  bool has_worked = false;
  int64_t order = 0;  ///< The order of first registrations.
  int64_t measured = 0;
  bool draining = false;  ///< The worker says so.
  WorkerHold hold = WorkerHold::kNone;
  std::string hold_reason;
  bool told_to_end = false;  ///< By an admin.
};

/// The faults of a worker, registered or not. Kept when the worker is forgotten, and restored from the
/// log after a restart.
struct WorkerFaults {
  /// The workers that contradicted it since its faults were cleared, by id and trust domain, and when they last did.
  std::map<std::pair<std::string, std::string>, TimePoint> reporters;
  std::optional<std::string> quarantine;  ///< Why it is quarantined.
};

/// Not thread-safe.
class WorkerRegistry {
 public:
  static constexpr size_t kMaxWorkers = 4096;
  static constexpr size_t kMaxPerPeer = 256;

  /// A worker not heard from for `silence` counts as gone. `clock` must outlive the registry.
  WorkerRegistry(const Clock& clock, Duration silence) : clock_(clock), silence_(silence) {}

  Duration silence() const { return silence_; }

  /// Replaces what was known of the worker's devices and labels; a hold stays. If there are too many workers, of this
  /// peer or in all, the one not heard from for longest is forgotten, held ones last.
  void Register(std::string_view id, std::string_view host, std::vector<RegisteredDevice> devices,
                std::string_view peer = "", Labels labels = {}, int compile_lanes = 0,
                std::string_view process_id = "");
  /// Notes that the worker was heard from just now; `works`: it asks for work, holds leases or reports. Returns null
  /// if it is not registered.
  RegisteredWorker* Touch(std::string_view id, bool works = false);
  void SetDraining(RegisteredWorker& worker, bool draining);
  /// Holds a worker, or releases it (kNone). Its faults stay; a cordon or drain does not replace a quarantine. Returns
  /// null if it is not registered.
  const RegisteredWorker* Hold(std::string_view id, WorkerHold hold, std::string reason);
  /// Returns the trust domain of a worker: with certificates, its certificate on the host that it registered from, so
  /// that two ids of one holder on one host are one; otherwise its id. The host of a worker that is not registered is
  /// not known (SameTrustDomain).
  std::string TrustDomainOf(std::string_view id) const;
  /// Notes that `reporter` contradicted the worker at `when`. Returns how many did within kFaultLifetime: the number
  /// of their ids or of their trust domains, whichever is less, as a worker whose address changes counts once.
  size_t MarkFaulty(std::string_view id, const FaultReporter& reporter, TimePoint when);
  /// Quarantines the worker, now or as soon as it registers.
  void Quarantine(std::string_view id, const std::string& reason);
  /// True for a quarantined worker, registered or not.
  bool IsQuarantined(std::string_view id) const;
  /// Forgets the faults and the quarantine of a worker.
  void ClearFaults(std::string_view id);
  const RegisteredWorker* Find(std::string_view id) const;
  /// Returns null if the worker has no such device.
  static const RegisteredDevice* FindDevice(const RegisteredWorker& worker, std::string_view device_uuid);

  /// True if the worker is neither silent nor draining.
  bool IsLive(const RegisteredWorker& worker) const;
  /// True if the worker is live and not held, and works: one that only sends heartbeats measures nothing.
  bool Serves(const RegisteredWorker& worker) const;
  /// Returns all workers, silent ones included, in the order of first registration.
  std::vector<const RegisteredWorker*> All() const;
  /// True if a serving worker satisfies the predicate, which is called in any order until one does.
  bool AnyServes(absl::FunctionRef<bool(const RegisteredWorker&)> matches) const;
  /// Returns the serving workers in the order of first registration.
  std::vector<const RegisteredWorker*> Serving() const;
  /// Grows whenever a worker comes, or serves again: jobs that wait for a device may look again.
  int64_t arrivals() const { return arrivals_; }
  /// Forgets workers silent for a long time (a day if they are held), and silent ones that never worked.
  void Prune();

 private:
  /// With `most` or more workers of `peer` (empty: in all), forgets the one not heard from for longest.
  void MakeRoom(std::string_view peer, size_t most);

  const Clock& clock_;
  const Duration silence_;
  std::map<std::string, RegisteredWorker, std::less<>> workers_;
  std::map<std::string, WorkerFaults, std::less<>> faults_;
  int64_t next_order_ = 1;
  int64_t arrivals_ = 0;
};

}  // namespace mmtune
