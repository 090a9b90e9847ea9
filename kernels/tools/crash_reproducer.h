// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that repeats what failed: the module as it was, with the passes that were to run on it.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace mmtune {

struct ExpectedCrash;

/// Writes what the CrashReproducer expects, if there is one; once. Safe in a signal handler.
void WriteExpectedReproducer();

/// Writes the file when asked to, and by WriteExpectedReproducer(). Then a line on standard error names it. Nothing is
/// written otherwise. One at a time, as a crash is the process's; not thread-safe.
class CrashReproducer {
 public:
  /// InvalidArgument when `path` is not where an output may go; `force` replaces what is there.
  static absl::StatusOr<std::unique_ptr<CrashReproducer>> At(const std::string& path, bool force);
  ~CrashReproducer();
  CrashReproducer(const CrashReproducer&) = delete;
  CrashReproducer& operator=(const CrashReproducer&) = delete;

  /// What to write from now on; empty: nothing.
  void Expect(std::string reproducer);
  /// Writes that now. InvalidArgument says why it cannot be written.
  absl::Status Write();

 private:
  explicit CrashReproducer(std::unique_ptr<ExpectedCrash> expected);

  std::unique_ptr<ExpectedCrash> expected_;
};

}  // namespace mmtune
