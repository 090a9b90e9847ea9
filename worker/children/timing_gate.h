// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps other work off a device while a kernel is timed, in this process and in others on the host, by lock files that
// other users can neither lock nor replace.
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

/// Opens or creates a file for flock(2), without waiting, and returns its descriptor, which the caller closes. Only
/// user and group have access, so that others cannot lock it. Returns FailedPrecondition, with the reason, for a link,
/// anything but a regular file, or a file of another user that belongs to none of this user's groups.
absl::StatusOr<int> OpenLockFile(const std::string& path);

/// Returns who holds a lock on the open file: "process 123 (mmtune-worker)", "process 123 (tune) and 2 more"; "another
/// process" if the system does not say.
std::string LockHolder(int fd);

/// Returns the folders for lock files, best first: /run/lock, which is the same for every user, then $XDG_RUNTIME_DIR.
/// Only folders of root or this user are returned in which nobody else can rename or remove files.
std::vector<std::string> LockFolders();
/// True if a folder is safe for lock files.
bool IsLockFolder(const std::string& folder);

/// A reader-writer lock on a device: many may share it (checks, and compilations that would disturb the device), or one
/// timing holds it. A waiting timing goes before later sharers. Across processes it is flock(2) on one file for each
/// device, and on a second one, the turnstile, which everyone passes on entering and which a waiting timing holds.
/// Thread-safe.
class TimingGate {
 public:
  /// An empty `lock_path` keeps the gate within the process; so does a file that cannot be opened, after one warning.
  /// Nobody waits longer than `longest_wait` for another process.
  explicit TimingGate(std::string lock_path, Duration longest_wait = Duration::max());

  Duration longest_wait() const { return longest_wait_; }

  /// Held while inside the gate; move-only.
  class Pass {
   public:
    /// True if the wait was given up: others may be inside.
    bool given_up() const { return given_up_; }
    /// Returns who held the gate for longer than longest_wait; empty if the wait ended otherwise.
    const std::string& held_by() const { return held_by_; }

   private:
    friend class TimingGate;
    /// Leaves the gate on destruction.
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

  // Both wait to enter, or until `give_up`, which is called now and then, returns true. A warning names the other
  // process after 2 s and then every minute.
  Pass EnterShared(absl::FunctionRef<bool()> give_up = Never);
  Pass EnterTiming(absl::FunctionRef<bool()> give_up = Never);

 private:
  static bool Never() { return false; }
  bool SharedMayEnter() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !timing_ && timings_waiting_ == 0; }
  bool TimingMayEnter() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !timing_ && sharing_ == 0; }
  /// Returns false if given up.
  bool AwaitUnless(absl::FunctionRef<bool()> give_up, bool (TimingGate::*may_enter)() const)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// Locks the files, once inside the gate of this process.
  Pass EnterFiles(bool exclusive, absl::FunctionRef<bool()> give_up);
  /// Returns the locked file; negative if there is none, or the wait was given up.
  int LockFile(const std::string& path, int operation, absl::FunctionRef<bool()> give_up, Pass& pass);

  std::string lock_path_;
  const Duration longest_wait_;
  std::atomic<bool> told_no_lock_ = false;
  absl::Mutex mutex_;
  int sharing_ ABSL_GUARDED_BY(mutex_) = 0;
  int timings_waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  bool timing_ ABSL_GUARDED_BY(mutex_) = false;
};

/// Returns the lock file of a device, the same for every worker of the host: in the first of `folders` where it can be
/// used, named by the digest of the UUID. Returns "" after a warning if there is none.
std::string DeviceLockPath(const std::string& device_uuid, const std::vector<std::string>& folders = LockFolders());

/// Returns the turnstile of the gate with `lock_path`.
std::string TurnstilePath(const std::string& lock_path);

/// Returns Unavailable, naming the process that held a device for too long.
absl::Status DeviceBusy(const std::string& held_by, Duration waited);
bool IsDeviceBusy(const absl::Status& status);

}  // namespace mmtune
