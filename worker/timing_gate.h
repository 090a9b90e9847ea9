// Keeps other work off a device while a kernel is timed, in this process and in others on the host.
#pragma once

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"

namespace mmtune {

/// A lock with many who share (checks of candidates; compilations, where they would disturb the device) or one timing.
/// A waiting timing goes before those that come to share. Between processes it is flock(2) on one file per device, so
/// that two workers on one host do not time against each other; and on a second one, the turnstile, which everyone
/// passes on the way in and where a timing that waits holds up those that come after it. Thread-safe.
class TimingGate {
 public:
  /// `lock_path` "" keeps it within the process. Where the file cannot be opened, a warning is logged once and the gate
  /// works within the process.
  explicit TimingGate(std::string lock_path);

  /// Held while inside; move-only.
  class Pass {
   public:
    Pass() = default;
    Pass(Pass&& other) noexcept;
    Pass& operator=(Pass&& other) noexcept;
    ~Pass();
    /// The wait was given up: others may be inside.
    bool given_up() const;

   private:
    friend class TimingGate;
    Pass(TimingGate* gate, bool exclusive, int fd) : gate_(gate), exclusive_(exclusive), fd_(fd) {}
    TimingGate* gate_ = nullptr;
    bool exclusive_ = false;
    int fd_ = -1;
  };

  /// Wait until allowed in, however long another process takes; a wait of minutes is logged. Or until `give_up`, asked
  /// now and then, says so.
  Pass EnterShared(absl::FunctionRef<bool()> give_up = Never);
  Pass EnterTiming(absl::FunctionRef<bool()> give_up = Never);

 private:
  static bool Never() { return false; }
  bool SharedMayEnter() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !timing_ && timings_waiting_ == 0; }
  bool TimingMayEnter() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !timing_ && sharing_ == 0; }
  /// False when given up.
  bool AwaitUnless(absl::FunctionRef<bool()> give_up, bool (TimingGate::*may_enter)() const)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// The locked file, or negative.
  int EnterFile(int operation, absl::FunctionRef<bool()> give_up);

  std::string lock_path_;
  absl::Mutex mutex_;
  int sharing_ ABSL_GUARDED_BY(mutex_) = 0;
  int timings_waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  bool timing_ ABSL_GUARDED_BY(mutex_) = false;
};

/// The lock file of a device, the same for every worker of the host: in /tmp, named by the digest of the UUID.
std::string DeviceLockPath(const std::string& device_uuid);

/// The second file of a gate with `lock_path`.
std::string TurnstilePath(const std::string& lock_path);

}  // namespace mmtune
