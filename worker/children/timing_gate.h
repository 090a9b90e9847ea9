// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps other work off a device while a kernel is timed on it, so that nothing disturbs the timing. TimingGate is a
// reader-writer lock on the device. It works between the threads of this process and, by lock files, between all
// workers of the host. Other users can neither lock nor replace these files.
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

/// Opens or creates a file for flock(2) and returns its descriptor, which the caller must close. Only user and group
/// get access, so that others cannot lock it. Returns FailedPrecondition with the reason for a link, anything but a
/// regular file, or a file of another user whose group this user is not in.
absl::StatusOr<int> OpenLockFile(const std::string& path);

/// Returns who holds a lock on the open file, for messages: "process 123 (mmtune-worker)", "process 123 (tune) and 2
/// more", or "another process" if the system does not tell.
std::string LockHolder(int fd);

/// Returns the folders for lock files, best first: /run/lock, which all users share, then $XDG_RUNTIME_DIR. Only
/// folders of root or of this user are returned in which nobody else can rename or remove files.
std::vector<std::string> LockFolders();
/// True if LockFolders() may return this folder: it belongs to root or this user, and nobody else can rename or remove
/// files in it.
bool IsLockFolder(const std::string& folder);

/// The lock of a device. Any number of users may share it (checks, and compilations that would disturb the device), or
/// one timing may hold it alone. A timing that waits enters before shared users that come later.
///
/// Across processes it uses flock(2) on two files for each device: the lock itself, and a turnstile that everyone
/// passes on entering and that a waiting timing holds. Thread-safe.
class TimingGate {
 public:
  /// Makes a gate. If `lock_path` is empty, or the file cannot be opened (which gives one warning), the gate works
  /// within this process only. No thread waits longer than `longest_wait` for another process.
  explicit TimingGate(std::string lock_path, Duration longest_wait = Duration::max());

  Duration longest_wait() const { return longest_wait_; }

  /// The right to be inside the gate; leaves it when destroyed. Move-only.
  class Pass {
   public:
    /// True if the wait was given up, so that others may be inside.
    bool given_up() const { return given_up_; }
    /// Returns the process that held the gate for longer than longest_wait; empty if the wait ended otherwise.
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

  /// Waits to enter beside other shared work, or until `give_up`, which is called repeatedly, returns true. While
  /// another process holds the gate, a warning names it after 2 s and then every minute.
  Pass EnterShared(absl::FunctionRef<bool()> give_up = Never);
  /// Waits as EnterShared() does, and enters alone.
  Pass EnterTiming(absl::FunctionRef<bool()> give_up = Never);

 private:
  static bool Never() { return false; }
  bool SharedMayEnter() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !timing_ && timings_waiting_ == 0; }
  bool TimingMayEnter() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !timing_ && sharing_ == 0; }
  /// Waits until `may_enter`. Returns false if the wait was given up.
  bool AwaitUnless(absl::FunctionRef<bool()> give_up, bool (TimingGate::*may_enter)() const)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  /// Locks the files, after entering the gate of this process.
  Pass EnterFiles(bool exclusive, absl::FunctionRef<bool()> give_up);
  /// Returns who holds the device, as text of LockHolder(). Does not look at the turnstile, because its holder may only
  /// wait for the device.
  std::string DeviceHolder() const;
  /// Returns the descriptor of the locked file; negative if there is none, or the wait was given up.
  int LockFile(const std::string& path, int operation, absl::FunctionRef<bool()> give_up, Pass& pass);

  std::string lock_path_;
  const Duration longest_wait_;
  std::atomic<bool> told_no_lock_ = false;
  absl::Mutex mutex_;
  int sharing_ ABSL_GUARDED_BY(mutex_) = 0;
  int timings_waiting_ ABSL_GUARDED_BY(mutex_) = 0;
  bool timing_ ABSL_GUARDED_BY(mutex_) = false;
};

/// Returns the lock file of a device, which is the same for all workers of the host. It is in the first usable one of
/// `folders`, and its name is a digest of the UUID. Returns "" after a warning if no folder can be used.
std::string DeviceLockPath(const std::string& device_uuid, const std::vector<std::string>& folders = LockFolders());

/// Returns the path of the turnstile that belongs to `lock_path`.
std::string TurnstilePath(const std::string& lock_path);

/// Returns an Unavailable error which says that a process held a device for too long.
absl::Status DeviceBusy(const std::string& held_by, Duration waited);
/// True for an error of DeviceBusy().
bool IsDeviceBusy(const absl::Status& status);

}  // namespace mmtune
