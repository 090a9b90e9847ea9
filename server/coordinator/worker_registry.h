// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The workers that have registered: their devices, whether they are alive, whether they are held (get no new leases,
// which are rights to measure one schedule), and their faults (results that other workers contradicted). Everything is
// in memory; a worker that the coordinator does not know registers again.
//
// The functions at the end of this file check the requests of workers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "mmtune/v1/fleet.pb.h"
#include "mmtune/v1/tuning.pb.h"
#include "mmtune/v1/work_queue.pb.h"
#include "proto/base/clock.h"
#include "proto/types/device_info.h"
#include "proto/types/fields.h"
#include "proto/types/measurement.h"
#include "proto/types/scheduling_policy.h"
#include "server/coordinator/result_validator.h"

namespace mmtune {

/// A device that a worker has registered.
struct RegisteredDevice {
  DeviceInfo info;
  Toolchain toolchain;
  int index = 0;  ///< The device's number among the worker's devices of its kind, from 0.
};

/// A reason why a registered worker gets no new leases. It keeps the leases that it has.
enum class WorkerHold {
  kNone,         ///< The worker is not held.
  kCordoned,     ///< An admin holds it.
  kDrained,      ///< An admin holds it, and it is told to end. When it registers again, it is cordoned.
  kQuarantined,  ///< The server holds it, because its results are not believed.
};

/// Returns "none", "cordoned", "drained" or "quarantined".
std::string_view WorkerHoldName(WorkerHold hold);
/// Returns the same for the enum of the protocol, and "unknown" for a value from a newer server.
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

/// The states of a worker, as tables and metrics show them.
inline constexpr std::string_view kWorkerStates[] = {"ready",    "draining", "silent",
                                                     "cordoned", "drained",  "quarantined"};
/// Returns the state of a worker: one of kWorkerStates, or "unknown" for a hold from a newer server.
inline std::string_view WorkerStateName(const v1::WorkerStatus& worker) {
  if (worker.hold() != v1::WORKER_HOLD_NONE) return HoldName(worker.hold());
  if (worker.draining()) return "draining";
  return worker.live() ? "ready" : "silent";
}

/// A worker that has registered.
struct RegisteredWorker {
  std::string id;
  std::string host;
  std::string process_id;  ///< Identifies the worker's present process; empty if it did not say.
  std::string peer;        ///< The address from which it registered; empty if it is not known.
  std::vector<RegisteredDevice> devices;
  Labels labels;
  int compile_lanes = 0;  ///< The number of candidates that it compiles at once; 0 if it is not known.
  TimePoint seen;         ///< The time of its last call.
  /// The last time at which it asked for work, held a lease or reported. Its first registration counts, too. A later
  /// one counts only if has_worked is true, so that a worker that registers repeatedly, but never works, does not
  /// serve.
  TimePoint worked;
  bool has_worked = false;  ///< True once it has asked for work, held a lease or reported.
  int64_t order = 0;        ///< Grows with each new worker.
  int64_t measured = 0;     ///< The number of candidates that it has measured.
  bool draining = false;    ///< True if the worker itself says that it takes no more work.
  WorkerHold hold = WorkerHold::kNone;
  std::string hold_reason;
  bool told_to_end = false;  ///< True if an admin drains it.
};

/// The faults of a worker, registered or not. They outlast its registration, and are restored from the log after a
/// restart.
struct WorkerFaults {
  /// The workers that contradicted it since its faults were last cleared. Maps the id of each and its trust domain (a
  /// group of workers that do not check one another, result_validator.h) to the time of its last contradiction.
  std::map<std::pair<std::string, std::string>, TimePoint> reporters;
  std::optional<std::string> quarantine;  ///< The reason for its quarantine, if it is quarantined.
};

/// The registered workers. Not thread-safe. Pointers to a worker are valid until the next call of Register or Prune.
class WorkerRegistry {
 public:
  static constexpr size_t kMaxWorkers = 4096;
  static constexpr size_t kMaxPerPeer = 256;

  /// A worker that has made no call for the time `silence` counts as gone. `clock` must outlive the registry.
  WorkerRegistry(const Clock& clock, Duration silence) : clock_(clock), silence_(silence) {}

  Duration silence() const { return silence_; }

  /// Adds a worker, or replaces its devices and labels; if it is held, it stays held. If there are too many workers
  /// from this peer, or too many in all, the worker that has been silent for longest is removed. Workers that are held
  /// are removed only if there are no others.
  void Register(std::string_view id, std::string_view host, std::vector<RegisteredDevice> devices,
                std::string_view peer = "", Labels labels = {}, int compile_lanes = 0,
                std::string_view process_id = "");
  /// Notes a call of the worker, and returns the worker, or null if it is not registered. `works` is true if the worker
  /// asks for work, holds leases or reports.
  RegisteredWorker* Touch(std::string_view id, bool works = false);
  /// Sets whether the worker says that it takes no more work.
  void SetDraining(RegisteredWorker& worker, bool draining);
  /// Holds a worker, or ends its hold (kNone). Its faults do not change. A quarantine can only be ended; cordoning or
  /// draining does not replace it. Returns the worker, or null if the worker is not registered.
  const RegisteredWorker* Hold(std::string_view id, WorkerHold hold, std::string reason);
  /// Returns the trust domain of a worker (TrustDomainName): its certificate with the host from which it registered, or
  /// else its id. The host of a worker that is not registered is not known.
  std::string TrustDomainOf(std::string_view id) const;
  /// Notes that `reporter` contradicted the worker at the time `when`. Returns how many reporters did so within
  /// kFaultLifetime: the number of their ids or of their trust domains, whichever is smaller, so that a reporter whose
  /// address changes counts once.
  size_t MarkFaulty(std::string_view id, const FaultReporter& reporter, TimePoint when);
  /// Quarantines a worker, registered or not.
  void Quarantine(std::string_view id, const std::string& reason);
  /// True if the worker, registered or not, is quarantined.
  bool IsQuarantined(std::string_view id) const;
  /// Removes the faults and the quarantine of a worker.
  void ClearFaults(std::string_view id);
  /// Returns null if the worker is not registered.
  const RegisteredWorker* Find(std::string_view id) const;
  /// Returns null if the worker has no such device.
  static const RegisteredDevice* FindDevice(const RegisteredWorker& worker, std::string_view device_uuid);

  /// True if the worker is neither silent nor draining.
  bool IsLive(const RegisteredWorker& worker) const;
  /// True if the worker is live, not held, and has worked within the time silence(): heartbeats alone do not count.
  bool Serves(const RegisteredWorker& worker) const;
  /// Returns all workers, including silent ones, in the order of their first registrations.
  std::vector<const RegisteredWorker*> All() const;
  /// True if a serving worker satisfies the predicate. The order of calls is not specified.
  bool AnyServes(absl::FunctionRef<bool(const RegisteredWorker&)> matches) const;
  /// Returns the serving workers in the order of their first registrations.
  std::vector<const RegisteredWorker*> Serving() const;
  /// Returns a number that grows whenever a worker registers or serves again, so that jobs can look for devices again.
  int64_t arrivals() const { return arrivals_; }
  /// Removes workers that have been silent for 10 minutes (held ones: a day), and silent ones that never worked.
  void Prune();

 private:
  /// If there are `most` or more workers from `peer` (from anywhere, if `peer` is empty), removes the one that has been
  /// silent for longest.
  void MakeRoom(std::string_view peer, size_t most);

  const Clock& clock_;
  const Duration silence_;
  std::map<std::string, RegisteredWorker, std::less<>> workers_;
  std::map<std::string, WorkerFaults, std::less<>> faults_;
  int64_t next_order_ = 1;
  int64_t arrivals_ = 0;
};

// Checks of requests. They return InvalidArgument with the wrong field and its valid values.

/// Checks an id in a request, which must have 1 to 128 bytes of plain text.
absl::Status CheckName(std::string_view field, std::string_view value);

/// Checks all fields but the devices and the protocol.
absl::Status ValidateRegister(const v1::RegisterRequest& request);
/// Returns FailedPrecondition with both versions if worker and server have different protocols.
absl::Status ValidateProtocol(const v1::RegisterRequest& request, std::string_view server_version);
/// Parses a device that a worker registers, or on which it has measured.
absl::StatusOr<RegisteredDevice> ParseDevice(const v1::DeviceInfo& device, const v1::Toolchain& toolchain);
/// Parses all devices of a registration. Returns an error if two of them are the same.
absl::StatusOr<std::vector<RegisteredDevice>> ParseDevices(const v1::RegisterRequest& request);

/// Parses the hold for which an admin asks; kNone ends a hold.
absl::StatusOr<WorkerHold> ParseHold(const v1::HoldWorkerRequest& request);

absl::Status ValidateLease(const v1::LeaseRequest& request);
/// Returns how long a valid Lease call may wait: as long as it asks for, and at most 20 s.
Duration LeaseWait(const v1::LeaseRequest& request);
absl::Status ValidateHeartbeat(const v1::HeartbeatRequest& request);
absl::Status ValidateFindMeasured(const v1::FindMeasuredRequest& request);
absl::Status ValidateReport(const v1::ReportRequest& request);
absl::Status ValidateReportCompiled(const v1::ReportCompiledRequest& request);

/// Returns a worker's text as plain text, shortened to 1000 bytes, for records and log lines.
std::string LogText(std::string_view text);
/// Replaces every text in a value that a worker sent by its LogText.
template <typename T>
void CleanTexts(T& value) {
  ForEachText(value, [](std::string& text) { text = LogText(text); });
}

}  // namespace mmtune
