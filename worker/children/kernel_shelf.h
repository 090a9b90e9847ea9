// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// The result of compiling a candidate: the kernel, the failed attempts before it, and the throughput predicted from
/// its code.
struct Compilation {
  worker::CompiledKernel kernel;
  std::vector<FailedAttempt> failed_attempts;
  double predicted_peak_fraction = 0;  ///< CodeFacts::predicted_peak_fraction.
};

/// A cache of compiled kernels that have not been measured yet. Each is taken out once; the oldest are dropped first.
/// Thread-safe.
class KernelShelf {
 public:
  /// Limits the number of kernels and their total size.
  KernelShelf(size_t most_kernels, size_t most_bytes) : most_kernels_(most_kernels), most_bytes_(most_bytes) {}

  /// Stores a compilation, replacing one with the same key. Drops one that is larger than the whole cache.
  void Put(std::string key, Compilation compilation);
  /// Removes and returns a compilation; nullopt if there is none.
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
  std::list<Entry> entries_ ABSL_GUARDED_BY(mutex_);  // the oldest first; few enough for a linear search
  size_t bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

/// Returns a key of everything that a compilation depends on: problem, schedule, whether ptxas runs, and the device.
/// Equal devices have equal keys.
std::string ShelfKey(worker::CompileRequest request);

}  // namespace mmtune
