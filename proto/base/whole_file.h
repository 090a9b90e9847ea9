// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes files as a whole, and an owner of a file descriptor that closes it at the end of its scope.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// Owns a file descriptor and closes it when destroyed.
class Descriptor {
 public:
  /// Takes ownership of `fd`. A negative number, which open() returns on errors, is never closed.
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  /// Returns the descriptor.
  int get() const { return fd_; }

 private:
  const int fd_;
};

/// True if `path` still names the open file `fd` itself: it was not replaced by another file or by a symbolic link. A
/// lock on `fd` protects `path` only then.
inline bool IsNamed(int fd, const std::string& path) {
  struct stat held, named;
  return fstat(fd, &held) == 0 && lstat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

/// The default limit of ReadWholeFile(): 1 GiB.
inline constexpr int64_t kMaxFileBytes = int64_t{1} << 30;

/// Returns the content of a file from byte `from` on. Returns Unavailable, with the path, if the file cannot be read or
/// has more than `most` bytes from there. Only regular files and /dev/null are read: other devices, such as /dev/zero,
/// may never end.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path, int64_t from = 0, int64_t most = kMaxFileBytes);

/// Reads a text file that a person wrote, of at most 64 MiB, and leaves out its byte order mark. Returns the errors of
/// ReadWholeFile().
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

/// Replaces the content of a file, neither atomically nor durably. Meant for the program's own temporary files; use
/// WriteOutput() for files of users. Returns Unavailable with the path if it cannot be written.
absl::Status WriteWholeFile(const std::string& path, std::string_view content);

}  // namespace mmtune
