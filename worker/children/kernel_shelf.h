// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that were compiled before anybody asked for their times.
#pragma once

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "proto/types/measurement.h"
#include "worker/children/child.pb.h"

namespace mmtune {

/// What came of a compilation: the kernel, the attempts before it that failed, and what a model of its code says.
struct Compilation {
  worker::CompiledKernel kernel;
  std::vector<FailedAttempt> failed_attempts;
  double predicted_peak_fraction = 0;  ///< CodeFacts::predicted_peak_fraction.
};

/// Holds compilations until they are taken; the oldest are dropped first. Thread-safe.
class KernelShelf {
 public:
  KernelShelf(size_t most_kernels, size_t most_bytes) : most_kernels_(most_kernels), most_bytes_(most_bytes) {}

  /// In place of an earlier one with that key. One that is larger than the shelf is not kept.
  void Put(std::string key, Compilation compilation);
  /// It is no longer on the shelf.
  std::optional<Compilation> Take(const std::string& key);

 private:
  struct Entry {
    std::string key;
    Compilation compilation;
    size_t bytes;
  };
  std::optional<Compilation> TakeLocked(const std::string& key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const size_t most_kernels_;
  const size_t most_bytes_;
  absl::Mutex mutex_;
  std::list<Entry> entries_ ABSL_GUARDED_BY(mutex_);  // the oldest first; so few that each is looked at
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

/// Of everything that a compilation depends on: problem, schedule, whether it is assembled, and the device, but for
/// which of several equal ones it is.
std::string ShelfKey(worker::CompileRequest request);

}  // namespace mmtune
