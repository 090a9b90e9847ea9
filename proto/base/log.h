// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One event, one line: `level event key=value …` on standard error.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"

namespace mmtune {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

/// Lines below `level` are dropped. The default is kWarning: a daemon's main file raises it to kInfo.
void SetLogLevel(LogLevel level);

struct LogField {
  template <typename T>
  LogField(std::string_view k, const T& v) : key(k), value(absl::StrCat(v)) {}
  LogField(std::string_view k, std::string_view v) : key(k), value(v) {}
  std::string_view key;
  std::string value;
};

/// Writes one line with one write(2), so lines of several threads and processes do not mix. Thread-safe.
void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});

inline void LogInfo(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kInfo, event, fields);
}
inline void LogWarning(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kWarning, event, fields);
}
inline void LogError(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kError, event, fields);
}

}  // namespace mmtune
