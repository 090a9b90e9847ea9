// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps other work off a device while a kernel is timed, in this process and in others on the host: by lock files that
// other users can neither hold nor put something else in place of.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "proto/base/clock.h"

namespace mmtune {

/// A descriptor of the file, made where it is not there, for flock(2); the caller closes it. Never waits.
/// FailedPrecondition, saying what is in the way: a link, something that is no regular file, a file of another user and
/// of none of this user's groups. Others than user and group get no access to it, so that they cannot lock it.
absl::StatusOr<int> OpenLockFile(const std::string& path);

/// Who holds a lock on the open file: "process 123 (mmtune-worker)", "process 123 (tune) and 2 more"; "another process"
/// where the system does not say.
std::string LockHolder(int fd);

/// Where lock files may lie, best first: /run/lock, which is the same for every user, then $XDG_RUNTIME_DIR. Only
/// folders of root or of this user in which nobody else can rename or remove files.
std::vector<std::string> LockFolders();
/// Whether lock files may lie in a folder.
bool IsLockFolder(const std::string& folder);

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

  /// Held by who is inside; move-only.
  class Pass {
   public:
    /// The wait was given up: others may be inside.
    bool given_up() const { return given_up_; }
    /// Who was inside for longer than the gate waits; empty when there was another reason to give up, or none.
    const std::string& held_by() const { return held_by_; }

   private:
    friend class TimingGate;
    /// Gives the place back when it goes.
    struct Place {
      Place(TimingGate* gate, bool exclusive) : gate(gate), exclusive(exclusive) {}
      Place(const Place&) = delete;
      Place& operator=(const Place&) = delete;
      ~Place();

      TimingGate* gate;
      bool exclusive;
      int fd = -1;  // of the locked file; negative: there is none
    };
    std::unique_ptr<Place> place_;
    bool given_up_ = false;
    std::string held_by_;
  };

  /// Wait until allowed in, or until `give_up`, which is asked now and then, says so. After 2 s of waiting for another
  /// process, and then every minute, a warning says which one that is.
  Pass EnterShared(absl::FunctionRef<bool()> give_up = Never);
  Pass EnterTiming(absl::FunctionRef<bool()> give_up = Never);

 private:
  static bool Never() { return false; }
  bool SharedMayEnter() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !timing_ && timings_waiting_ == 0; }
  bool TimingMayEnter() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !timing_ && sharing_ == 0; }
  /// False when given up.
  bool AwaitUnless(absl::FunctionRef<bool()> give_up, bool (TimingGate::*may_enter)() const)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// Takes the locks of the files, once inside the gate of this process.
  Pass EnterFiles(bool exclusive, absl::FunctionRef<bool()> give_up);
  /// The locked file; negative where there is none, or the wait was given up.
  int LockFile(const std::string& path, int operation, absl::FunctionRef<bool()> give_up, Pass& pass);

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
