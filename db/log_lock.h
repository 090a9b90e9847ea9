// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One writer per log: a flock on `<log>.lock`, whose content says who holds it.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace mmtune {

/// The process that wrote a lock file.
struct LockOwner {
  int64_t pid = 0;
  std::string host;
  std::string endpoint;  ///< Where it serves the log (such as unix:/run/x.sock); empty if it does not.
  bool opening = false;  ///< It still checks the log, and serves nobody yet.
};

/// Returns true for an error of LogLock::Acquire that says that the owner is still opening the log: it is worth
/// waiting.
bool IsBeingOpened(const absl::Status& status);

/// Held until destroyed or until the process ends, however it ends. Move-only. The file stays, emptied, unless Remove()
/// was called. Whoever locks a file makes sure that it still has the name, so that two processes cannot lock two
/// files of one name.
class LogLock {
 public:
  /// Unavailable: another process, or another LogLock of this one, holds it; the message names the owner and
  /// `*owner_endpoint` (may be null) gets its endpoint. PermissionDenied: the lock file cannot be written.
  /// FailedPrecondition: the file of that name is a link, not a regular file, or not one that this program wrote; it is
  /// left as it is.
  static absl::StatusOr<LogLock> Acquire(const std::string& log_path, const std::string& endpoint,
                                         std::string* owner_endpoint);
  /// Tells others that the log is open. Acquire had told them that it is being opened.
  absl::Status TellOpened(const std::string& log_path, const std::string& endpoint) const;
  /// Removes the lock file, for a log that is removed.
  void Remove(const std::string& log_path) const;
  LogLock(LogLock&& other) noexcept;
  LogLock& operator=(LogLock&& other) = delete;
  ~LogLock();

 private:
  explicit LogLock(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace mmtune
