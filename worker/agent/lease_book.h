// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The leases a worker holds.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "proto/base/clock.h"
#include "worker/common/evaluator.h"

namespace mmtune {

/// Thread-safe.
class LeaseBook {
 public:
  /// False when the token is held already, or the book is closed and takes no more.
  bool Add(const std::string& token, size_t device, std::shared_ptr<StopToken> stop);
  /// The lease is done with. False when the server had cancelled it: nothing is to be reported.
  bool Remove(const std::string& token);

  std::vector<std::string> Tokens() const;
  /// Blocks until the device holds fewer than `most`; how many more it may take, or 0 when the book is closed.
  int WaitForRoom(size_t device, int most) const;

  /// The server wants them no more: they are stopped and not reported.
  void Cancel(const std::vector<std::string>& tokens);
  /// Takes no more, and asks those held to end.
  void Close(StopToken::Level level);
  /// False when some are still held after `limit`.
  bool WaitEmpty(Duration limit) const;

 private:
  struct Entry {
    size_t device;
    std::shared_ptr<StopToken> stop;
    bool cancelled = false;
  };
  int CountLocked(size_t device) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable absl::Mutex mutex_;
  std::map<std::string, Entry> entries_ ABSL_GUARDED_BY(mutex_);
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace mmtune
