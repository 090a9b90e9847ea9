// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The workers that have registered, their devices, and which of them are alive. Kept in memory only: a worker registers
// again when the coordinator does not know it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "proto/base/clock.h"
#include "proto/types/device_info.h"
#include "proto/types/scheduling_policy.h"
#include "proto/types/measurement.h"

namespace mmtune {

struct RegisteredDevice {
  DeviceInfo info;
  Toolchain toolchain;
  int index = 0;  ///< Among the worker's devices of this kind.
};

/// Why a registered worker gets no new leases; it keeps those it has.
enum class WorkerHold {
  kNone,
  kCordoned,     ///< An admin's word.
  kDrained,      ///< An admin's word: it is also told to end. When it comes back, it is cordoned.
  kQuarantined,  ///< The server's own: its results are not believed.
};

/// "none", "cordoned", "drained", "quarantined".
std::string_view WorkerHoldName(WorkerHold hold);

struct RegisteredWorker {
  std::string id;
  std::string host;
  std::string process_id;  ///< Of its present process; empty: not known.
  std::string peer;        ///< The host it registered from; empty: not known.
  std::vector<RegisteredDevice> devices;
  Labels labels;
  int compile_lanes = 0;  ///< So many candidates compile there at once; 0: not known.
  TimePoint seen;         ///< Last heard of.
  TimePoint worked;       ///< Last asked for work, held a lease or reported; at first, when it registered.
  bool has_worked = false;
  int64_t order = 0;  ///< Of the first registration.
  int64_t measured = 0;
  bool draining = false;  ///< Says the worker.
  WorkerHold hold = WorkerHold::kNone;
  std::string hold_reason;
  bool told_to_end = false;  ///< By an admin.
};

/// What the server itself thinks of a worker, registered or not: kept when the worker is forgotten, and restored from
/// the log after a restart.
struct WorkerCharges {
  /// Who contradicted it since it was last let go, by id and party, and when they last did.
  std::map<std::pair<std::string, std::string>, TimePoint> accused_by;
  std::optional<std::string> quarantine;  ///< Why.
};

/// Not thread-safe.
class WorkerRegistry {
 public:
  static constexpr size_t kMaxWorkers = 4096;
  static constexpr size_t kMaxPerPeer = 256;

  /// A worker not heard of for `silence` counts as gone. `clock` must outlive the registry.
  WorkerRegistry(const Clock& clock, Duration silence) : clock_(clock), silence_(silence) {}

  Duration silence() const { return silence_; }

  /// Replaces what was known of the worker's devices and labels; a hold stays. Where there are too many workers, of
  /// this peer or in all, the one not heard of for longest is forgotten, those that are held last; it registers again
  /// if it lives.
  void Register(std::string_view id, std::string_view host, std::vector<RegisteredDevice> devices,
                std::string_view peer = "", Labels labels = {}, int compile_lanes = 0,
                std::string_view process_id = "");
  /// The worker has just been heard of; `works`: it asks for work, holds leases or reports. Null when it is unknown.
  RegisteredWorker* Touch(std::string_view id, bool works = false);
  void SetDraining(RegisteredWorker& worker, bool draining);
  /// kNone lets it go; what it is charged with is for Acquit. A cordon or drain takes nothing back from a quarantine.
  /// Null when it is unknown.
  const RegisteredWorker* Hold(std::string_view id, WorkerHold hold, std::string reason);
  /// Of whom the worker's word is: with certificates, of the one that it has on the host that it registered from, so
  /// that two ids of one holder on a host are one witness; without, of its id. Of one that is not registered, the host
  /// is not known (SameParty).
  std::string PartyOf(std::string_view id) const;
  /// `accuser`, whose word is that of `party`, contradicted it at `when`. How many witnesses have of late
  /// (kAccusationLasts): so many as there are ids of them, or parties, whichever are fewer. A worker whose address
  /// changes is one.
  size_t Accuse(std::string_view id, std::string_view accuser, std::string_view party, TimePoint when);
  /// It is quarantined, or will be as soon as it registers.
  void Quarantine(std::string_view id, const std::string& reason);
  /// Registered or not.
  bool IsQuarantined(std::string_view id) const;
  /// Nothing is held against it any more.
  void Acquit(std::string_view id);
  const RegisteredWorker* Find(std::string_view id) const;
  /// Null when the worker has no such device.
  static const RegisteredDevice* FindDevice(const RegisteredWorker& worker, std::string_view device_uuid);

  /// Not silent, not draining.
  bool IsLive(const RegisteredWorker& worker) const;
  /// Live, not held, and it works: a worker that only sends heartbeats measures nothing.
  bool Serves(const RegisteredWorker& worker) const;
  /// In the order of first registration, the silent ones included.
  std::vector<const RegisteredWorker*> All() const;
  /// Whether one that serves is such; asked in any order, until one is.
  bool AnyServes(absl::FunctionRef<bool(const RegisteredWorker&)> is_such) const;
  /// Those that serve, in the order of first registration.
  std::vector<const RegisteredWorker*> Serving() const;
  /// Grows whenever a worker comes, or serves again: jobs that wait for a device may look again.
  int64_t arrivals() const { return arrivals_; }
  /// Forgets workers silent for a long time, a day for those that are held, and silent ones that never worked.
  void Prune();

 private:
  /// With `most` or more workers of `peer` (empty: in all), forgets the one not heard of for longest.
  void MakeRoom(std::string_view peer, size_t most);

  const Clock& clock_;
  const Duration silence_;
  std::map<std::string, RegisteredWorker, std::less<>> workers_;
  std::map<std::string, WorkerCharges, std::less<>> charges_;
  int64_t next_order_ = 1;
  int64_t arrivals_ = 0;
};

}  // namespace mmtune
