// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proto/base/log.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <vector>

#include "proto/base/mutex.h"
#include "proto/base/plain_text.h"

namespace mmtune {
namespace {

using Fields = std::vector<LogField>;

struct Shared {
  Mutex mutex;
  LogStyle style ABSL_GUARDED_BY(mutex);
  LogSubject subject ABSL_GUARDED_BY(mutex);
};
Shared& TheShared() {
  static Shared* const shared = new Shared;  // for threads that outlive main
  return *shared;
}

std::atomic<LogLevel> g_level{LogLevel::kWarning};
std::atomic<int> g_forward_to{-1};
std::atomic<LogLevel> g_forward_level{LogLevel::kError};

constexpr std::string_view kNames[] = {"debug", "info", "warning", "error"};

constexpr size_t kMaxValue = 4096;
/// A line of so many bytes is written to a pipe in one piece, whoever else writes to it (PIPE_BUF).
constexpr size_t kMaxLine = 4096;
constexpr size_t kMinValue = 16;
constexpr char kEvent[] = "message";  // of the event in JSON; a field of that name is called "detail" there

std::string_view NameOf(LogLevel level) { return kNames[static_cast<int>(level)]; }

// Quoted when it would not stand as one word; plain and bounded, so that a line stays a line.
void AppendQuoted(std::string& line, std::string_view text, size_t most) {
  const std::string value = PlainText(Shortened(text, most));
  const bool plain = !value.empty() && value.find_first_of(" \"=\\") == std::string::npos;
  if (!plain) line += '"';
  for (char c : value) {
    if (c == '"' || c == '\\') line += '\\';
    line += c;
  }
  if (!plain) line += '"';
}

std::string TextLine(const timespec& now, LogLevel level, std::string_view event, const Fields& fields, size_t most) {
  tm utc;
  gmtime_r(&now.tv_sec, &utc);
  char stamp[40];
  size_t n = strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ ", &utc);
  std::string line(stamp, n);
  line += NameOf(level);
  line += ' ';
  line += event;
  for (const LogField& field : fields) {
    line += ' ';
    line += field.key;
    line += '=';
    AppendQuoted(line, field.value, most);
  }
  line += '\n';
  return line;
}

std::string JsonLine(const timespec& now, LogLevel level, std::string_view event, const Fields& fields,
                     const LogStyle& style, size_t most) {
  tm utc;
  gmtime_r(&now.tv_sec, &utc);
  char seconds[32], stamp[48];
  strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &utc);
  snprintf(stamp, sizeof stamp, "%s.%03ldZ", seconds, now.tv_nsec / 1'000'000);
  nlohmann::ordered_json line = {{"time", stamp}, {"level", NameOf(level)}, {kEvent, event}};
  if (!style.component.empty()) line["component"] = style.component;
  if (!style.worker.empty()) line["worker"] = style.worker;
  for (const LogField& field : fields) {
    const std::string key(field.key == kEvent ? "detail" : field.key);
    if (field.number) {
      line[key] = nlohmann::ordered_json::parse(field.value, nullptr, /*allow_exceptions=*/false);
      if (!line[key].is_discarded()) continue;  // inf, nan
    }
    line[key] = Shortened(field.value, most);
  }
  return PrintableJson(line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n";
}

/// The line that `make` returns for the longest values with which it stays a short one.
template <typename Make>
std::string ShortLine(Make make) {
  for (size_t most = kMaxValue;; most /= 2) {
    std::string line = make(most);
    if (line.size() <= kMaxLine || most <= kMinValue) return line;
  }
}

void Write(int descriptor, const std::string& line) { (void)!write(descriptor, line.data(), line.size()); }

Fields AllOf(const LogSubject& subject, std::initializer_list<LogField> more) {
  Fields fields;
  for (const auto& [key, value] :
       {std::pair<std::string_view, std::string_view>{"lease", subject.lease}, {"job", subject.job}}) {
    if (!value.empty()) fields.emplace_back(key, value);
  }
  if (subject.candidate != 0) fields.emplace_back("candidate", subject.candidate);
  if (!subject.trace.empty()) fields.emplace_back("trace", std::string_view(subject.trace));
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

}  // namespace

void SetLogLevel(LogLevel level) { g_level = level; }
LogLevel GetLogLevel() { return g_level; }

void SetLogStyle(LogStyle style) {
  MutexLock lock(&TheShared().mutex);
  TheShared().style = std::move(style);
}

LogStyle GetLogStyle() {
  MutexLock lock(&TheShared().mutex);
  return TheShared().style;
}

void ForwardLog(int descriptor, LogLevel level) {
  g_forward_level = level;
  g_forward_to = descriptor;
}

void SetLogSubject(LogSubject subject) {
  MutexLock lock(&TheShared().mutex);
  TheShared().subject = std::move(subject);
}

void Log(LogLevel level, std::string_view event, const LogSubject& subject, std::initializer_list<LogField> more) {
  const int forward_to = g_forward_to.load();
  const bool here = level >= g_level.load();
  const bool there = forward_to >= 0 && level >= g_forward_level.load();
  if (!here && !there) return;
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const Fields fields = AllOf(subject, more);
  const LogStyle style = GetLogStyle();
  const bool json = style.format == LogFormat::kJson;
  const auto text_line = [&](size_t most) { return TextLine(now, level, event, fields, most); };
  const auto json_line = [&](size_t most) { return JsonLine(now, level, event, fields, style, most); };
  const std::string line = json ? ShortLine(json_line) : ShortLine(text_line);
  if (there) Write(forward_to, line);
  if (here) Write(STDERR_FILENO, json && forward_to >= 0 ? ShortLine(text_line) : line);
}

void Log(LogLevel level, std::string_view event, std::initializer_list<LogField> fields) {
  LogSubject subject;
  {
    MutexLock lock(&TheShared().mutex);
    subject = TheShared().subject;
  }
  Log(level, event, subject, fields);
}

void ReportFatal(std::string_view program, std::string_view why) {
  if (GetLogStyle().format == LogFormat::kJson) return LogError("failed", {{"program", program}, {"why", why}});
  Write(STDERR_FILENO, std::string(program).append(": ").append(PlainText(why)).append("\n"));
}

}  // namespace mmtune
