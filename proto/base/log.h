// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The log of events that every program writes to standard error, one line for each event.
//
//   LogInfo("lease_granted", {{"worker", id}, {"attempt", 2}});
//
// writes `time level lease_granted worker=… attempt=2`, or the same as a JSON object (--log-format json). Events are
// written with one write(2) each, so lines of several threads and processes never mix. (Do not confuse it with the
// tuning log, the database of measurements.)
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"

namespace mmtune {

/// The severity of a line.
enum class LogLevel { kDebug, kInfo, kWarning, kError };

/// Drops lines below `level`. The default is kWarning; the main functions of the server and of the worker raise it to
/// kInfo.
void SetLogLevel(LogLevel level);

/// The form of a line.
enum class LogFormat {
  kText,  ///< `time level event key=value …`
  /// An object with "time" (RFC 3339, UTC), "level", "message" (the event), "component", "worker" and the fields. A
  /// field named "message" becomes "detail".
  kJson
};

/// The format of this process's lines, and who writes them. Text lines show neither component nor worker.
struct LogStyle {
  LogFormat format = LogFormat::kText;
  std::string component;  ///< The program: "server", "worker", "worker/compile".
  std::string worker;     ///< The worker's id, once it is known.
};
/// Sets the style of all later lines. Thread-safe.
void SetLogStyle(LogStyle style);
/// Returns the style. Thread-safe.
LogStyle GetLogStyle();

/// Copies lines of at least `level` to the open file `descriptor` in the style of the process. A worker's child process
/// uses this to write to the standard error of its parent. Lines on the child's own standard error then have the format
/// kText.
void ForwardLog(int descriptor, LogLevel level);
/// Returns the level set by SetLogLevel().
LogLevel GetLogLevel();

/// A key and a value of a line; `value` is any type that absl::StrCat takes. In JSON, numbers are written as numbers.
struct LogField {
  template <typename T>
  LogField(std::string_view k, const T& v) : key(k), value(absl::StrCat(v)), number(std::is_arithmetic_v<T>) {}
  LogField(std::string_view k, std::string_view v) : key(k), value(v) {}
  std::string_view key;
  std::string value;
  bool number = false;  ///< True if JSON has the value as a number.
};

/// The piece of work that a line is about. Fields that are empty or 0 are left out of the line.
struct LogSubject {
  std::string lease, job, trace;  ///< The first kLeaseDigits of the lease's token, the job's uuid, and its trace id.
  int64_t candidate = 0;          ///< The id of the candidate.
};

/// Writes one line. The overload without a subject uses the one set by SetLogSubject(). Thread-safe.
void Log(LogLevel level, std::string_view event, const LogSubject& subject, std::initializer_list<LogField> fields);
void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields = {});
/// Sets the subject of lines that do not name one. Meant for child processes, which work on one candidate at a time.
void SetLogSubject(LogSubject subject);

/// Each writes one line of the level in its name.
inline void LogInfo(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kInfo, event, fields);
}
inline void LogWarning(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kWarning, event, fields);
}
inline void LogError(std::string_view event, std::initializer_list<LogField> fields = {}) {
  Log(LogLevel::kError, event, fields);
}

/// Reports why a program ends, right before it does: writes "<program>: <why>" to standard error, or an error event if
/// lines are JSON.
void ReportFatal(std::string_view program, std::string_view why);

}  // namespace mmtune
