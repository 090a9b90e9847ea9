// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file descriptor that is closed when its scope ends.
#pragma once

#include <unistd.h>

namespace mmtune {

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
