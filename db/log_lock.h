// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One writer per log: an flock on `<log>.lock`, whose content says who holds it.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace mmtune {

/// Who wrote a lock file.
struct LockOwner {
  int64_t pid = 0;
  std::string host;
  std::string endpoint;
  bool opening = false;  ///< It checks or migrates the log, and serves nobody yet.
};

/// Of an error of LogLock::Acquire: the owner opens the log, which a long one takes a while for, and it is worth
/// waiting.
bool IsBeingOpened(const absl::Status& status);

/// Held until destroyed or until the process ends, however it ends. Move-only. The file stays, emptied: removing it
/// would let two processes lock two files of one name.
class LogLock {
 public:
  /// Unavailable: another process, or another log of this one, holds it; the message names the owner and
  /// `*owner_endpoint` (may be null) gets its endpoint. PermissionDenied: the lock file cannot be written.
  /// FailedPrecondition: what has the lock file's name is a link, no regular file, or holds what no lock file does; it
  /// is left as it is.
  static absl::StatusOr<LogLock> Acquire(const std::string& log_path, const std::string& endpoint,
                                         std::string* owner_endpoint);
  /// The log is open: what others are told of the owner from now on. Acquire had said that it is being opened.
  absl::Status TellOpened(const std::string& log_path, const std::string& endpoint);
  LogLock(LogLock&& other) noexcept;
  LogLock& operator=(LogLock&& other) = delete;
  ~LogLock();

 private:
  explicit LogLock(int fd) : fd_(fd) {}

  int fd_;
};

}  // namespace mmtune
