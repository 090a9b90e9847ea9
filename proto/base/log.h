// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One event, one line on standard error: as text, `time level event key=value …`, or as a JSON object.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"

namespace mmtune {

enum class LogLevel { kDebug, kInfo, kWarning, kError };

/// Lines below `level` are dropped. The default is kWarning: a daemon's main file raises it to kInfo.
void SetLogLevel(LogLevel level);

enum class LogFormat {
  kText,
  /// {"time": RFC 3339 in UTC, "level", "message": the event, "component", "worker", and the fields}; a field "message"
  /// is called "detail".
  kJson
};

/// The style of the lines of this process; text lines show neither component nor worker.
struct LogStyle {
  LogFormat format = LogFormat::kText;
  std::string component;  ///< "server", "worker", "worker/compile".
  std::string worker;     ///< Its id, once it is known.
};
void SetLogStyle(LogStyle style);
LogStyle GetLogStyle();

/// Also writes lines from `level` on to this descriptor, in the style of the process: a child's, to the standard error
/// of its daemon. The child's own standard error then gets text.
void ForwardLog(int descriptor, LogLevel level);
LogLevel GetLogLevel();

struct LogField {
  template <typename T>
  LogField(std::string_view k, const T& v) : key(k), value(absl::StrCat(v)), number(std::is_arithmetic_v<T>) {}
  LogField(std::string_view k, std::string_view v) : key(k), value(v) {}
  std::string_view key;
  std::string value;
  bool number = false;
};

/// The piece of work that a line is about; empty fields are left out.
struct LogSubject {
  std::string lease, job, trace;
  int64_t candidate = 0;
};

/// Writes one line with one write(2), so lines of several threads and processes do not mix. Thread-safe.
void Log(LogLevel level, std::string_view event, const LogSubject& subject, std::initializer_list<LogField> fields);
void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});
/// Sets the subject of lines that name none. For a child, which does one thing at a time.
void SetLogSubject(LogSubject subject);

inline void LogInfo(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kInfo, event, fields);
}
inline void LogWarning(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kWarning, event, fields);
}
inline void LogError(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kError, event, fields);
}

/// Says why a program ends: writes the line "<program>: <why>" on standard error, or an error event where lines are
/// JSON.
void Complain(std::string_view program, std::string_view why);

}  // namespace mmtune
