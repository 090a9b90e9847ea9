// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file descriptor that is closed when its scope ends.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace mmtune {

/// True if `path` leads to the open file itself, not to another one and not by a link.
inline bool IsNamed(int fd, const std::string& path) {
  struct stat held, named;
  return fstat(fd, &held) == 0 && lstat(path.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

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

}  // namespace mmtune
