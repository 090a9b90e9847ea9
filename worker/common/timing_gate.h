// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps other work off a device while a kernel is timed, in this process and in others on the host.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "proto/base/clock.h"
#include "worker/common/lock_file.h"

namespace mmtune {

/// A lock with many who share (checks of candidates; compilations, where they would disturb the device) or one timing.
/// A waiting timing goes before those that come to share. Between processes it is flock(2) on one file per device, so
/// that two workers on one host do not time against each other; and on a second one, the turnstile, which everyone
/// passes on the way in and where a timing that waits holds up those that come after it. Thread-safe.
class TimingGate {
 public:
  /// `lock_path` "" keeps it within the process. Where the file cannot be opened, now or later, a warning is logged
  /// once and the gate works within the process. Nobody waits longer than `longest_wait` for another process.
  explicit TimingGate(std::string lock_path, Duration longest_wait = Duration::max());

  Duration longest_wait() const { return longest_wait_; }

  /// Held while inside; move-only.
  class Pass {
   public:
    Pass() = default;
    Pass(Pass&& other) noexcept;
    Pass& operator=(Pass&& other) noexcept;
    ~Pass();
    /// The wait was given up: others may be inside.
    bool given_up() const;
    /// Who was inside for longer than the gate waits; empty: given up, if it was, for another reason.
    const std::string& held_by() const { return held_by_; }

   private:
    friend class TimingGate;
    Pass(TimingGate* gate, bool exclusive, int fd) : gate_(gate), exclusive_(exclusive), fd_(fd) {}
    TimingGate* gate_ = nullptr;
    bool exclusive_ = false;
    int fd_ = -1;
    std::string held_by_;
  };

  /// Wait until allowed in; after 2 s for another process, and then every minute, a warning says who that is. Or until
  /// `give_up`, asked now and then, says so.
  Pass EnterShared(absl::FunctionRef<bool()> give_up = Never);
  Pass EnterTiming(absl::FunctionRef<bool()> give_up = Never);

 private:
  static bool Never() { return false; }
  bool SharedMayEnter() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !timing_ && timings_waiting_ == 0; }
  bool TimingMayEnter() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !timing_ && sharing_ == 0; }
  /// False when given up.
  bool AwaitUnless(absl::FunctionRef<bool()> give_up, bool (TimingGate::*may_enter)() const)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// Through the files, after the gate of this process.
  Pass EnterFiles(bool exclusive, absl::FunctionRef<bool()> give_up);
  /// The locked file, or negative.
  int LockFile(const std::string& path, int operation, absl::FunctionRef<bool()> give_up, std::string& held_by);

  std::string lock_path_;
  const Duration longest_wait_;
  std::atomic<bool> told_no_lock_ = false;
  absl::Mutex mutex_;
  int sharing_ ABSL_GUARDED_BY(mutex_) = 0;
  int timings_waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  bool timing_ ABSL_GUARDED_BY(mutex_) = false;
};

/// The lock file of a device, the same for every worker of the host: in the first of `folders` where it can be used,
/// named by the digest of the UUID. Empty, after a warning, where there is none.
std::string DeviceLockPath(const std::string& device_uuid, const std::vector<std::string>& folders = LockFolders());

/// The second file of a gate with `lock_path`.
std::string TurnstilePath(const std::string& lock_path);

/// A device that another process held for too long: Unavailable, saying who.
absl::Status DeviceBusy(const std::string& held_by, Duration waited);
bool IsDeviceBusy(const absl::Status& status);

}  // namespace mmtune
