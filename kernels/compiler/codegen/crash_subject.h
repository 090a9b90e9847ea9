// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the process is at, for whoever reports that it crashed.
#pragma once

#include <atomic>
#include <string>
#include <utility>

namespace mmtune {

/// Names what is done while it lives; the newest counts. One thread at a time compiles.
class CrashSubject {
 public:
  explicit CrashSubject(std::string text) : text_(std::move(text)), before_(current_.exchange(text_.c_str())) {}
  ~CrashSubject() { current_.store(before_); }
  CrashSubject(const CrashSubject&) = delete;
  CrashSubject& operator=(const CrashSubject&) = delete;

  /// Null when there is none. Safe in a signal handler.
  static const char* Current() { return current_.load(); }

 private:
  static inline std::atomic<const char*> current_{nullptr};

  std::string text_;
  const char* before_;
};

}  // namespace mmtune
