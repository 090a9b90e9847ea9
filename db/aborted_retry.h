// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repeats transactions that a database aborted because of a deadlock or a concurrent write.
#pragma once

#include "absl/status/status.h"

namespace mmtune {

/// Counts the attempts of one transaction. Not thread-safe.
class AbortedRetry {
 public:
  /// True, after a pause, if the transaction is to be run again: `status` is Aborted (SQLSTATE 40001 or 40P01), and it
  /// was tried fewer than six times. The pause is random, so that two that abort each other do not meet again.
  bool RetryAfter(const absl::Status& status);

 private:
  int attempts_ = 0;
};

}  // namespace mmtune
