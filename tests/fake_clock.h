// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time that a test decides.
#pragma once

#include "proto/base/clock.h"

namespace mmtune {

/// A clock that moves only when told. Not thread-safe.
class FakeClock : public Clock {
 public:
  TimePoint Now() const override { return now_; }
  int64_t UnixMillis() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(now_.time_since_epoch()).count();
  }
  void Advance(Duration by) { now_ += by; }

 private:
  TimePoint now_{};
};

}  // namespace mmtune
