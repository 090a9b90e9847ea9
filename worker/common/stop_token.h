// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks an evaluation to end early.
#pragma once

#include <atomic>

namespace mmtune {

/// Thread-safe. Levels only rise.
class StopToken {
 public:
  enum class Level {
    kRun,
    kUnlessMeasuring,  ///< Give up unless it is already on the device.
    kNow,              ///< Give up; its child is killed.
  };

  void Raise(Level level) {
    Level current = level_.load();
    while (current < level && !level_.compare_exchange_weak(current, level)) {
    }
  }
  bool now() const { return level_.load() >= Level::kNow; }
  bool unless_measuring() const { return level_.load() >= Level::kUnlessMeasuring; }

 private:
  std::atomic<Level> level_{Level::kRun};
};

}  // namespace mmtune
