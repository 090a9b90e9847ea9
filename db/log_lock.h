// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes sure that a tuning log has one writer: a flock(2) on the file `<log>.lock`, whose content says which process
// holds it and how to reach it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// The content of a lock file: the process that wrote it.
struct LockOwner {
  int64_t pid = 0;
  std::string host;
  std::string endpoint;  ///< The address at which it serves the log, such as "unix:/run/x.sock"; empty if it does not.
  bool opening = false;  ///< True while it checks the log and does not serve it yet.
};

/// Reads the content of a lock file, which may be cut short or somebody else's; nullopt unless it is a JSON object.
std::optional<LockOwner> ParseLockOwner(std::string_view content);

/// Returns the name of this host.
std::string HostName();

/// True for an error of LogLock::Acquire() which says that the owner is still opening the log, so waiting makes sense.
bool IsBeingOpened(const absl::Status& status);

/// The lock, held until the object is destroyed or the process ends. The lock file is then emptied, and removed only by
/// Remove(). Acquire() checks that the file that it locked still has its name, so that two processes cannot each lock a
/// different file of the same name. Move-only.
class LogLock {
 public:
  /// Takes the lock. Returns Unavailable if another process, or another LogLock of this one, holds it. The message
  /// names the owner, and `*owner_endpoint` (may be null) gets its endpoint. `endpoint` is the address of this process,
  /// written into the lock file (LockOwner::endpoint). Returns PermissionDenied if the lock file cannot be written.
  /// Returns FailedPrecondition, without a change, if the file of that name is a link, not a regular file, or not
  /// written by this program.
  static absl::StatusOr<LogLock> Acquire(const std::string& log_path, const std::string& endpoint,
                                         std::string* owner_endpoint);
  /// Writes into the lock file that the log is open now. Acquire() has written that the log is being opened.
  absl::Status MarkOpened(const std::string& log_path, const std::string& endpoint) const;
  /// Removes the lock file. Called when the log itself is removed.
  void Remove(const std::string& log_path) const;
  LogLock(LogLock&& other) noexcept;
  LogLock& operator=(LogLock&& other) = delete;
  ~LogLock();

 private:
  explicit LogLock(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace mmtune
