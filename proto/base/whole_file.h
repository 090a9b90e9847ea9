// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files read and written as a whole, and file descriptors that are closed when their scope ends.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mmtune {

/// Owns a file descriptor.
class Descriptor {
 public:
  /// Takes `fd` over; a negative one, which open() and the like return on errors, is never closed.
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  const int fd_;
};

/// True if `path` names the open file itself, not another one and not a link to it.
inline bool IsNamed(int fd, const std::string& path) {
  struct stat held, named;
  return fstat(fd, &held) == 0 && lstat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

/// The default limit for files that are read as a whole.
inline constexpr int64_t kMostFileBytes = int64_t{1} << 30;

/// Reads a file from byte `from` on. Unavailable, naming the path, when it cannot be read, is neither a regular file
/// nor /dev/null (a device such as /dev/zero has no end), or has more than `most` bytes from there on.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path, int64_t from = 0, int64_t most = kMostFileBytes);

/// Reads a text that people write: like ReadWholeFile, with at most 64 MiB, and without a byte order mark.
absl::StatusOr<std::string> ReadTextFile(const std::string& path);

/// Replaces a file, neither atomically nor durably: for the program's own files. Unavailable names the path.
absl::Status WriteWholeFile(const std::string& path, std::string_view content);

}  // namespace mmtune
