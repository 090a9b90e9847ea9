// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cache of kernels that compile tasks have compiled and no lease has measured yet.
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

/// The result of a compilation: the kernel, the failed attempts before it, and the model of its code.
struct Compilation {
  worker::CompiledKernel kernel;
  std::vector<FailedAttempt> failed_attempts;
  double predicted_peak_fraction = 0;  ///< CodeFacts::predicted_peak_fraction.
};

/// Holds compilations until they are taken; the oldest are dropped first. Thread-safe.
class KernelShelf {
 public:
  KernelShelf(size_t most_kernels, size_t most_bytes) : most_kernels_(most_kernels), most_bytes_(most_bytes) {}

  /// Stores a compilation in place of an earlier one with the same key. Drops one that is larger than the shelf.
  void Put(std::string key, Compilation compilation);
  /// Removes and returns a compilation, or nullopt.
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

/// Returns a key of everything that a compilation depends on: problem, schedule, assembling or not, and the device,
/// equal for equal devices.
std::string ShelfKey(worker::CompileRequest request);

}  // namespace mmtune
