// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words that a thread polls.
#pragma once

#include <array>
#include <cstdint>

namespace mmtune::simt {

/// A thread polls when it does nothing but read the same few words atomically, and finds them unchanged.
class PolledWords {
 public:
  /// Whether a thread that is about to read the word there does so in a loop that is not short.
  bool IsPolling(const void* address) const { return polls_ >= kFreePolls && Find(address) != nullptr; }
  /// The thread has read `value`. False when it was there the last time: the thread polls.
  bool Learn(const void* address, uint64_t value);
  /// The thread has done something else than poll.
  void Restart() { polls_ = 0; }

 private:
  /// So many polls are short.
  static constexpr uint32_t kFreePolls = 16;

  struct Word {
    const void* address = nullptr;
    uint64_t value = 0;
  };
  const Word* Find(const void* address) const;

  std::array<Word, 4> words_;
  uint32_t next_ = 0;  ///< To be replaced.
  uint32_t polls_ = 0;
};

}  // namespace mmtune::simt
